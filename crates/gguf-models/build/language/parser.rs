//! Parses a text. Names are not looked up here.

use super::lexer::{Token, is_of_word, tokens};
use super::opcodes;
use super::syntax::{
    At, BlockRange, Blocks, Counts, Expr, Group, Key, KeyForm, Mistake, Part, Row, Section, Statement, Tensor, Word,
};

type Result<T> = core::result::Result<T, Mistake>;

/// Operators from the weakest to the strongest.
const OPERATORS: [&[(&str, u8)]; 6] = [
    &[("or", opcodes::OR)],
    &[("||", opcodes::OR_ELSE)],
    &[("&&", opcodes::AND)],
    &[
        ("==", opcodes::EQUAL),
        ("!=", opcodes::UNEQUAL),
        ("<=", opcodes::LESS_OR_EQUAL),
        (">=", opcodes::GREATER_OR_EQUAL),
        ("<", opcodes::LESS),
        (">", opcodes::GREATER),
    ],
    &[("+", opcodes::ADD), ("-", opcodes::SUBTRACT)],
    &[("*", opcodes::MULTIPLY), ("/", opcodes::DIVIDE), ("%", opcodes::REMAINDER)],
];

/// The letters of the types, in the order of their numbers in the table.
const ELEMENTS: &str = "uifbsl";

/// The parts of a text.
pub fn parse(file: usize, text: &str) -> Result<Vec<Part<'_>>> {
    let mut parser = Parser { text, file, tokens: tokens(text), next: 0 };
    let mut parts = Vec::new();
    while !parser.peek().text.is_empty() {
        parts.push(parser.part()?);
    }
    Ok(parts)
}

