//! The tensors of a header as JavaScript objects, and how callers name a tensor.

use alloc::string::{String, ToString};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    Js, JsArray, JsString, TextDecoder, argument_type, as_object, declare_types, describe, exact, failure, frozen,
    frozen_numbers, is_integer, may_be_lossy, plain_object, to_js, to_open_js,
};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::text;
use gguf_format::format::ggml_type::{GGML_TYPES, GgmlType, GgmlTypeInfo};
use gguf_format::format::header::{Header, TensorInfo as StoredTensor};

plain_object! {
    /// The header's description of one tensor.
    pub(crate) struct TensorInfo {
        /// The position in the file's list of tensors.
        pub index: u32,
        /// The name, with U+FFFD in place of bytes that are not UTF-8.
        pub name: Js<JsString>,
        /// Extents in elements, fastest first, as in the file and in ggml. Broken files can have extents beyond 2^53, which are rounded.
        #[typescript("readonly number[]")]
        pub dimensions: Js<JsArray>,
        /// The name of the type: `"Q4_K"`; `"unknown(137)"` if nothing is known of it.
        pub r#type: String,
        /// The number of the type.
        pub type_id: u32,
        /// The program whose type it is, if it is not a type of ggml: `"ik_llama.cpp"`. Several programs use the same numbers, so the
        /// places of the tensors decide.
        pub type_owner: Option<String>,
        /// The number of elements; `undefined` from 2^53 on.
        pub element_count: Option<f64>,
        /// Bytes of data; `undefined` from 2^53 on, if the type is unknown, or if rows are not whole blocks.
        pub byte_length: Option<f64>,
        /// Where the data begins, in bytes from `dataOffset`. Broken files can have offsets beyond 2^53, which are rounded.
        pub offset: f64,
        /// Where the data begins, in bytes from the start of the file; `undefined` from 2^53 on.
        pub file_offset: Option<f64>,
    }
}

declare_types!(GgmlTypeInfo);

argument_type!(TensorOrName: "TensorInfo | string");

/// Describes the types of tensors in the order of their ids, including those that ggml has removed.
///
/// @example
/// const sizes = new Map(ggmlTypes().map((type) => [type.name, type.typeSize / type.blockSize]));
#[wasm_bindgen(js_name = ggmlTypes, unchecked_return_type = "GgmlTypeInfo[]")]
pub fn ggml_types() -> JsArray {
    GGML_TYPES.iter().map(to_js).collect()
}

impl TensorInfo {
    pub(crate) fn new(decoder: &TextDecoder, tensor: &StoredTensor<'_>) -> Result<Self, Thrown> {
        Ok(Self {
            index: tensor.index() as u32,
            name: Js(text::string(decoder, tensor.name())?),
            dimensions: frozen_numbers(tensor.dimension_iter().map(|extent| extent as f64)),
            r#type: tensor.type_name().into_owned(),
            type_id: tensor.ggml_type().0,
            type_owner: tensor.type_info().and_then(|info| info.owner).map(Into::into),
            element_count: tensor.element_count().and_then(exact),
            byte_length: tensor.byte_length().and_then(exact),
            offset: tensor.offset() as f64,
            file_offset: tensor.file_offset().and_then(exact),
        })
    }
}

/// The frozen objects of the tensors from the position `start` on.
pub(crate) fn list(header: &Header, decoder: &TextDecoder, start: usize) -> Result<JsArray, Thrown> {
    let list = JsArray::new();
    for tensor in (start..).map_while(|index| header.tensor_at(index)) {
        list.push(&frozen(to_open_js(&TensorInfo::new(decoder, &tensor)?)));
    }
    Ok(list)
}

/// The first tensor with a name. A name with U+FFFD also finds a stored name that is not UTF-8.
pub(crate) fn find_by_name<'a>(header: &'a DecodedHeader, name: &str) -> Option<StoredTensor<'a>> {
    let find_lossy = || header.tensors().find(|tensor| text::is_shown_as(&header.decoder, tensor.name(), &name.into()));
    header.tensor(name).or_else(|| if may_be_lossy(name) { find_lossy() } else { None })
}

/// The tensor that a caller gives: one of the objects of `tensors`, a copy of one, or a name.
pub(crate) fn find<'a>(header: &'a DecodedHeader, given: &TensorOrName) -> Result<StoredTensor<'a>, Thrown> {
    if let Some(name) = given.as_string() {
        return find_by_name(header, &name).ok_or_else(|| unknown_tensor(&name));
    }
    let Some(given) = as_object(given) else {
        return Err(failure!(InvalidArgument:
            "the tensor is given as {}, expected its name or an object of `tensors`", describe(given)));
    };
    let name = given.get("name")?;
    let index = given.get("index")?.as_f64().filter(|index| *index >= 0.0 && is_integer(*index));
    match index.and_then(|index| header.tensor_at(index as usize)) {
        Some(tensor) if text::is_shown_as(&header.decoder, tensor.name(), &name) => Ok(tensor),
        _ => Err(unknown_tensor(&name.as_string().unwrap_or_default())),
    }
}

fn unknown_tensor(name: &str) -> Thrown {
    failure!(UnknownTensor: "the file has no tensor \"{name}\". `tensors` lists the tensors of the file")
}

/// The type with a name or a number, unless ggml has removed it.
pub(crate) fn type_by_name_or_id(given: &JsValue) -> Result<&'static GgmlTypeInfo, Thrown> {
    let info = match (given.as_string(), given.as_f64()) {
        (Some(name), _) => GGML_TYPES.iter().find(|info| info.name == name),
        (None, Some(id)) if id >= 0.0 && is_integer(id) => GgmlType(id as u32).info(),
        _ => None,
    };
    info.filter(|info| !info.is_removed()).ok_or_else(
        || failure!(UnknownType: "{} is not a type of tensors. ggmlTypes() lists the types", describe(given)),
    )
}
