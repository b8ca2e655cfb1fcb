//! Errors: the table of all codes, and the error of a header that cannot be decoded.

mod code;
mod header_error;
pub(crate) mod shown;

pub use code::{ERROR_CODES, ErrorCode, ErrorCodeInfo};
pub use header_error::{Error, ErrorKind, Result};
