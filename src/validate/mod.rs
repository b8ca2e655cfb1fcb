//! The findings of the checks, and whether llama.cpp loads a file.

pub(crate) mod findings;
#[cfg(feature = "know")]
mod gguf;
#[cfg(feature = "know")]
pub(crate) mod loads;
#[cfg(feature = "know")]
pub(crate) mod options;
