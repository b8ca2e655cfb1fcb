//! `keys` and `keyInfo`: the meaning of metadata keys.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::know::architectures::{ARCHITECTURES, KeyNeed};
use crate::know::file_types::FILE_TYPES;
use crate::know::keys::{
    EnumValue, KeyInfo as Row, KeySource, KeyValues, NamedValue, key_info as row_of, keys as rows,
};
use crate::web::interop::arguments::{self, TextArgument};
use crate::web::interop::plain_object::{Js, plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;
use crate::web::know::listing::Listing;

declare_string_union!("Who knows a metadata key.", "KeySource", SOURCES);

const SOURCES: &[&str] = &[
    KeySource::Specification.name(),
    KeySource::LlamaCpp.name(),
    KeySource::GgufPy.name(),
    KeySource::LlamaCppTools.name(),
    KeySource::ComfyUi.name(),
    KeySource::Draft.name(),
];

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** The type of a metadata value: `"UINT32"`; of an array, the type of its elements: `"UINT32[]"`. */
export type KeyType = Exclude<ValueTypeName, "ARRAY"> | `${Exclude<ValueTypeName, "ARRAY">}[]`;
"#;

plain_object! {
    /// A known metadata key: what its value means, and which values it may have.
    readonly struct KeyInfo {
        /// The key. `{arch}` stands for any architecture, known or not, `{id}` for a number, and `{name}` for any text:
        /// `"{arch}.context_length"`.
        pattern: &'static str,
        /// The types that the value may have, the preferred one first.
        types: Vec<String> as "readonly KeyType[]",
        /// What people call the key.
        title: &'static str,
        /// The meaning of the value, in one sentence.
        description: &'static str,
        /// The unit of the number, or of each number of the array, as a plural: `"tokens"`.
        unit?: &'static str,
        /// The values that the key may have, or that each element may have if the value is an array. Not present if every value
        /// of the types is allowed.
        values?: Vec<KeyValue> as "readonly KeyValue[]",
        /// The group of keys that the key belongs to: `"Attention"`. `keys()` has the keys of a section one after the other.
        section: &'static str,
        /// Who knows the key.
        sources: Vec<&'static str> as "readonly KeySource[]",
        /// The pattern of the key that replaced this one.
        deprecated_for?: &'static str,
        /// What else to know, above all where the specification and programs differ.
        note?: &'static str,
        /// The architectures whose models need the key. Not present if no architecture is known to need it.
        required_by?: RequiredBy as "RequiredBy",
        /// Whether the value is the id of a token: an index into `tokenizer.ggml.tokens`.
        is_token_id: bool,
        /// Whether the value is an array with one element for each token.
        is_per_token: bool,
    }
}

plain_object! {
    /// A value that a key may have.
    readonly struct KeyValue {
        /// The value as it is stored.
        value: Js<JsValue> as "number | string",
        /// What people call the value.
        name: &'static str,
        /// The meaning of the value, in one sentence.
        description: &'static str,
    }
}

plain_object! {
    /// The architectures whose models need a key: values of `general.architecture`.
    readonly struct RequiredBy {
        /// The specification requires the key.
        specification: Vec<&'static str>,
        /// llama.cpp refuses every model without the key. What llama.cpp needs is known for about a third of the architectures.
        llama_cpp: Vec<&'static str>,
        /// llama.cpp refuses some models without the key: those with experts, for example, or without another key that can
        /// replace it.
        llama_cpp_conditional: Vec<&'static str>,
    }
}

std::thread_local! {
    static LISTING: Listing = Listing::default();
}

/// Lists all known metadata keys, section by section. The list is made once, and is frozen.
///
/// The keys are those of the GGUF specification, of llama.cpp and its tools, and of the Python package gguf.
///
/// @example
/// const deprecated = keys().filter(({ deprecatedFor }) => deprecatedFor !== undefined);
#[wasm_bindgen(unchecked_return_type = "readonly KeyInfo[]")]
pub fn keys() -> JsArray {
    LISTING.with(|listing| listing.rows(|| rows().map(|row| object(listing, &row)).collect()))
}

/// Explains a metadata key. The result is `undefined` if the key is not known, else one of the objects of `keys()`.
///
/// A pattern with `{arch}` matches any architecture, also one that nobody knows: `my_model.context_length` has the row of
/// `{arch}.context_length`. Only `general`, `tokenizer` and the other sections of the format are not architectures.
///
/// @param key - A key of a file, or a pattern.
/// @throws {GgufError} `invalid-argument` if the key is not a string.
/// @example
/// for (const { key, value } of gguf.entries) {
///   const info = keyInfo(key);
///   const meaning = info?.values?.find((allowed) => allowed.value === value);
///   console.log(info?.title ?? key, meaning?.name ?? value, info?.unit ?? "", info?.description ?? "");
/// }
#[wasm_bindgen(js_name = keyInfo, unchecked_return_type = "KeyInfo | undefined")]
pub fn key_info(key: &TextArgument) -> Result<JsValue, JsValue> {
    let key = arguments::name("key", key)?;
    let row = key.and_then(|key| row_of(key.as_bytes()));
    Ok(row.map_or(JsValue::UNDEFINED, |row| LISTING.with(|listing| object(listing, &row))))
}

fn object(listing: &Listing, row: &Row) -> JsValue {
    listing.row(row.pattern, || to_js(&KeyInfo::new(row)))
}

impl KeyInfo {
    fn new(row: &Row) -> Self {
        Self {
            pattern: row.pattern,
            types: row.types.iter().map(|key_type| key_type.to_string()).collect(),
            title: row.title,
            description: row.description,
            unit: row.unit,
            values: values_of(row.values),
            section: row.section,
            sources: row.sources.iter().map(|source| source.name()).collect(),
            deprecated_for: row.deprecated_for,
            note: row.note,
            required_by: RequiredBy::new(row.pattern),
            is_token_id: row.is_token_id,
            is_per_token: row.is_per_token,
        }
    }
}

fn values_of(values: KeyValues) -> Option<Vec<KeyValue>> {
    let listed = |listed: &NamedValue| KeyValue {
        value: Js(match listed.value {
            EnumValue::Number(number) => number.into(),
            EnumValue::Text(text) => text.into(),
        }),
        name: listed.name,
        description: listed.description,
    };
    match values {
        KeyValues::Any => None,
        KeyValues::Listed(values) => Some(values.iter().map(listed).collect()),
        KeyValues::FileTypes => Some(
            FILE_TYPES
                .iter()
                .map(|info| KeyValue { value: Js(info.id.into()), name: info.name, description: info.description })
                .collect(),
        ),
    }
}

impl RequiredBy {
    /// The architectures that require the key of a pattern. `None` if none is known.
    fn new(pattern: &str) -> Option<Self> {
        let mut required_by = Self { specification: vec![], llama_cpp: vec![], llama_cpp_conditional: vec![] };
        for info in ARCHITECTURES {
            if info.is_specified(pattern) {
                required_by.specification.push(info.name);
            }
            match info.requirements.and_then(|requirements| requirements.key_need(pattern)) {
                Some(KeyNeed::Always) => required_by.llama_cpp.push(info.name),
                Some(KeyNeed::Conditional) => required_by.llama_cpp_conditional.push(info.name),
                None => {}
            }
        }
        let lists = [&required_by.specification, &required_by.llama_cpp, &required_by.llama_cpp_conditional];
        lists.iter().any(|list| !list.is_empty()).then_some(required_by)
    }
}
