//! Reads the values of tensors: numbers, previews, statistics, `.npy` files.

pub(crate) mod dequantize;
mod gguf;
mod npy_file;
pub(crate) mod number_format;
pub(crate) mod preview;
pub(crate) mod statistics;
