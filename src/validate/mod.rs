//! The findings of the checks, and whether llama.cpp loads a file.

#[cfg(feature = "know")]
pub(crate) mod asked;
pub(crate) mod findings;