struct Parser<'a> {
    text: &'a str,
    file: usize,
    tokens: Vec<Token<'a>>,
    next: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next]
    }

    fn at(&self) -> At {
        At { file: self.file, line: self.peek().line }
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek().text == text
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn take_if(&mut self, text: &str) -> bool {
        let is_it = self.next_is(text);
        if is_it {
            self.take();
        }
        is_it
    }

    /// Whether the next token is this one, and directly follows the one before it.
    fn next_is_flag(&self, text: &str) -> bool {
        self.peek().is_adjacent && self.next_is(text)
    }

    fn take_flag(&mut self, text: &str) -> bool {
        self.next_is_flag(text) && self.take_if(text)
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        let found = match self.peek().text {
            "" => "the end of the file",
            text => text,
        };
        Err(Mistake { at: self.at(), text: format!("expected {what}, found {found}") })
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.take_if(text) { Ok(()) } else { self.expected(text) }
    }

    fn word(&mut self, what: &str) -> Result<Word<'a>> {
        let at = self.at();
        if !self.peek().text.starts_with(is_of_word) {
            return self.expected(what);
        }
        Ok(Word { text: self.take().text, at })
    }

    /// Names of architectures up to the brace.
    fn architectures(&mut self) -> Result<Vec<Word<'a>>> {
        let mut names = Vec::new();
        while !self.next_is("{") {
            names.push(self.architecture()?);
        }
        Ok(names)
    }

    /// The name of an architecture, which may have hyphens.
    fn architecture(&mut self) -> Result<Word<'a>> {
        let start = self.peek().start;
        let Word { text, at } = self.word("the name of an architecture or {")?;
        let mut end = start + text.len();
        while self.peek().is_adjacent && !self.next_is("{") {
            let token = self.take();
            end = token.start + token.text.len();
        }
        Ok(Word { text: &self.text[start..end], at })
    }

    fn part(&mut self) -> Result<Part<'a>> {
        let kind = self.word("row, rules, group, graph, common, numbers or results")?;
        Ok(match kind.text {
            "common" => Part::Common(self.body()?),
            "row" => Part::Row(self.row()?),
            "rules" => Part::Rules(self.architectures()?, self.body()?),
            "group" => {
                let name = self.word("the name of the group")?;
                let mut parameters = Vec::new();
                if self.take_if("(") {
                    while !self.take_if(")") {
                        parameters.push(self.word("a parameter")?);
                        self.take_if(",");
                    }
                }
                Part::Group(Group { name, parameters, statements: self.body()? })
            }
            "graph" => {
                let name = self.word("the name of the section")?;
                Part::Section(Section { name, architectures: self.architectures()?, statements: self.body()? })
            }
            "numbers" | "results" => {
                self.expect("{")?;
                let mut words = Vec::new();
                while !self.take_if("}") {
                    words.push(self.word("a name")?);
                }
                if kind.text == "numbers" { Part::Numbers(words) } else { Part::Results(words) }
            }
            _ => {
                return Err(kind.mistake("there is no such part: row, rules, group, graph, common, numbers or results"));
            }
        })
    }

    fn row(&mut self) -> Result<Row<'a>> {
        let name = self.architecture()?;
        let title = Word { text: self.peek().text, at: self.at() };
        if !title.text.starts_with('"') {
            return self.expected("a title in quotation marks");
        }
        self.take();
        let mut properties = Vec::new();
        if self.take_if("{") {
            while !self.take_if("}") {
                properties.push((self.word("a property")?, self.arguments()?));
            }
        }
        Ok(Row { name, title, properties })
    }

    fn body(&mut self) -> Result<Vec<Statement<'a>>> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.take_if("}") {
            if !self.take_if(";") {
                statements.push(self.statement()?);
            }
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Result<Statement<'a>> {
        if self.take_if("?") {
            let (condition, then) = (self.expr()?, self.body()?);
            let otherwise = match self.take_if(":") {
                true if self.next_is("?") => vec![self.statement()?],
                true => self.body()?,
                false => Vec::new(),
            };
            return Ok(Statement::If(condition, then, otherwise));
        }
        if self.take_if("@") {
            let name = self.word("the name of a group or section")?;
            let arguments = if self.next_is_flag("(") { self.arguments()? } else { Vec::new() };
            return Ok(Statement::Run { name, arguments, is_optional: self.take_flag("?") });
        }
        let is_root = self.take_if("/");
        let name = self.word("a statement")?;
        match name.text {
            "each" => return self.blocks(name, BlockRange::Each),
            "every" => return self.blocks(name, BlockRange::Every),
            "last" => return self.blocks(name, BlockRange::Last),
            "let" => {
                let name = self.word("the name of a number")?;
                self.expect("=")?;
                return Ok(Statement::Let(name, self.expr()?));
            }
            _ => {}
        }
        if self.take_if(":") {
            return Ok(Statement::Key(self.key(name, is_root)?));
        }
        if self.take_if("[") {
            return Ok(Statement::Tensor(self.tensor(name, is_root)?));
        }
        if self.next_is("(") {
            return Ok(Statement::Call(name, self.arguments()?));
        }
        if self.take_if("=") {
            return Ok(Statement::Set(name, self.expr()?));
        }
        Err(name.mistake("expected `:`, `[`, `(` or `=` after it"))
    }

    fn blocks(&mut self, name: Word<'a>, range: BlockRange) -> Result<Statement<'a>> {
        let has_count = range == BlockRange::Each && self.take_if("(");
        let count = if has_count { Some(self.expr()?) } else { None };
        if has_count {
            self.expect(")")?;
        }
        let range = if has_count { BlockRange::First } else { range };
        let optional_if = if self.take_if("?") { Some(self.expr()?) } else { None };
        Ok(Statement::Blocks(Blocks { name, range, count, optional_if, statements: self.body()? }))
    }

    fn key(&mut self, name: Word<'a>, is_whole: bool) -> Result<Key<'a>> {
        let (form, element, mut length) = if self.take_if("[") {
            let element = self.element()?;
            self.expect("]")?;
            (KeyForm::Array, element, None)
        } else if self.take_if("n") {
            (KeyForm::Length, 0, None)
        } else {
            (KeyForm::Single, self.element()?, None)
        };
        let form = if form == KeyForm::Single && self.take_flag("|") {
            KeyForm::SingleUnlessArray
        } else if form == KeyForm::Single && self.take_flag("[") {
            length = Some(self.expr()?);
            self.expect("]")?;
            KeyForm::SingleOrArray
        } else {
            form
        };
        Ok(Key { name, is_whole, is_required: !self.take_flag("?"), form, element, length })
    }

    fn element(&mut self) -> Result<u8> {
        let found = ELEMENTS.find(self.peek().text).filter(|_| self.peek().text.len() == 1);
        let Some(found) = found else { return self.expected("a type: u, i, f, b, s or l") };
        self.take();
        Ok(found as u8)
    }

    fn tensor(&mut self, name: Word<'a>, is_root: bool) -> Result<Tensor<'a>> {
        let dimensions = self.list("]")?;
        let (mut is_optional, mut optional_if) = (false, None);
        let (mut counts, mut is_reshaped) = (Counts::Always, false);
        loop {
            if self.take_flag("?") {
                is_optional = true;
                if self.next_is_flag("(") {
                    self.take();
                    optional_if = Some(self.expr()?);
                    self.expect(")")?;
                }
            } else if self.take_flag("*") {
                counts = Counts::Once;
            } else if self.take_flag("=") {
                counts = Counts::Never;
            } else if self.take_flag("~") {
                is_reshaped = true;
            } else {
                return Ok(Tensor { name, is_root, dimensions, is_optional, optional_if, counts, is_reshaped });
            }
        }
    }

    fn arguments(&mut self) -> Result<Vec<Expr<'a>>> {
        self.expect("(")?;
        self.list(")")
    }

    /// Expressions up to a sign.
    fn list(&mut self, end: &str) -> Result<Vec<Expr<'a>>> {
        let mut list = Vec::new();
        while !self.take_if(end) {
            if !list.is_empty() {
                self.expect(",")?;
            }
            list.push(self.expr()?);
        }
        Ok(list)
    }

    fn expr(&mut self) -> Result<Expr<'a>> {
        self.binary(0)
    }

    fn binary(&mut self, level: usize) -> Result<Expr<'a>> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(text, _)| self.next_is(text)) {
            self.take();
            // `a or b or c` is `a or (b or c)`.
            let right = self.binary(if level == 0 { level } else { level + 1 })?;
            left = Expr::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr<'a>> {
        if self.take_if("!") {
            return Ok(Expr::Not(Box::new(self.unary()?)));
        }
        if self.take_if("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let is_root = self.take_if("/");
        let name = self.word("an expression")?;
        if let Ok(number) = name.text.parse() {
            return Ok(Expr::Number(number));
        }
        if !self.next_is_flag("(") && !self.next_is_flag("[") {
            return Ok(Expr::Name(name, is_root));
        }
        let size = if self.take_flag("[") { self.list("]")? } else { Vec::new() };
        let arguments = if self.next_is_flag("(") { self.arguments()? } else { Vec::new() };
        Ok(Expr::Call(name, size, arguments))
    }
}
