//! Splits a template into tokens.
//!
//! llama.cpp always trims blocks: the line break after `%}` and `#}` is dropped, and so are the blanks of a line before
//! `{%` and `{#`.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{ErrorKind, Outcome, fault};
use crate::limits::TOKENS;
use crate::values::ascii::is_space;
use crate::values::finder::position;

/// The kinds of tokens that the parser tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    End,
    /// Text outside of `{% %}`, `{{ }}` and `{# #}`.
    Text,
    Number,
    Quoted,
    Name,
    Equals,
    OpenRound,
    CloseRound,
    OpenStatement,
    CloseStatement,
    OpenExpression,
    CloseExpression,
    OpenSquare,
    CloseSquare,
    OpenCurly,
    CloseCurly,
    Comma,
    Dot,
    Colon,
    Pipe,
    /// `+`, `-` or `~`
    Additive,
    /// `*`, `/` or `%`
    Multiplicative,
    Comparison,
    /// `-` or `+` before anything but a number. No expression has one.
    Sign,
    Comment,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// Offset in the source with plain line breaks.
    pub at: u32,
    /// Where its text is: the name, the operator, what stands between quotes with its escapes, the text without trimmed blanks.
    pub start: u32,
    /// The end of its text.
    pub end: u32,
}

/// All tokens that consist of punctuation, in the order in which they are tried.
const PUNCTUATION: [(&str, TokenKind); 31] = [
    ("{%-", TokenKind::OpenStatement),
    ("-%}", TokenKind::CloseStatement),
    ("{{-", TokenKind::OpenExpression),
    ("-}}", TokenKind::CloseExpression),
    ("{%", TokenKind::OpenStatement),
    ("%}", TokenKind::CloseStatement),
    ("{{", TokenKind::OpenExpression),
    ("}}", TokenKind::CloseExpression),
    ("(", TokenKind::OpenRound),
    (")", TokenKind::CloseRound),
    ("{", TokenKind::OpenCurly),
    ("}", TokenKind::CloseCurly),
    ("[", TokenKind::OpenSquare),
    ("]", TokenKind::CloseSquare),
    (",", TokenKind::Comma),
    (".", TokenKind::Dot),
    (":", TokenKind::Colon),
    ("|", TokenKind::Pipe),
    ("<=", TokenKind::Comparison),
    (">=", TokenKind::Comparison),
    ("==", TokenKind::Comparison),
    ("!=", TokenKind::Comparison),
    ("<", TokenKind::Comparison),
    (">", TokenKind::Comparison),
    ("+", TokenKind::Additive),
    ("-", TokenKind::Additive),
    ("~", TokenKind::Additive),
    ("*", TokenKind::Multiplicative),
    ("/", TokenKind::Multiplicative),
    ("%", TokenKind::Multiplicative),
    ("=", TokenKind::Equals),
];

/// The template with `\n` as its only line break, and without the last one. Offsets are offsets in this text.
pub(crate) fn plain_lines(source: &str) -> String {
    let mut plain = Vec::with_capacity(source.len());
    let mut last = 0;
    for byte in source.bytes() {
        match byte {
            b'\r' => plain.push(b'\n'),
            b'\n' if last == b'\r' => {}
            _ => plain.push(byte),
        }
        last = byte;
    }
    if last == b'\n' {
        plain.pop();
    }
    String::from_utf8(plain).unwrap_or_default()
}

