//! The shards of a model: sets, splitting and merging.
//!
//! The names of shards are in [`file_name`](gguf_models::file_name): [`ShardName`](gguf_models::file_name::ShardName).
//!
//! Examples: [`open_set`], [`ShardSet`], [`split`], [`merge`], [`loads_set`].

pub use super::loads_set::loads_set;
pub use super::merge::{MergedEntries, MergedShard, merge};
pub use super::open_set::{
    GivenSet, GivenShard, OnSetProgress, OpenShard, OpenedSet, OpenedShard, SetProgress, ShardLimits, open_set,
};
#[cfg(feature = "std")]
pub use super::path_shards::PathShards;
pub use super::set_check::{SET_CHECKS, SetCheck, SetCheckInfo, SetFinding};
pub use super::shard_place::ShardPlace;
pub use super::shard_set::{ShardFile, ShardSet};
pub use super::split::{DEFAULT_MAX_TENSORS, PlannedShard, SplitLimit, split};
pub use super::validate_set::{CheckedShard, validate_set};
