//! A row of the table of keys, and the macro in which the tables are written.

use super::required_by::RequiredBy;
use super::types::KeyTypes;
use super::values::KeyValues;
use crate::text_table::TextRow;
use gguf_declare::{names, result};

result! {
    /// A known metadata key: what its value means, and which values it may have.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::ValueType;
    /// use gguf_models::keys::{KeyType, key_info};
    ///
    /// let info = key_info(b"llama.attention.head_count").unwrap();
    /// assert_eq!(info.pattern, "{arch}.attention.head_count");
    /// assert_eq!(info.title, "Attention heads");
    /// assert_eq!(info.types.to_string(), "UINT32 or INT32[] or UINT32[]");
    /// assert!(info.types.accept(KeyType::Array(ValueType::Int32)));
    /// assert!(!info.types.accept(KeyType::Single(ValueType::Float32)));
    /// ```
    #[derive(Clone, Copy, Debug)]
    pub struct KeyInfo {
        /// The key. `{arch}` stands for any architecture, known or not, `{id}` for a number, and `{name}` for any text:
        /// `"{arch}.context_length"`.
        pub pattern: &'static str,
        /// The types that the value may have, the preferred one first.
        pub types: KeyTypes,
        /// What people call the key.
        pub title: &'static str,
        /// The meaning of the value, in one sentence.
        pub description: &'static str,
        /// The unit of the number, or of each number of the array, as a plural: `"tokens"`.
        pub unit: Option<&'static str>,
        /// The values that the key may have, or that each element may have if the value is an array. Not present if every value
        /// of the types is allowed.
        pub values: Option<KeyValues>,
        /// The group of keys that the key belongs to: `"Attention"`. `keys()` has the keys of a section one after the other.
        pub section: &'static str,
        /// Who knows the key.
        pub sources: &'static [KeySource],
        /// The pattern of the key that replaced this one.
        pub deprecated_for: Option<&'static str>,
        /// What else to know, above all where the specification and programs differ.
        pub note: Option<&'static str>,
        /// The architectures whose models need the key. Not present if no architecture is known to need it.
        fn required_by(&self) -> Option<RequiredBy>,
        /// Whether the value is the id of a token: an index into `tokenizer.ggml.tokens`.
        pub is_token_id: bool,
        /// Whether the value is an array with one element for each token.
        pub is_per_token: bool,
    }
}

names! {
    /// Who knows a metadata key.
    #[typescript("KeySource")]
    pub enum KeySource {
        /// A released edition of the GGUF specification lists it.
        Specification = "GGUF specification",
        /// llama.cpp reads it: its loader, its multimodal library, or one of its tools.
        LlamaCpp = "llama.cpp",
        /// The Python package gguf, which llama.cpp's converters use, has a name for it.
        GgufPy = "gguf-py",
        /// A tool of llama.cpp writes it, but no program reads it.
        LlamaCppTools = "llama.cpp tools",
        /// ComfyUI-GGUF writes and reads it.
        ComfyUi = "ComfyUI-GGUF",
        /// The draft of the specification has it, from before the first release of the format.
        Draft = "GGUF draft",
    }
}

/// Declares the lists of sources, which rows of the table name.
macro_rules! sources {
    ($($name:ident = [$($source:ident),*];)*) => {
        $(pub(super) const $name: &[KeySource] = &[$(KeySource::$source),*];)*

        /// All lists by their names.
        const SOURCES: &[(&str, &[KeySource])] = &[$((stringify!($name), $name)),*];
    };
}

sources! {
    ALL = [Specification, LlamaCpp, GgufPy];
    UPSTREAM = [LlamaCpp, GgufPy];
    LLAMA_CPP = [LlamaCpp];
    GGUF_PY = [GgufPy];
    TOOLS = [LlamaCppTools];
    SPEC = [Specification];
    SPEC_LLAMA_CPP = [Specification, LlamaCpp];
    SPEC_GGUF_PY = [Specification, GgufPy];
    SPEC_DRAFT = [Specification, Draft];
    DRAFT = [Draft];
    COMFY_UI = [ComfyUi];
}

impl KeyInfo {
    /// A row of a section, with the columns in the order in which `keys!` writes them.
    pub(super) fn of_row(section: &'static str, row: TextRow) -> Self {
        let [pattern, types, sources, title, description, unit, values, deprecated_for, note, property] = row.columns();
        let optional = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        Self {
            pattern,
            types: KeyTypes::named(types),
            section,
            sources: SOURCES.iter().find(|(name, _)| *name == sources).map_or(&[], |(_, sources)| *sources),
            title,
            description: description.trim_ascii(),
            unit: optional(unit),
            values: KeyValues::named(values),
            deprecated_for: optional(deprecated_for),
            note: optional(note),
            is_token_id: property == "token_id",
            is_per_token: property == "per_token",
        }
    }

    /// The architectures whose models need the key. `None` if no architecture is known to need it.
    pub fn required_by(&self) -> Option<RequiredBy> {
        RequiredBy::of(self.pattern)
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
    )*) => {{
        // The names in the text exist.
        const _: &[$crate::keys::types::KeyTypes] = &[$($crate::keys::types::$types),*];
        const _: &[&[$crate::keys::row::KeySource]] = &[$($crate::keys::row::$sources),*];
        const _: &[$crate::keys::values::KeyValues] = &[$($($crate::keys::values::$values,)?)*];
        $crate::text_table::TextTable::new(concat!($(
            $pattern, "\t", stringify!($types), "\t", stringify!($sources),
            "\t", $crate::text_table::explanation!($title), "\t", $crate::text_table::explanation!($description),
            "\t", $($unit,)? "\t", $(stringify!($values),)? "\t", $($deprecated_for,)?
            "\t", $($crate::text_table::explanation!($note),)? "\t", $(stringify!($property),)? "\n",
        )*))
    }};
}
pub(super) use keys;
