//! Reads the values of tensors: numbers, previews, statistics.

pub(crate) mod dequantize;
mod gguf;
pub(crate) mod number_format;
pub(crate) mod preview;
pub(crate) mod statistics;
