//! The findings of the checks.

pub(crate) mod findings;
mod gguf;
pub(crate) mod options;
