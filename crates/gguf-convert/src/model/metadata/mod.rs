//! The entries `general.*` of a model: from the name of its folder, its model card, its configuration, and the user.
//!
//! It decides as `gguf-py/gguf/metadata.py` of llama.cpp of October 2026 (b11549) does.

// - `fields`: what is known about a model, and its entries; `load` fills it
// - `model_name`: the parts of a name; `size_label`: the size of a model as a text
// - `model_card` with `front_matter`: the description at the top of README.md

mod fields;
mod front_matter;
mod input;
mod load;
mod model_card;
mod model_name;
mod parameters;
mod python_text;
mod yaml;

use super::entries::Entries;
use gguf_format::error::Result;

pub use input::MetadataInput;
pub use parameters::ParameterCount;

/// Adds the entries `general.*` that follow after `general.type`: sampling, names, sources, tags and languages.
///
/// # Errors
///
/// `bad-json` if `config.json` is not JSON, or if a value of the overrides has another type than its key. `bad-model-card` if the
/// front matter of `README.md` is not YAML, or uses a part of YAML that this package does not read.
///
/// # Examples
///
/// ```
/// use gguf_convert::model::{entries::{Entries, EntryValue}, files::SmallFiles};
/// use gguf_convert::model::metadata::{MetadataInput, ParameterCount, add_metadata};
///
/// let parameters = ParameterCount { total: 1_100_000_000, ..ParameterCount::default() };
/// let files = SmallFiles::default();
/// let input = MetadataInput { files: &files, folder: "tiny-llama-1.1B-chat", model_name: None, overrides: None, parameters };
/// let mut entries = Entries::default();
/// add_metadata(&input, &mut entries)?;
/// assert_eq!(entries.iter().next(), Some(("general.name", &EntryValue::String(b"Tiny Llama 1.1B Chat".to_vec()))));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn add_metadata(input: &MetadataInput<'_>, entries: &mut Entries) -> Result<()> {
    load::load(input)?.add_entries(entries)
}
