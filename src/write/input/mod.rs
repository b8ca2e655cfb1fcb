//! What callers ask to be written into a header: which of it the format and its readers take, and why the rest is
//! refused.

mod check;
mod error;
mod new_value;
mod number;
mod text;

pub(crate) use check::{
    ALIGNMENT, check_alignment, check_count, check_header_size, check_inside, check_key, check_tensor_name, key_taken,
    lossy, name_taken, too_deep,
};
pub use error::EditError;
pub(crate) use error::{Result, no_memory, not_there};
pub use new_value::NewValue;
pub(crate) use new_value::{LONGEST_VALUE, too_long};
pub(crate) use number::retype_as;
#[cfg(feature = "web")]
pub(crate) use number::{Number, write_as};
