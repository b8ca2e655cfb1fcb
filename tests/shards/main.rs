//! Shards: splitting, merging, and what is wrong with a set.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "../support/written.rs"]
mod written;

mod content;
mod llama_cpp;
mod merging;
mod set;
mod splitting;
