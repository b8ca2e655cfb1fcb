//! Several files: sets of shards, splitting and merging; comparing; hashes of tensor data, and manifests of them; the formats of
//! other tools; repositories.

pub(crate) mod assembled_file;
pub(crate) mod compare;
mod duplicate_names;
pub(crate) mod export;
pub(crate) mod hash;
pub(crate) mod manifest;
mod markdown_text;
pub(crate) mod merge;
pub(crate) mod open_set;
#[cfg(feature = "std")]
mod path_shards;
pub(crate) mod repository;
pub(crate) mod set_check;
pub(crate) mod shard_place;
pub(crate) mod shard_set;
pub(crate) mod split;
pub(crate) mod validate_set;

#[cfg(feature = "std")]
pub use path_shards::PathShards;
