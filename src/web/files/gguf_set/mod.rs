//! `GgufSet`: the shards of a model, opened as one.

mod findings;
mod given_source;
mod open;
pub(crate) mod set;
