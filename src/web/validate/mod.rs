//! The findings of the checks.

pub(crate) mod findings;
mod fix;
mod gguf;
pub(crate) mod options;
