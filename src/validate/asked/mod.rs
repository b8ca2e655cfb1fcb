//! What a program asks about a file: the findings, and whether llama.cpp loads it.

mod gguf;
pub(crate) mod loads;
pub(crate) mod options;
