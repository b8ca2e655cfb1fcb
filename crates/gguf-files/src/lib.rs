//! Work with several GGUF files.
//!
//! - [`shards`] opens, splits and merges sets of shards
//! - [`compare`] finds the differences of two models
//! - [`hash`] and [`manifest`]: hashes of tensor data, as gguf-hash computes them, and lists of them
//! - [`join_experts`]: one tensor of all experts instead of one for each
//! - [`export`] writes the formats of other tools
//! - [`repository`] lists the files of a hub

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub(crate) mod assembled_file;
pub mod compare;
mod duplicate_names;
pub mod export;
pub mod hash;
pub mod join_experts;
#[doc(hidden)]
pub mod loads_set;
pub mod manifest;
mod markdown_text;
#[doc(hidden)]
pub mod merge;
#[doc(hidden)]
pub mod open_set;
#[cfg(feature = "std")]
mod path_shards;
pub mod repository;
#[doc(hidden)]
pub mod set_check;
#[doc(hidden)]
pub mod shard_place;
pub(crate) mod shard_set;
pub mod shards;
#[doc(hidden)]
pub mod split;
#[doc(hidden)]
pub mod validate_set;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
