//! Several files: shards, comparing, hashes and manifests, repositories; exports in the formats of other tools.

pub(crate) mod assembled_file;
pub mod compare;
mod duplicate_names;
pub mod export;
pub mod hash;
pub(crate) mod loads_set;
pub mod manifest;
mod markdown_text;
pub(crate) mod merge;
pub(crate) mod open_set;
#[cfg(feature = "std")]
mod path_shards;
pub mod repository;
pub(crate) mod set_check;
pub(crate) mod shard_place;
pub(crate) mod shard_set;
pub mod shards;
pub(crate) mod split;
pub(crate) mod validate_set;
