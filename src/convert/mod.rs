//! Conversions to GGUF.

pub mod legacy;
