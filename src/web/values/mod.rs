//! Reads the values of tensors: numbers, previews, statistics.

pub(crate) mod converter;
pub(crate) mod dequantize;
mod gguf;
pub(crate) mod number_format;
mod numbers;
pub(crate) mod preview;
pub(crate) mod statistics;
