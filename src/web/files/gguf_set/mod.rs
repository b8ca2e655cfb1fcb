//! `GgufSet`: the shards of a model, opened as one.

#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "know")]
mod findings;
mod merged;
mod open;
mod place;
pub(crate) mod set;
