//! `GgufSet`: the shards of a model, opened as one.

mod findings;
mod merged;
mod open;
pub(crate) mod set;
mod sources;
