//! Writes headers and files: values that callers give, encoded bytes, and plans of whole files.

pub(crate) mod checks;
pub mod encode;
pub(crate) mod error;
pub(crate) mod new_value;
pub(crate) mod plan;
pub(crate) mod writer;
