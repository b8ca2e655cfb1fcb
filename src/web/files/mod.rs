//! The JavaScript API of several files: sets of shards, splitting and merging.

pub(crate) mod gguf_set;
mod split;
