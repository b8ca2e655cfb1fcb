//! Reads the values of tensors: numbers, previews, statistics.

pub(crate) mod dequantize;
mod gguf;
pub(crate) mod numbers;
pub(crate) mod preview;
pub(crate) mod statistics;
