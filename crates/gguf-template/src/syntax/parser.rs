//! The state of the parser: the tokens, the position, and the tree that grows.

use alloc::string::String;
use alloc::vec::Vec;

use super::lexer::{Token, TokenKind};
use super::tree::{Id, Node, Tree};
use crate::error::{ErrorKind, Outcome, fault, shortened};
use crate::limits::SYNTAX_DEPTH;
use crate::values::places::{HASH, Places, hash_bytes};

/// Makes a tree of tokens.
pub(crate) struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    position: usize,
    pub tree: Tree,
    names: Places,
    depth: u32,
}

impl<'a> Parser<'a> {
    pub fn new(source: &'a str, tokens: Vec<Token>) -> Parser<'a> {
        Parser { source, tokens, position: 0, tree: Tree::default(), names: Places::default(), depth: 0 }
    }

    /// The kind of the token that is `ahead` of the position.
    pub fn kind(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.position + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    pub fn is(&self, kind: TokenKind) -> bool {
        self.kind(0) == kind
    }

    /// The text of the token that is `ahead` of the position. Empty at the end.
    pub fn text(&self, ahead: usize) -> &'a str {
        let token = self.tokens.get(self.position + ahead);
        token.and_then(|token| self.source.get(token.start as usize..token.end as usize)).unwrap_or("")
    }

    pub fn is_name(&self, ahead: usize, name: &str) -> bool {
        self.kind(ahead) == TokenKind::Name && self.text(ahead) == name
    }

    /// The offset of the next token, or of the last one at the end.
    pub fn at(&self) -> u32 {
        self.tokens.get(self.position).or(self.tokens.last()).map_or(0, |token| token.at)
    }

    /// Moves past a token. Past the end, the position grows, too: some tags skip a token that need not be there.
    pub fn skip(&mut self) {
        self.position += 1;
    }

    /// Takes the text of the next token.
    pub fn take(&mut self) -> &'a str {
        let text = self.text(0);
        self.position += 1;
        text
    }

    /// Skips a token of a kind. Returns whether there was one.
    pub fn skip_if(&mut self, kind: TokenKind) -> bool {
        let is = self.is(kind);
        self.position += usize::from(is);
        is
    }

    /// Skips a token that must be there.
    pub fn expect(&mut self, kind: TokenKind, expected: &str) -> Outcome<()> {
        if self.skip_if(kind) {
            return Ok(());
        }
        let found = match self.kind(0) {
            TokenKind::End => "the end of the template".into(),
            TokenKind::Text => "text".into(),
            _ => format!("`{}`", shortened(self.text(0), 40)),
        };
        self.error(&format!("expected {expected}, found {found}"))
    }

    pub fn error<T>(&self, message: &str) -> Outcome<T> {
        let mut fault = fault(ErrorKind::Syntax, message);
        fault.at = Some(self.at());
        Err(fault)
    }

    pub fn add(&mut self, node: Node, at: u32) -> Id {
        self.tree.add(node, at)
    }

    /// Adds a node with a text: `node` makes it of the place of the text.
    pub fn add_text(&mut self, node: fn(u32) -> Node, text: String, at: u32) -> Id {
        self.tree.texts.push(text);
        let text = self.tree.texts.len() as u32 - 1;
        self.add(node(text), at)
    }

    pub fn add_name(&mut self, name: &str, at: u32) -> Outcome<Id> {
        let names = &mut self.tree.names;
        let found = self.names.find(hash_bytes(name.as_bytes(), HASH), &mut |place| Ok(names[place] == name))?;
        let place = match found {
            Some(place) => place,
            None => {
                names.push(name.into());
                self.names.add(&mut |place| Ok(hash_bytes(names[place].as_bytes(), HASH)))?;
                names.len() - 1
            }
        };
        Ok(self.add(Node::Name(place as u32), at))
    }

    /// Runs a part of the parser one level deeper.
    pub fn deeper<T>(&mut self, part: impl FnOnce(&mut Parser<'a>) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= SYNTAX_DEPTH {
            let mut fault = fault(ErrorKind::Limit, "the template is nested too deeply");
            fault.at = Some(self.at());
            return Err(fault);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }
}