/// The tokens of a template with plain line breaks.
pub(crate) fn tokens(source: &str) -> Outcome<Vec<Token>> {
    let mut lexer = Lexer { source, bytes: source.as_bytes(), pos: 0, curly_depth: 0, tokens: Vec::new() };
    while lexer.pos < lexer.bytes.len() {
        lexer.next()?;
        if lexer.tokens.len() > TOKENS {
            let mut fault = fault(ErrorKind::Limit, "the template has more than 200,000 tokens");
            fault.at = Some(lexer.pos as u32);
            return Err(fault);
        }
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    pos: usize,
    /// Open curly brackets. Inside of them, `}}` is two brackets.
    curly_depth: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn next(&mut self) -> Outcome<()> {
        let last = self.tokens.last().map_or(TokenKind::CloseStatement, |token| token.kind);
        if matches!(last, TokenKind::CloseStatement | TokenKind::CloseExpression | TokenKind::Comment) && self.text() {
            return Ok(());
        }
        if self.byte(0) == b'{' && self.byte(1) == b'#' {
            return self.comment();
        }
        if self.byte(0) == b'-' && matches!(last, TokenKind::OpenExpression | TokenKind::OpenStatement) {
            self.pos += 1;
        }
        while is_space(self.byte(0)) {
            self.pos += 1;
        }
        match self.byte(0) {
            _ if self.pos >= self.bytes.len() => Ok(()),
            sign @ (b'-' | b'+') if self.is_sign(sign)? => {
                let start = self.pos;
                self.pos += 1;
                self.number();
                let kind = if self.pos > start + 1 { TokenKind::Number } else { TokenKind::Sign };
                self.push(kind, start, start..self.pos);
                Ok(())
            }
            _ => self.inside(),
        }
    }

    /// The byte `ahead` of the position. After the end of the source there are zeros.
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: TokenKind, at: usize, text: Range<usize>) {
        self.tokens.push(Token { kind, at: at as u32, start: text.start as u32, end: text.end as u32 });
    }

    fn error<T>(&self, message: &str) -> Outcome<T> {
        let mut fault = fault(ErrorKind::Syntax, message);
        fault.at = Some(self.pos.min(self.bytes.len()) as u32);
        Err(fault)
    }

    /// Reads the text up to the next tag. Returns whether there is some.
    fn text(&mut self) -> bool {
        let start = self.pos;
        let mut drops_line_break = false;
        let mut strips_left = false;
        // As in llama.cpp, a tag must not be the first three bytes of the source.
        if start > 3 {
            let [dash, kind, bracket] = [self.bytes[start - 3], self.bytes[start - 2], self.bytes[start - 1]];
            strips_left = dash == b'-' && matches!(kind, b'%' | b'}' | b'#') && bracket == b'}';
            drops_line_break = matches!(kind, b'#' | b'%' | b'-') && bracket == b'}';
        }
        while self.pos < self.bytes.len() && !(self.byte(0) == b'{' && matches!(self.byte(1), b'%' | b'{' | b'#')) {
            self.pos += 1;
        }
        let mut end = self.pos;
        if self.byte(0) == b'{' && matches!(self.byte(1), b'%' | b'#') {
            end = self.without_indent(start, end);
        }
        let mut text = start..end;
        if drops_line_break && self.bytes[text.clone()].starts_with(b"\n") {
            text.start += 1;
        }
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        if strips_left {
            text.start += self.bytes[text.clone()].iter().take_while(|byte| is_blank(byte)).count();
        }
        if self.byte(0) == b'{' && matches!(self.byte(1), b'{' | b'%' | b'#') && self.byte(2) == b'-' {
            text.end -= self.bytes[text.clone()].iter().rev().take_while(|byte| is_blank(byte)).count();
        }
        if text.is_empty() {
            return false;
        }
        self.push(TokenKind::Text, start, text);
        true
    }

    /// The end of the text without the blanks that indent the tag after it.
    fn without_indent(&self, start: usize, end: usize) -> usize {
        let mut current = end;
        while current > start {
            // llama.cpp does not look at the first byte of the source: it is dropped, whatever it is.
            if current == 1 {
                return 0;
            }
            match self.bytes[current - 1] {
                b'\n' => return current,
                byte if is_space(byte) => current -= 1,
                _ => break,
            }
        }
        end
    }

    fn comment(&mut self) -> Outcome<()> {
        let start = self.pos;
        match position(&self.bytes[start + 2..], b"#}") {
            Some(length) => {
                self.pos += length + 4;
                self.push(TokenKind::Comment, start, start..start);
                Ok(())
            }
            None => self.error("the comment has no end: expected `#}`"),
        }
    }

    /// Whether `-` or `+` begins a number or an expression, and does not stand between two operands.
    fn is_sign(&self, sign: u8) -> Outcome<bool> {
        if sign == b'-' && matches!(self.byte(1), b'%' | b'}') {
            return Ok(false);
        }
        Ok(match self.tokens.last().map(|token| token.kind) {
            Some(
                TokenKind::Name
                | TokenKind::Number
                | TokenKind::Quoted
                | TokenKind::CloseRound
                | TokenKind::CloseSquare,
            ) => false,
            Some(TokenKind::Text) | None => return self.error("unexpected sign"),
            Some(_) => true,
        })
    }

    /// Moves past digits, and past a fraction if there is one.
    fn number(&mut self) {
        while self.byte(0).is_ascii_digit() {
            self.pos += 1;
        }
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            self.pos += 1;
            while self.byte(0).is_ascii_digit() {
                self.pos += 1;
            }
        }
    }

    /// A token inside of a tag.
    fn inside(&mut self) -> Outcome<()> {
        let start = self.pos;
        let rest = &self.bytes[start..];
        for (text, kind) in PUNCTUATION {
            if !rest.starts_with(text.as_bytes()) || text == "}}" && self.curly_depth > 0 {
                continue;
            }
            match kind {
                TokenKind::OpenExpression => self.curly_depth = 0,
                TokenKind::OpenCurly => self.curly_depth = self.curly_depth.wrapping_add(1),
                TokenKind::CloseCurly => self.curly_depth = self.curly_depth.wrapping_sub(1),
                _ => {}
            }
            self.pos += text.len();
            self.push(kind, start, start..self.pos);
            return Ok(());
        }
        match rest[0] {
            quote @ (b'\'' | b'"') => self.quoted(quote),
            b'0'..=b'9' => {
                self.number();
                self.push(TokenKind::Number, start, start..self.pos);
                Ok(())
            }
            byte if is_word(byte) => {
                while is_word(self.byte(0)) {
                    self.pos += 1;
                }
                self.push(TokenKind::Name, start, start..self.pos);
                Ok(())
            }
            _ => {
                let found = self.source.get(start..).and_then(|rest| rest.chars().next());
                self.error(&format!("unexpected character `{}`", found.unwrap_or('\u{FFFD}')))
            }
        }
    }

    fn quoted(&mut self, quote: u8) -> Outcome<()> {
        let start = self.pos;
        self.pos += 1;
        while self.byte(0) != quote {
            if self.byte(0) == b'\\' {
                if unescaped(self.byte(1).into()).is_none() {
                    return self.error("unknown escape: expected one of \\n \\t \\r \\b \\f \\v \\\\ \\' \\\"");
                }
                self.pos += 1;
            }
            self.pos += 1;
            if self.pos >= self.bytes.len() {
                self.pos = start;
                return self.error("the quoted text has no end");
            }
        }
        self.pos += 1;
        self.push(TokenKind::Quoted, start, start + 1..self.pos - 1);
        Ok(())
    }
}

/// What an escape stands for.
fn unescaped(character: char) -> Option<char> {
    Some(match character {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\x08',
        'f' => '\x0C',
        'v' => '\x0B',
        '\\' | '\'' | '"' => character,
        _ => return None,
    })
}

/// Adds the text of a quoted token. Its escapes are valid.
pub(crate) fn push_unescaped(quoted: &str, text: &mut String) {
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        let escaped = if character == '\\' { characters.next().and_then(unescaped) } else { None };
        text.push(escaped.unwrap_or(character));
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
