//! Repositories of a model hub: how they are named, and which GGUF files they hold.
//!
//! - `address`: the names and addresses of repositories
//! - `place`: a place in a repository, and its URLs
//! - `listing`: the files that a hub lists, with the shards of a set together
//! - `role`: what a file is beside a model, by its name
//! - `hub`: the requests to the hub's interface
//! - `answers`: what the hub's answers say: files, facts about the model
//! - `refusals`: what the hub's refusals mean
//!
//! Nothing that a hub answers is trusted: paths, sizes and hashes can be anything.

pub(crate) mod address;
pub(crate) mod answers;
pub(crate) mod hub;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod place;
mod refusals;
pub(crate) mod role;
