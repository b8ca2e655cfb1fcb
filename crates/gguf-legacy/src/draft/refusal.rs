//! Errors of files that are not in the layout of the draft. They have one form, because each sentence is code.

use gguf_format::error::{Error, ErrorCode};

/// The error of an item at an offset, with the number that was found there and what was expected.
#[cold]
#[doc(hidden)]
pub fn refusal(code: ErrorCode, item: &str, at: u64, found: u64, expected: &str) -> Error {
    let message = format!(
        "cannot read {item} at offset {at:#x}: found {found}, expected {expected}. If a program has written the file, it is GGUF as \
         released: open it without the dialect \"draft\"."
    );
    Error::new(code, message).at(at)
}
