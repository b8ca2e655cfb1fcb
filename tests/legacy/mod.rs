//! Models in the formats before GGUF.

mod dumps;
mod malformed;
mod support;
mod values;
