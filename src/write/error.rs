//! The error of editing, planning and writing.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::ErrorCode;

/// The result of editing, planning or writing.
pub type Result<T> = core::result::Result<T, EditError>;

/// The reason why a change or a plan is refused. Nothing was changed or written.
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
/// assert!(error.to_string().contains("no entry with the key \"llama.bock_count\""));
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

    /// Sets the offset in the original file.
    pub(crate) fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The stable code of the reason: `key-taken`.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The offset in the original file, in bytes, of what caused the error.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }
}

#[cold]
pub(crate) fn no_memory(bytes: u64) -> EditError {
    EditError::new(ErrorCode::TooLarge, format!("cannot allocate {bytes} bytes of memory"))
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl core::error::Error for EditError {}
