//! Parses expressions. The grammar is llama.cpp's, with all that it accepts and Python does not.

use alloc::string::String;
use alloc::vec::Vec;

use super::lexer::{TokenKind, push_unescaped};
use super::parser::Parser;
use super::tree::{Id, Ids, Node, Operator};
use crate::error::Outcome;
use crate::values::read_numbers::{read_float, signed};

impl<'a> Parser<'a> {
    /// An expression: `a`, `a if b`, or `a if b else c`.
    pub fn expression(&mut self) -> Outcome<Id> {
        self.deeper(Parser::conditional)
    }

    fn conditional(&mut self) -> Outcome<Id> {
        let value = self.or()?;
        if !self.is_name(0, "if") {
            return Ok(value);
        }
        let at = self.at();
        self.skip();
        let test = self.or()?;
        if !self.is_name(0, "else") {
            return Ok(self.add(Node::Select { value, test }, at));
        }
        let at = self.at();
        self.skip();
        let no = self.expression()?;
        Ok(self.add(Node::Ternary { test, yes: value, no }, at))
    }

    /// Expressions with commas between them are a tuple.
    pub fn sequence(&mut self, element: fn(&mut Parser<'a>) -> Outcome<Id>) -> Outcome<Id> {
        let at = self.at();
        let first = element(self)?;
        if !self.is(TokenKind::Comma) {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.skip_if(TokenKind::Comma) {
            items.push(element(self)?);
        }
        Ok(self.add(Node::Tuple(items.into()), at))
    }

    fn or(&mut self) -> Outcome<Id> {
        let mut left = self.and()?;
        while self.is_name(0, "or") {
            let at = self.at();
            self.skip();
            let right = self.and()?;
            left = self.add(Node::Or(left, right), at);
        }
        Ok(left)
    }

    fn and(&mut self) -> Outcome<Id> {
        let mut left = self.not()?;
        while self.is_name(0, "and") {
            let at = self.at();
            self.skip();
            let right = self.not()?;
            left = self.add(Node::And(left, right), at);
        }
        Ok(left)
    }

    fn not(&mut self) -> Outcome<Id> {
        if !self.is_name(0, "not") {
            return self.operation(0);
        }
        let at = self.at();
        self.skip();
        let value = self.deeper(Parser::not)?;
        Ok(self.add(Node::Not(value), at))
    }

    /// The operator at the position if it is of a level: 0 compares, 1 adds, 2 multiplies. With its number of tokens.
    fn operator(&self, level: u32) -> Option<(Operator, usize)> {
        let symbol = self.text(0);
        let operator = match (level, self.kind(0)) {
            (0, TokenKind::Name) if symbol == "not" && self.is_name(1, "in") => return Some((Operator::NotIn, 2)),
            (0, TokenKind::Name) if symbol == "in" => Operator::In,
            (0, TokenKind::Comparison) => match symbol {
                "==" => Operator::Equal,
                "!=" => Operator::NotEqual,
                "<" => Operator::Less,
                ">" => Operator::Greater,
                "<=" => Operator::LessOrEqual,
                _ => Operator::GreaterOrEqual,
            },
            (1, TokenKind::Additive) => match symbol {
                "+" => Operator::Add,
                "-" => Operator::Subtract,
                _ => Operator::Concatenate,
            },
            (2, TokenKind::Multiplicative) => match symbol {
                "*" => Operator::Multiply,
                "/" => Operator::Divide,
                _ => Operator::Modulo,
            },
            _ => return None,
        };
        Some((operator, 1))
    }

    fn operation(&mut self, level: u32) -> Outcome<Id> {
        let operand = |parser: &mut Parser<'a>| if level < 2 { parser.operation(level + 1) } else { parser.tested() };
        let mut left = operand(self)?;
        while let Some((operator, tokens)) = self.operator(level) {
            let at = self.at();
            (0..tokens).for_each(|_| self.skip());
            let right = operand(self)?;
            left = self.add(Node::Binary(operator, left, right), at);
        }
        Ok(left)
    }

    /// A value with filters, and tests after them: `a|b is c`. A filter after a test is a syntax error.
    fn tested(&mut self) -> Outcome<Id> {
        let mut value = self.filtered()?;
        while self.is_name(0, "is") {
            let at = self.at();
            self.skip();
            let is_negated = self.is_name(0, "not");
            if is_negated {
                self.skip();
            }
            let test = self.named_call()?;
            value = self.add(Node::Test { value, is_negated, test }, at);
        }
        Ok(value)
    }

    fn filtered(&mut self) -> Outcome<Id> {
        let value = self.primary()?;
        let mut value = self.members_and_calls(value)?;
        while self.is(TokenKind::Pipe) {
            let at = self.at();
            self.skip();
            let filter = self.named_call()?;
            value = self.add(Node::Filter { value, filter }, at);
        }
        Ok(value)
    }

    /// The name of a filter or test, with arguments if there are some.
    pub fn named_call(&mut self) -> Outcome<Id> {
        let name = self.primary()?;
        if self.is(TokenKind::OpenRound) { self.calls(name) } else { Ok(name) }
    }

    fn members_and_calls(&mut self, value: Id) -> Outcome<Id> {
        let value = self.members(value)?;
        if self.is(TokenKind::OpenRound) { self.calls(value) } else { Ok(value) }
    }

    /// Calls, and what follows them: `a()`, `a().b`, `a()()`.
    pub fn calls(&mut self, mut callee: Id) -> Outcome<Id> {
        while self.is(TokenKind::OpenRound) {
            let at = self.at();
            let args = self.arguments()?;
            callee = self.add(Node::Call { callee, args }, at);
            callee = self.members(callee)?;
        }
        Ok(callee)
    }

    /// Arguments in brackets. Commas between them can be missing.
    pub fn arguments(&mut self) -> Outcome<Ids> {
        self.expect(TokenKind::OpenRound, "`(`")?;
        let mut args = Vec::new();
        while !self.is(TokenKind::CloseRound) {
            let at = self.at();
            if self.is(TokenKind::Multiplicative) && self.text(0) == "*" {
                self.skip();
                self.expression()?;
                args.push(self.add(Node::Spread, at));
            } else {
                let arg = self.expression()?;
                let at = self.at();
                args.push(if self.skip_if(TokenKind::Equals) {
                    let value = self.expression()?;
                    self.add(Node::Keyword { name: arg, value }, at)
                } else {
                    arg
                });
            }
            self.skip_if(TokenKind::Comma);
        }
        self.skip();
        Ok(args.into())
    }

    fn members(&mut self, mut object: Id) -> Outcome<Id> {
        let at = self.at();
        loop {
            let node = if self.skip_if(TokenKind::Dot) {
                Node::Member { object, name: self.primary()? }
            } else if self.skip_if(TokenKind::OpenSquare) {
                self.index(object)?
            } else {
                return Ok(object);
            };
            object = self.add(node, at);
        }
    }

    /// What stands in square brackets after a value: an index or a slice. Surplus expressions are ignored.
    fn index(&mut self, object: Id) -> Outcome<Node> {
        let at = self.at();
        let mut values = Vec::new();
        let mut is_slice = false;
        while !self.is(TokenKind::CloseSquare) {
            if self.skip_if(TokenKind::Colon) {
                values.push(None);
                is_slice = true;
            } else {
                values.push(Some(self.expression()?));
                is_slice |= self.skip_if(TokenKind::Colon);
            }
        }
        self.skip();
        let value = |index: usize| values.get(index).copied().flatten();
        if is_slice {
            return Ok(Node::Slice { object, start: value(0), stop: value(1), step: value(2) });
        }
        Ok(match value(0) {
            Some(index) => Node::Index { object, index },
            None => Node::Index { object, index: self.add(Node::Blank, at) },
        })
    }

    /// A literal, a name, or an expression in brackets.
    pub fn primary(&mut self) -> Outcome<Id> {
        let at = self.at();
        match self.kind(0) {
            TokenKind::Number => self.number(at),
            TokenKind::Quoted => {
                let mut text = String::new();
                while self.is(TokenKind::Quoted) {
                    push_unescaped(self.take(), &mut text);
                }
                Ok(self.add_text(Node::Quoted, text, at))
            }
            TokenKind::Name => {
                let name = self.take();
                self.add_name(name, at)
            }
            TokenKind::OpenRound => {
                self.skip();
                let value = self.sequence(Parser::expression)?;
                self.expect(TokenKind::CloseRound, "`)`")?;
                Ok(value)
            }
            TokenKind::OpenSquare => {
                self.skip();
                let mut items = Vec::new();
                while !self.skip_if(TokenKind::CloseSquare) {
                    items.push(self.expression()?);
                    self.skip_if(TokenKind::Comma);
                }
                Ok(self.add(Node::List(items.into()), at))
            }
            TokenKind::OpenCurly => {
                self.skip();
                let mut entries = Vec::new();
                while !self.skip_if(TokenKind::CloseCurly) {
                    entries.push(self.expression()?);
                    self.expect(TokenKind::Colon, "`:`")?;
                    entries.push(self.expression()?);
                    self.skip_if(TokenKind::Comma);
                }
                Ok(self.add(Node::Dict(entries.into()), at))
            }
            TokenKind::End => self.error("expected an expression, found the end of the template"),
            _ => self.error(&format!("expected an expression, found `{}`", self.text(0))),
        }
    }

    fn number(&mut self, at: u32) -> Outcome<Id> {
        let text = self.text(0);
        let node = match text.as_bytes().contains(&b'.') {
            true => read_float(text.as_bytes()).map(Node::Float),
            false => signed(text.as_bytes()).map(Node::Int),
        };
        let Some(node) = node else { return self.error("the number is out of range") };
        self.skip();
        Ok(self.add(node, at))
    }
}
