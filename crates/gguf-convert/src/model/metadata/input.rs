//! What the metadata of a model is made from.

use serde_json::Value;

use super::parameters::ParameterCount;
use crate::model::files::SmallFiles;

/// What the entries `general.*` are made from.
#[derive(Clone, Copy, Debug)]
pub struct MetadataInput<'a> {
    /// The files of the folder.
    pub files: &'a SmallFiles,
    /// The name of the folder: the last part of its path, or of the name of the repository.
    pub folder: &'a str,
    /// The name that the user has chosen.
    pub model_name: Option<&'a str>,
    /// Values that the user has chosen, by their keys: an object such as `{ "general.author": "…" }`.
    pub overrides: Option<&'a Value>,
    /// The number of parameters of the tensors that are written.
    pub parameters: ParameterCount,
}
