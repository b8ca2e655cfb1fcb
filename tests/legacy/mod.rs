//! Models in the formats before GGUF.

mod dumps;
mod support;
