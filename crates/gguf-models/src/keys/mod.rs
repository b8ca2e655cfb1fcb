//! The known metadata keys: what each means, which types and values it may have, and who reads it.
//!
//! One table has a row for each key, in one file for each section. The keys are those of the specification's
//! "Standardized key-value pairs" and of its draft, those of gguf-py (`gguf.constants.Keys`), and those of llama.cpp: its
//! loader (`LLM_KV_NAMES` in `src/llama-arch.cpp`), its multimodal library (`tools/mtmd/clip-impl.h`) and its tools, all
//! of October 2026. The types are those that llama.cpp reads (`get_key` throws "key has wrong type" for any other type) and
//! that gguf-py writes (`GGUFWriter`). Where the specification says `uint64`, both have UINT32.
//!
//! Example: [`key_info`].

mod attention;
mod audio;
mod clip;
mod draft;
mod experts;
mod files;
mod general;
mod model;
mod origin;
mod recurrent;
mod required_by;
mod rope;
mod row;
mod sampling;
mod special_tokens;
mod tokenizer;
mod types;
mod values;
mod vision;

use crate::text_table::{Name, TextTable};

pub use required_by::RequiredBy;
pub use row::{KeyInfo, KeySource};
pub use types::{KeyType, KeyTypes};
pub use values::{EnumValue, KeyValue, KeyValues};

/// A part of the table: keys about one thing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeySection {
    /// What people call the section.
    pub title: &'static str,
    /// What all patterns of the section begin with.
    pub prefix: &'static str,
    table: TextTable,
}

const fn section(title: &'static str, prefix: &'static str, table: TextTable) -> KeySection {
    KeySection { title, prefix, table }
}

impl KeySection {
    /// The keys, sorted by pattern.
    pub fn keys(&self) -> impl Iterator<Item = KeyInfo> + use<> {
        let title = self.title;
        self.table.rows().map(move |row| KeyInfo::of_row(title, row))
    }
}

/// The sections of the table, in the order in which people read metadata.
pub const KEY_SECTIONS: &[KeySection] = &[
    section("General", "general.", general::KEYS),
    section("Origin", "general.", origin::KEYS),
    section("Sampling", "general.sampling.", sampling::KEYS),
    section("Model", "{arch}.", model::KEYS),
    section("Experts", "{arch}.", experts::KEYS),
    section("Attention", "{arch}.attention.", attention::KEYS),
    section("RoPE", "{arch}.rope.", rope::KEYS),
    section("Recurrent layers", "{arch}.", recurrent::KEYS),
    section("Tokenizer", "tokenizer.", tokenizer::KEYS),
    section("Special tokens", "tokenizer.ggml.", special_tokens::KEYS),
    section("Shards", "split.", files::SPLIT),
    section("Adapter", "adapter.", files::ADAPTER),
    section("Importance matrix", "imatrix.", files::IMATRIX),
    section("Quantization", "quantize.", files::QUANTIZE),
    section("Multimodal projector", "clip.", clip::KEYS),
    section("Vision encoder", "clip.vision.", vision::KEYS),
    section("Audio encoder", "clip.", audio::KEYS),
    section("Other", "", files::OTHER),
    section("Old draft", "", draft::KEYS),
];

/// The first segments of keys that are sections of the format, so that no architecture has them as its name.
const NAMESPACES: &[&[u8]] = &[
    b"adapter",
    b"clip",
    b"comfy",
    b"controlvector",
    b"diffusion",
    b"general",
    b"imatrix",
    b"quantize",
    b"split",
    b"tokenizer",
    b"xielu",
];

/// What stands before a `{id}` in patterns.
const NUMBERED: &[&[u8]] = &[b"general.base_model.", b"general.dataset."];

/// What stands before a `{name}` in patterns.
const NAMED: &[&[u8]] = &[b"comfy.gguf.orig_shape.", b"tokenizer.chat_template."];

/// All known keys, section by section.
pub fn keys() -> impl Iterator<Item = KeyInfo> {
    KEY_SECTIONS.iter().flat_map(KeySection::keys)
}

/// The row of a key, or `None` if the key is not known. A pattern, such as `{arch}.block_count`, finds its own row.
///
/// A pattern with `{arch}` matches any architecture, also one that nobody knows: `my_model.context_length` has the row of
/// `{arch}.context_length`. Only `general`, `tokenizer` and the other sections of the format are not architectures.
///
/// # Examples
///
/// ```
/// use gguf_models::keys::key_info;
///
/// assert_eq!(key_info(b"qwen2.context_length").unwrap().unit, Some("tokens"));
/// assert_eq!(key_info(b"general.base_model.0.name").unwrap().pattern, "general.base_model.{id}.name");
/// assert_eq!(key_info(b"tokenizer.ggml.prefix_token_id").unwrap().deprecated_for, Some("tokenizer.ggml.fim_pre_token_id"));
/// assert!(key_info(b"qwen2.my_own_key").is_none());
/// ```
pub fn key_info(key: &[u8]) -> Option<KeyInfo> {
    [Some(Name::as_written(key)), with_id(key), with_name(key), with_architecture(key)]
        .into_iter()
        .flatten()
        .find_map(row)
}

/// The row of a pattern.
fn row(pattern: Name<'_>) -> Option<KeyInfo> {
    let mut sections = KEY_SECTIONS.iter().filter(|section| pattern.starts_with(section.prefix));
    sections.find_map(|section| Some(KeyInfo::of_row(section.title, section.table.find(pattern)?)))
}

/// The key with `{arch}` as its first segment.
fn with_architecture(key: &[u8]) -> Option<Name<'_>> {
    let dot = key.iter().position(|byte| *byte == b'.')?;
    let (architecture, end) = key.split_at(dot);
    let is_name = !architecture.is_empty() && !NAMESPACES.contains(&architecture);
    is_name.then_some(Name { start: b"", placeholder: "{arch}", end })
}

/// The key with `{id}` in the place of a number.
fn with_id(key: &[u8]) -> Option<Name<'_>> {
    let start = *NUMBERED.iter().find(|start| key.starts_with(start))?;
    let rest = &key[start.len()..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then_some(Name { start, placeholder: "{id}", end: &rest[digits..] })
}

/// The key with `{name}` as its end.
fn with_name(key: &[u8]) -> Option<Name<'_>> {
    let start = *NAMED.iter().find(|start| key.starts_with(start))?;
    (key.len() > start.len()).then_some(Name { start, placeholder: "{name}", end: b"" })
}
