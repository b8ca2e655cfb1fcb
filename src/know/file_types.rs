//! `fileTypes`: the values of `general.file_type`.

use wasm_bindgen::prelude::*;

use crate::interop::{JsArray, declare_types};
use crate::know::listing::Listing;
use gguf_models::file_types::{FILE_TYPES, FileTypeInfo, ModelFileType};

declare_types!(FileTypeInfo, ModelFileType);

std::thread_local! {
    static LISTING: Listing = Listing::default();
}

/// Lists the values that `general.file_type` can have, in the order of their numbers, with those that llama.cpp has removed.
/// The list is made once, and is frozen.
///
/// @example
/// const fileType = gguf.metadata.get("general.file_type");
/// console.log(fileTypes().find(({ id }) => id === fileType)?.name ?? "unknown");
#[wasm_bindgen(js_name = fileTypes, unchecked_return_type = "readonly FileTypeInfo[]")]
pub fn file_types() -> JsArray {
    LISTING.with(|listing| listing.rows(FILE_TYPES.iter().copied(), |row| row.name))
}
