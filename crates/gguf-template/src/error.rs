//! Errors: a stable code, a message, and the position in the template.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// The kinds of errors. Each has a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The template is not valid: llama.cpp refuses to load it.
    Syntax,
    /// An operation of the template failed while it was rendered.
    Render,
    /// The template called `raise_exception`.
    Raised,
    /// The template needs more steps, memory or nesting than [`Limits`](crate::Limits) allow.
    Limit,
    /// The context is not valid JSON, or not an object.
    Context,
    /// llama-server refuses the conversation before the template sees it.
    Conversation,
}

impl ErrorKind {
    /// The stable code of the kind, for example `template-syntax`.
    pub const fn code(self) -> &'static str {
        match self {
            ErrorKind::Syntax => "template-syntax",
            ErrorKind::Render => "template-render",
            ErrorKind::Raised => "template-raised",
            ErrorKind::Limit => "template-limit",
            ErrorKind::Context => "template-context",
            ErrorKind::Conversation => "template-conversation",
        }
    }
}

/// A position in a text: in the template, or in the JSON text of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1. `\n`, `\r\n` and `\r` end a line.
    pub line: u32,
    /// The column, from 1, in Unicode characters.
    pub column: u32,
}

/// An error with its kind, its message and its position.
///
/// # Examples
///
/// ```
/// let error = gguf_template::Template::parse("Hello\n{{ name").unwrap_err();
/// assert_eq!(error.code(), "template-syntax");
/// assert_eq!(error.position.unwrap().line, 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// A sentence without the position.
    pub message: String,
    /// The position. `None` if the error has none.
    pub position: Option<Position>,
}

impl Error {
    /// The stable code of the error: [`ErrorKind::code`].
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), position: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        match self.position {
            Some(Position { line, column }) => write!(out, " (line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// An error whose position is still an offset, or is not known yet.
#[derive(Debug)]
pub(crate) struct Fault {
    pub kind: ErrorKind,
    pub message: String,
    /// Byte offset in the text.
    pub at: Option<u32>,
}

/// The result of everything that can fail. The error is boxed, so that results stay small.
pub(crate) type Outcome<T> = Result<T, Box<Fault>>;

#[cold]
pub(crate) fn fault(kind: ErrorKind, message: impl Into<String>) -> Box<Fault> {
    Box::new(Fault { kind, message: message.into(), at: None })
}

/// The first characters of a text that a message shows.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// An error of an operation of the template.
#[cold]
pub(crate) fn failed<T>(message: impl Into<String>) -> Outcome<T> {
    Err(fault(ErrorKind::Render, message))
}

#[cold]
pub(crate) fn beyond<T>(message: &str) -> Outcome<T> {
    Err(fault(ErrorKind::Limit, message))
}

impl Fault {
    /// The error with line and column. `text` is the text in which the offset is.
    #[cold]
    pub fn locate(self, text: &str) -> Error {
        let position = self.at.map(|at| {
            let mut places = Walk::new(text);
            places.to(at)
        });
        Error { kind: self.kind, message: self.message, position }
    }
}

/// Walks through a text and tells the position of offsets, which never become smaller.
pub(crate) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    position: Position,
}

impl<'a> Walk<'a> {
    pub fn new(text: &'a str) -> Walk<'a> {
        Walk { bytes: text.as_bytes(), at: 0, position: Position { line: 1, column: 1 } }
    }

    /// The position of an offset. A smaller one than before has the position of the one before.
    pub fn to(&mut self, offset: u32) -> Position {
        while self.at < (offset as usize).min(self.bytes.len()) {
            let next = self.bytes.get(self.at + 1);
            match self.bytes[self.at] {
                b'\r' if next == Some(&b'\n') => {}
                b'\n' | b'\r' => self.position = Position { line: self.position.line + 1, column: 1 },
                // The other bytes of a character.
                0x80..0xC0 => {}
                _ => self.position.column += 1,
            }
            self.at += 1;
        }
        self.position
    }
}
