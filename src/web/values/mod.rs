//! Reads the values of tensors: numbers, previews, statistics.

mod converter;
pub(crate) mod dequantize;
mod gguf;
mod number_format;
mod numbers;
mod preview;
mod statistics;
