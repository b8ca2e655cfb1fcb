//! `GgufSet`: the shards of a model, opened as one.

mod findings;
mod merged;
mod open;
mod place;
pub(crate) mod set;
