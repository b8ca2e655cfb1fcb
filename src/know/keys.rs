//! `keys` and `keyInfo`: the meaning of metadata keys.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, TextArgument, arguments, declare_types};
use crate::know::listing::Listing;
use gguf_models::keys::{KeyInfo, KeySource, KeyValue, RequiredBy, key_info as row_of, keys as rows};

declare_types!(KeySource, KeyInfo, KeyValue, RequiredBy);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** The type of a metadata value: `"UINT32"`; of an array, the type of its elements: `"UINT32[]"`. */
export type KeyType = Exclude<ValueTypeName, "ARRAY"> | `${Exclude<ValueTypeName, "ARRAY">}[]`;
"#;

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
    LISTING.with(|listing| listing.rows(rows(), |row| row.pattern))
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
pub fn key_info(key: &TextArgument) -> Result<JsValue, Thrown> {
    let key = arguments::name("key", key)?;
    let row = key.and_then(|key| row_of(key.as_bytes()));
    Ok(row.map_or(JsValue::UNDEFINED, |row| LISTING.with(|listing| listing.row(row.pattern, &row))))
}
