//! Reads the values of tensors: numbers, previews, statistics.

pub(crate) mod blocks;
pub(crate) mod dequantize;
pub(crate) mod numbers;
pub(crate) mod preview;
pub(crate) mod statistics;
pub(crate) mod stored;
