//! The JavaScript API of several files: sets of shards, splitting, merging, comparing, hashes and manifests; exports;
//! repositories.

#[cfg(feature = "values")]
mod compare;
mod export;
pub(crate) mod gguf_set;
mod hash;
mod hash_host;
mod join_experts;
mod manifest;
mod projector_fit;
mod repository;
mod split;
