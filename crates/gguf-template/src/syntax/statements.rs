//! Parses the statements of a template: text, `{{ }}` and `{% %}`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::lexer::{TokenKind, tokens};
use super::parser::Parser;
use super::tree::{For, Id, Ids, Macro, Node, Tree};
use crate::error::Outcome;

/// Parses a template with plain line breaks.
pub(crate) fn parse(source: &str) -> Outcome<Tree> {
    let mut parser = Parser::new(source, tokens(source)?);
    let mut body = Vec::new();
    while !parser.is(TokenKind::End) {
        body.push(parser.statement()?);
    }
    let mut tree = parser.tree;
    tree.body = body.into();
    Ok(tree)
}

impl Parser<'_> {
    fn statement(&mut self) -> Outcome<Id> {
        let at = self.at();
        match self.kind(0) {
            TokenKind::Comment => {
                self.skip();
                Ok(self.add(Node::Nothing, at))
            }
            TokenKind::Text => {
                let text = self.take().into();
                Ok(self.add_text(Node::Text, text, at))
            }
            TokenKind::OpenStatement => self.deeper(Parser::tag),
            TokenKind::OpenExpression => {
                self.skip();
                let value = self.expression()?;
                self.expect(TokenKind::CloseExpression, "`}}`")?;
                Ok(value)
            }
            TokenKind::End => self.error("unexpected end of the template: a block has no end"),
            _ => self.error("unexpected token outside of a tag"),
        }
    }

    /// Whether a tag begins with one of some words.
    fn is_tag(&self, words: &[&str]) -> bool {
        self.is(TokenKind::OpenStatement) && words.iter().any(|word| self.is_name(1, word))
    }

    /// The statements up to a tag that begins with one of some words.
    fn block(&mut self, ends: &[&str]) -> Outcome<Ids> {
        let mut body = Vec::new();
        while !self.is_tag(ends) {
            body.push(self.statement()?);
        }
        Ok(body.into())
    }

    fn close(&mut self) -> Outcome<()> {
        self.expect(TokenKind::CloseStatement, "`%}`")
    }

    /// Skips a tag that consists of one word.
    fn end(&mut self, word: &str) -> Outcome<()> {
        self.expect(TokenKind::OpenStatement, "`{%`")?;
        if !self.is_name(0, word) {
            return self.error(&format!("expected `{word}`"));
        }
        self.skip();
        self.close()
    }

    fn tag(&mut self) -> Outcome<Id> {
        self.skip();
        let at = self.at();
        if !self.is(TokenKind::Name) {
            return self.error("expected the name of a statement after `{%`");
        }
        let node = match self.text(0) {
            "set" => self.set()?,
            "if" => self.condition()?,
            "macro" => self.macro_block()?,
            "for" => self.for_loop()?,
            "break" => {
                self.skip();
                self.close()?;
                Node::Break
            }
            "continue" => {
                self.skip();
                self.close()?;
                Node::Continue
            }
            "call" => self.call_block()?,
            "filter" => self.filter_block()?,
            "generation" | "endgeneration" => {
                // The end of the tag is skipped, whatever it is.
                self.skip();
                self.skip();
                Node::Nothing
            }
            name => {
                let message = format!("llama.cpp does not know the statement `{name}`");
                return self.error(&message);
            }
        };
        Ok(self.add(node, at))
    }

    fn set(&mut self) -> Outcome<Node> {
        self.skip();
        let target = self.sequence(Parser::expression)?;
        if self.skip_if(TokenKind::Equals) {
            let value = self.sequence(Parser::expression)?;
            self.close()?;
            return Ok(Node::Set { target, value });
        }
        self.close()?;
        let body = self.block(&["endset"])?;
        self.end("endset")?;
        Ok(Node::SetBlock { target, body })
    }

    fn condition(&mut self) -> Outcome<Node> {
        let mut branches = Vec::new();
        let mut otherwise = Ids::default();
        loop {
            self.skip();
            let test = self.expression()?;
            self.close()?;
            branches.push((test, self.block(&["elif", "else", "endif"])?));
            let is_else = self.is_tag(&["else"]);
            if !is_else && !self.is_tag(&["elif"]) {
                break;
            }
            self.skip();
            if is_else {
                self.skip();
                self.close()?;
                otherwise = self.block(&["endif"])?;
                break;
            }
        }
        self.end("endif")?;
        Ok(Node::If { branches: branches.into(), otherwise })
    }

    fn macro_block(&mut self) -> Outcome<Node> {
        self.skip();
        let name = Some(self.primary()?);
        let parameters = self.arguments()?;
        self.close()?;
        let body = self.block(&["endmacro"])?;
        self.end("endmacro")?;
        Ok(Node::Macro(Box::new(Macro { name, parameters, body })))
    }

    fn for_loop(&mut self) -> Outcome<Node> {
        self.skip();
        let target = self.sequence(Parser::primary)?;
        if !self.is_name(0, "in") {
            return self.error("expected `in` after the variable of the loop");
        }
        self.skip();
        let iterable = self.expression()?;
        self.close()?;
        let body = self.block(&["endfor", "else"])?;
        let mut otherwise = Ids::default();
        if self.is_tag(&["else"]) {
            self.skip();
            self.skip();
            self.close()?;
            otherwise = self.block(&["endfor"])?;
        }
        self.end("endfor")?;
        Ok(Node::For(Box::new(For { target, iterable, body, otherwise })))
    }

    fn call_block(&mut self) -> Outcome<Node> {
        self.skip();
        let parameters = if self.is(TokenKind::OpenRound) { self.arguments()? } else { Ids::default() };
        let callee = self.primary()?;
        if self.tree.name(callee).is_none() {
            return self.error("expected the name of a macro in `call`");
        }
        let args = self.arguments()?;
        self.close()?;
        let body = self.block(&["endcall"])?;
        self.end("endcall")?;
        Ok(Node::CallBlock { callee, args, block: Box::new(Macro { name: None, parameters, body }) })
    }

    fn filter_block(&mut self) -> Outcome<Node> {
        self.skip();
        let mut filter = self.primary()?;
        if self.tree.name(filter).is_some() && self.is(TokenKind::OpenRound) {
            filter = self.calls(filter)?;
        }
        self.close()?;
        let body = self.block(&["endfilter"])?;
        self.end("endfilter")?;
        Ok(Node::FilterBlock { filter, body })
    }
}
