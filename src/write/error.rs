//! Why a header cannot be changed or written so.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::ErrorCode;

/// The result of changing or writing a header.
pub type Result<T> = core::result::Result<T, EditError>;

/// Why a change, an addition or a plan is refused. Nothing has changed then, and nothing been written.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Edit, ErrorCode};
///
#[doc = include_str!("../doc_example.txt")]
/// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
/// let error = edit.remove("llama.bock_count").unwrap_err();
/// assert_eq!(error.code(), ErrorCode::UnknownKey);
/// assert_eq!(error.to_string(), "there is no entry \"llama.bock_count\"");
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError(Box<Reason>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Reason {
    code: ErrorCode,
    message: String,
    offset: Option<u64>,
}

impl EditError {
    #[cold]
    pub(crate) fn new(code: ErrorCode, message: String) -> Self {
        Self(Box::new(Reason { code, message, offset: None }))
    }

    /// Of an entry or a tensor: why it, of all, is refused.
    #[cold]
    pub(crate) fn of(name: &[u8], code: ErrorCode, why: fmt::Arguments<'_>) -> Self {
        Self::new(code, format!("\"{}\": {why}", String::from_utf8_lossy(name)))
    }

    /// Adds where in the file the reason is.
    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The stable code of the reason: `key-taken`.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Where in the old file the reason is, if it is in the file.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }
}

/// There is no entry or tensor with a name or at a position.
#[cold]
pub(crate) fn not_there(code: ErrorCode, what: &str, name: core::result::Result<&[u8], usize>) -> EditError {
    let name = match name {
        Ok(name) => format!("\"{}\"", String::from_utf8_lossy(name)),
        Err(index) => format!("{index}"),
    };
    EditError::new(code, format!("there is no {what} {name}"))
}

/// There is no memory for so many bytes of header or padding.
#[cold]
pub(crate) fn no_memory(bytes: u64) -> EditError {
    EditError::new(ErrorCode::TooLarge, format!("{bytes} bytes of memory could not be allocated"))
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl core::error::Error for EditError {}
