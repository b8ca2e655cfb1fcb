//! `fileKinds`, and what a file is.

use wasm_bindgen::prelude::*;

use crate::interop::{JsArray, declare_types};
use crate::know::listing::Listing;
use gguf_models::file_kinds::{FILE_KINDS, FileKind, FileKindInfo};
use gguf_models::image::ModelPart;
use gguf_models::kind::{Classification, Modality, Shard};

declare_types!(FileKind, Modality, FileKindInfo, Classification, Shard, ModelPart);

std::thread_local! {
    static LISTING: Listing = Listing::default();
}

/// Lists the kinds of files. The list is made once, and is frozen.
///
/// @example
/// const titles = new Map(fileKinds().map(({ name, title }) => [name, title]));
/// console.log(titles.get(gguf.kind)); // "Model"
#[wasm_bindgen(js_name = fileKinds, unchecked_return_type = "readonly FileKindInfo[]")]
pub fn file_kinds() -> JsArray {
    LISTING.with(|listing| listing.rows(FILE_KINDS.iter().copied(), |row| row.name))
}
