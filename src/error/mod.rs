//! Errors: the table of all codes, the error of a header that cannot be decoded, and the error of everything else.

pub(crate) mod code;
#[allow(clippy::module_inception, reason = "the error after which the folder is named")]
pub(crate) mod error;
mod header_error;
pub(crate) mod shown;

pub use code::{ERROR_CODES, ErrorCode, ErrorCodeInfo};
pub use error::{Cause, Error, Result};
pub(crate) use error::{error, no_memory};
pub use header_error::{ErrorKind, HeaderError, HeaderResult};
