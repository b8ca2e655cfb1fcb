//! Writes headers and files: values that callers give, encoded bytes, and plans of whole files.

pub mod encode;
pub(crate) mod input;
pub(crate) mod plan;
pub(crate) mod writer;
