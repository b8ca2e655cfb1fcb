//! Repositories of a model hub: how they are named, and which GGUF files they hold.
//!
//! - `address`: the names and addresses of repositories
//! - `listing`: the files that a hub lists, with the shards of a set together
//! - `role`: what a file is beside a model, by its name
//!
//! Nothing that a hub answers is trusted: paths, sizes and hashes can be anything.

pub(crate) mod address;
pub(crate) mod listing;
pub(crate) mod role;
