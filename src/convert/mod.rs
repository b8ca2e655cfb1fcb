//! Conversions: to other tensor types, and from the formats before GGUF.

pub mod legacy;
pub mod requantize;
