//! Shards: splitting, merging, and what is wrong with a set.

pub mod content;
mod llama_cpp;
mod merging;
mod set;
mod splitting;
