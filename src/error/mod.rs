//! The list of all error codes, and the cause of an [`Error`].

pub(crate) mod code;
#[allow(clippy::module_inception, reason = "the error after which the folder is named")]
pub(crate) mod error;
pub(crate) mod header_error;
mod name_list;
pub(crate) mod shown;

pub(crate) use code::ErrorCode;
pub use code::{ERROR_CODES, ErrorCodeInfo};
pub use error::Cause;
pub(crate) use error::{Error, Result, error, no_memory};
pub(crate) use header_error::{ErrorKind, HeaderError, HeaderResult};
pub(crate) use name_list::add_name;
