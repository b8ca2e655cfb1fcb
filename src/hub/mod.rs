//! Model hubs: their answers, and where a repository is.

pub(crate) mod json;
pub(crate) mod place_options;
