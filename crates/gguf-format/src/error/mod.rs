//! The list of all error codes, and the cause of an [`Error`].

#[doc(hidden)]
pub mod code;
#[allow(clippy::module_inception, reason = "the error after which the folder is named")]
#[doc(hidden)]
pub mod error;
pub(crate) mod header_error;
mod name_list;
#[doc(hidden)]
pub mod shown;

#[doc(hidden)]
pub use code::ErrorCode;
pub use code::{ERROR_CODES, ErrorCodeInfo};
pub use error::Cause;
#[doc(hidden)]
pub use error::{Error, Result, error, no_memory};
#[doc(hidden)]
pub use header_error::{ErrorKind, HeaderError, HeaderResult};
#[doc(hidden)]
pub use name_list::add_name;
