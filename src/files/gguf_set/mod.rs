//! `GgufSet`: the shards of a model, opened as one.

#[cfg(feature = "edit")]
mod edit;
#[cfg(feature = "know")]
mod findings;
mod given_source;
mod handover;
mod open;
pub(crate) mod set;
