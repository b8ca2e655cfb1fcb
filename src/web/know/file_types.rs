//! `fileTypes`: the values of `general.file_type`.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::format::header::Header;
use crate::know::file_types::{
    FILE_TYPES, FileTypeInfo as Row, declared_file_type, file_type, file_type_info, file_types_of_tensors,
    main_tensor_type,
};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::know::listing::Listing;

plain_object! {
    /// A file type: a value of the key `general.file_type`. It says which quantisation most tensors of a file have.
    readonly struct FileTypeInfo {
        /// The number in files. llama.cpp adds 1024 if it guessed the type from the tensors. The ids of tensor types are other
        /// numbers.
        id: u32,
        /// The name in llama.cpp's `llama_ftype`, without `MOSTLY_` or `ALL_`: `"Q4_K_M"`.
        name: &'static str,
        /// The type that most tensors of such a file have, as in `ggmlTypes()`: `"Q4_K"`.
        tensor_type: &'static str,
        /// Whether llama.cpp no longer reads files of this type.
        is_removed: bool,
        /// Which tensors have which type, in one sentence.
        description: &'static str,
    }
}

plain_object! {
    /// The file type of a model.
    readonly struct ModelFileType {
        /// The name: that of `general.file_type`, or, if the file does not declare a known type, the one of `tensors` that
        /// llama.cpp guesses, or else the first. Not present if there is none.
        name?: &'static str,
        /// The name of the type that `general.file_type` declares: `"Q4_K_M"`; `"unknown(137)"` if the number has no name. Not
        /// present if the file declares no type.
        declared?: Cow<'static, str> as "string",
        /// The names of the types whose files have such tensors, if `llama-quantize` or a converter made them. Empty if the types
        /// of the tensors were chosen by hand. For a shard, only its own tensors count.
        tensors: Vec<&'static str>,
        /// The tensor type that most bytes of the matrices have, as in `ggmlTypes()`: `"IQ1_S"`. Embeddings and the output count
        /// only if there are no other matrices. Not present if there are no matrices whose size is known.
        main_tensor_type?: &'static str,
    }
}

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
    LISTING.with(|listing| listing.rows(|| FILE_TYPES.iter().map(|row| object(listing, row)).collect()))
}

/// The file type of a model, as a frozen object of the type `ModelFileType`.
pub(crate) fn of_model(header: &Header) -> JsValue {
    let name = |value| match file_type_info(value) {
        Some(info) => info.name.into(),
        None => format!("unknown({value})").into(),
    };
    to_js(&ModelFileType {
        name: file_type(header).map(|info| info.name),
        declared: declared_file_type(header).map(name),
        tensors: file_types_of_tensors(header).map(|info| info.name).collect(),
        main_tensor_type: main_tensor_type(header).and_then(|main| main.info()).map(|info| info.name),
    })
}

fn object(listing: &Listing, row: &Row) -> JsValue {
    listing.row(row.name, || {
        to_js(&FileTypeInfo {
            id: row.id,
            name: row.name,
            tensor_type: row.tensor_type.info().map_or("", |tensor_type| tensor_type.name),
            is_removed: row.is_removed,
            description: row.description,
        })
    })
}
