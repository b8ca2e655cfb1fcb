//! Models in the formats before GGUF.

mod answers;
mod migration;
mod model;
mod open;
