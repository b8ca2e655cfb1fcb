//! Repositories of a model hub: how they are named, and which GGUF files they hold.
//!
//! Nothing that a hub answers is trusted: paths, sizes and hashes can be anything.
//!
//! Examples: [`RepositoryAddress`], [`repository_files`].

// - `address`: the names and addresses of repositories
// - `place`: a place in a repository, and its URLs
// - `listing`: the files that a hub lists, with the shards of a set together
// - `role`: what a file is beside a model, by its name
// - `hub`: the requests to the hub's interface
// - `answers`: what the hub's answers say: files, facts about the model
// - `refusals`: what the hub's refusals mean

#[doc(hidden)]
pub mod address;
pub(crate) mod answers;
#[doc(hidden)]
pub mod hub;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod listing;
#[doc(hidden)]
pub mod place;
#[doc(hidden)]
pub mod refusals;
#[doc(hidden)]
pub mod role;

pub use address::{HUB, RepositoryAddress, encode_address_part};
pub use answers::ModelFacts;
pub use hub::{list_files, list_repository};
pub use json::Json;
pub use listing::{ListedFile, Repository, RepositoryFile, RepositoryPart, RepositoryShards, repository_files};
pub use place::RepositoryPlace;
pub use role::RepositoryRole;
