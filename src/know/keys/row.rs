//! A row of the table of keys, and the macro in which the tables are written.

use super::types::KeyTypes;
use super::values::KeyValues;

/// A known metadata key.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{KeyType, ValueType, key_info};
///
/// let info = key_info(b"llama.attention.head_count").unwrap();
/// assert_eq!(info.pattern, "{arch}.attention.head_count");
/// assert_eq!(info.title, "Attention heads");
/// assert_eq!(info.types.to_string(), "UINT32 or INT32[] or UINT32[]");
/// assert!(info.types.accept(KeyType::Array(ValueType::Int32)));
/// assert!(!info.types.accept(KeyType::Single(ValueType::Float32)));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyInfo {
    /// The key. `{arch}` stands for the architecture: any text without a dot. `{id}` stands for a decimal number, and
    /// `{name}` for any text.
    pub pattern: &'static str,
    /// The types that the value may have.
    pub types: KeyTypes,
    /// Who knows the key.
    pub sources: &'static [KeySource],
    /// What people call the key.
    pub title: &'static str,
    /// The meaning of the value, in one sentence.
    pub description: &'static str,
    /// The unit of the number, or of each number of the array, as a plural: `tokens`.
    pub unit: Option<&'static str>,
    /// The values that the key may have.
    pub values: KeyValues,
    /// The pattern of the key that replaced this one.
    pub deprecated_for: Option<&'static str>,
    /// What else to know, above all where the specification and programs differ.
    pub note: Option<&'static str>,
    /// Whether the value is the id of a token: an index into `tokenizer.ggml.tokens`.
    pub is_token_id: bool,
    /// Whether the value is an array with one element for each token.
    pub is_per_token: bool,
}

/// Who knows a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeySource {
    /// A released edition of the GGUF specification lists it.
    Specification,
    /// llama.cpp reads it: its loader, its multimodal library, or one of its tools.
    LlamaCpp,
    /// The Python package gguf, which llama.cpp's converters use, has a name for it.
    GgufPy,
    /// A tool of llama.cpp writes it, but no program reads it.
    LlamaCppTools,
    /// ComfyUI-GGUF writes and reads it.
    ComfyUi,
    /// The draft of the specification has it, from before the first release of the format.
    Draft,
}

impl KeySource {
    /// What people call the source.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Specification => "GGUF specification",
            Self::LlamaCpp => "llama.cpp",
            Self::GgufPy => "gguf-py",
            Self::LlamaCppTools => "llama.cpp tools",
            Self::ComfyUi => "ComfyUI-GGUF",
            Self::Draft => "GGUF draft",
        }
    }
}

pub(super) const ALL: &[KeySource] = &[KeySource::Specification, KeySource::LlamaCpp, KeySource::GgufPy];
pub(super) const UPSTREAM: &[KeySource] = &[KeySource::LlamaCpp, KeySource::GgufPy];
pub(super) const LLAMA_CPP: &[KeySource] = &[KeySource::LlamaCpp];
pub(super) const GGUF_PY: &[KeySource] = &[KeySource::GgufPy];
pub(super) const TOOLS: &[KeySource] = &[KeySource::LlamaCppTools];
pub(super) const SPEC: &[KeySource] = &[KeySource::Specification];
pub(super) const SPEC_LLAMA_CPP: &[KeySource] = &[KeySource::Specification, KeySource::LlamaCpp];
pub(super) const SPEC_GGUF_PY: &[KeySource] = &[KeySource::Specification, KeySource::GgufPy];
pub(super) const SPEC_DRAFT: &[KeySource] = &[KeySource::Specification, KeySource::Draft];
pub(super) const DRAFT: &[KeySource] = &[KeySource::Draft];
pub(super) const COMFY_UI: &[KeySource] = &[KeySource::ComfyUi];

/// A row with the columns that every key has.
pub(super) const fn key(
    pattern: &'static str,
    types: KeyTypes,
    sources: &'static [KeySource],
    title: &'static str,
    description: &'static str,
) -> KeyInfo {
    KeyInfo {
        pattern,
        types,
        sources,
        title,
        description,
        unit: None,
        values: KeyValues::Any,
        deprecated_for: None,
        note: None,
        is_token_id: false,
        is_per_token: false,
    }
}

impl KeyInfo {
    pub(super) const fn unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }

    pub(super) const fn values(self, values: KeyValues) -> Self {
        Self { values, ..self }
    }

    pub(super) const fn deprecated(self, deprecated_for: &'static str) -> Self {
        Self { deprecated_for: Some(deprecated_for), ..self }
    }

    pub(super) const fn note(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }

    pub(super) const fn token_id(self) -> Self {
        Self { is_token_id: true, ..self }
    }

    pub(super) const fn per_token(self) -> Self {
        Self { is_per_token: true, ..self }
    }
}

/// A table of keys, sorted by pattern. A row is the description as a comment, then the pattern, the name of the types in
/// `types.rs`, the name of the sources above, and the title. Optional columns follow in this order: `unit`, `values` (a
/// name in `values.rs`), `deprecated` (the pattern of the new key), `note`, and `is token_id` or `is per_token`.
macro_rules! keys {
    ($(
        #[doc = $description:literal]
        $pattern:literal $types:ident $sources:ident $title:literal
        $(, unit $unit:literal)? $(, values $values:ident)? $(, deprecated $deprecated_for:literal)? $(, note $note:literal)?
        $(, is $property:ident)?;
    )*) => {
        &[$(
            $crate::know::keys::row::key(
                $pattern,
                $crate::know::keys::types::$types,
                $crate::know::keys::row::$sources,
                $title,
                $description.trim_ascii(),
            )
            $(.unit($unit))? $(.values($crate::know::keys::values::$values))? $(.deprecated($deprecated_for))?
            $(.note($note))? $(.$property())?,
        )*]
    };
}
pub(super) use keys;
