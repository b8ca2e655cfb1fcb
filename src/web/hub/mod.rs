//! Model hubs: their answers, and where a repository is.

mod json;
pub(crate) mod place_options;
