//! The findings of the checks, and whether llama.cpp loads a file.

pub(crate) mod findings;
mod gguf;
pub(crate) mod loads;
pub(crate) mod options;
