//! Models in the formats before GGUF.

mod draft;
mod dumps;
mod families;
mod malformed;
mod migration;
mod mutations;
pub mod support;
mod values;
