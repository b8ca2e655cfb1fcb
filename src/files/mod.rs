//! Several files: the shards of a model, splitting and merging.

pub(crate) mod assembled_file;
pub mod merge;
pub mod set_check;
pub mod shard_name;
pub mod shard_set;
pub mod split;
