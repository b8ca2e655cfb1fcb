//! `architectures` and `architectureInfo`: the model architectures, and the keys that a model of each needs.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, TextArgument, arguments, declare_types};
use crate::know::listing::Listing;
use gguf_models::architectures::{ARCHITECTURES, ArchitectureInfo, TensorGroup, architecture_info as row_of};

declare_types!(ArchitectureInfo, TensorGroup);

std::thread_local! {
    static LISTING: Listing = Listing::default();
}

/// Lists the model architectures that llama.cpp, the Python package gguf or the GGUF specification name, sorted by name. The
/// list is made once, and is frozen.
///
/// @example
/// const known = new Set(architectures().map(({ name }) => name));
#[wasm_bindgen(unchecked_return_type = "readonly ArchitectureInfo[]")]
pub fn architectures() -> JsArray {
    LISTING.with(|listing| listing.rows(ARCHITECTURES.iter().copied(), |row| row.name))
}

/// Explains a model architecture. The result is `undefined` if the architecture is not known, else one of the objects of
/// `architectures()`.
///
/// @param name - A value of `general.architecture`.
/// @throws {GgufError} `invalid-argument` if the name is not a string.
/// @example
/// const info = architectureInfo("llama");
/// const missing = info?.llamaCppKeys?.filter((key) => !gguf.metadata.has(key));
#[wasm_bindgen(js_name = architectureInfo, unchecked_return_type = "ArchitectureInfo | undefined")]
pub fn architecture_info(name: &TextArgument) -> Result<JsValue, Thrown> {
    let name = arguments::name("name", name)?;
    let row = name.and_then(|name| row_of(name.as_bytes()));
    Ok(row.map_or(JsValue::UNDEFINED, |row| LISTING.with(|listing| listing.row(row.name, row))))
}
