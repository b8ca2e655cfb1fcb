//! Shards: splitting, merging, and what is wrong with a set.

mod content;
mod llama_cpp;
mod merging;
mod set;
mod splitting;
