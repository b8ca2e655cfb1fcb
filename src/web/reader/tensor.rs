//! Tensors as JavaScript sees them.

use alloc::format;
use alloc::string::ToString;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::format::ggml_type::{GGML_TYPES, GgmlTypeInfo};
use crate::format::header::{Header, TensorInfo};
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{self, Shape};
use crate::web::reader::file::File;
use crate::web::reader::value;
use crate::web::source::POSITION_END;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** What the header says of one tensor. */
export interface TensorInfo {
  /** The position in the file's list. */
  readonly index: number;
  /** The name, with U+FFFD where the stored bytes are not UTF-8. */
  readonly name: string;
  /** Extents in elements, fastest first, as in the file and in ggml. Broken files can say more than 2^53: then rounded. */
  readonly dimensions: readonly number[];
  /** ggml's name of the type: `"Q4_K"`; `"unknown(137)"` if there is none. */
  readonly type: string;
  /** The number of the type. */
  readonly typeId: number;
  /** How many elements there are; `undefined` from 2^53 on. */
  readonly elementCount?: number;
  /** Bytes of data; `undefined` from 2^53 on, if the type is unknown, or if rows are not whole blocks. */
  readonly byteLength?: number;
  /** Where the data begins, in bytes from `dataOffset`. Broken files can say more than 2^53: then rounded. */
  readonly offset: number;
  /** Where the data begins, in bytes from the start of the file; `undefined` from 2^53 on. */
  readonly fileOffset?: number;
}

/** A type of tensors: a row of ggml's table. */
export interface GgmlTypeInfo {
  /** The number that stands for the type in files. */
  readonly id: number;
  /** The enumerator of `ggml_type` without its prefix. */
  readonly name: string;
  /** Elements in a block; 0 if ggml has removed the type. */
  readonly blockSize: number;
  /** Bytes in a block; 0 if ggml has removed the type. */
  readonly typeSize: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "TensorInfo | string")]
    pub type TensorOrName;
}

/// Describes the types that tensors can have, by id, those that ggml has removed included.
///
/// @example
/// const sizes = new Map(ggmlTypes().map((type) => [type.name, type.typeSize / type.blockSize]));
#[wasm_bindgen(js_name = ggmlTypes, unchecked_return_type = "GgmlTypeInfo[]")]
pub fn ggml_types() -> JsArray {
    let shape = Shape::new(&["id", "name", "blockSize", "typeSize"]);
    let row = |info: &GgmlTypeInfo| {
        shape.object(&[info.id.into(), info.name.into(), info.block_size.into(), info.type_size.into()])
    };
    GGML_TYPES.iter().map(row).collect()
}

/// The tensors as plain objects, each with the position `origin` that it has elsewhere, if there is one.
pub(crate) fn list(file: &File, origin: &mut dyn FnMut(usize) -> Option<usize>) -> Result<JsArray, JsValue> {
    let shape = Shape::new(&[
        "index",
        "name",
        "dimensions",
        "type",
        "typeId",
        "elementCount",
        "byteLength",
        "offset",
        "fileOffset",
        "origin",
    ]);
    let mut object = |tensor: TensorInfo<'_>| {
        let dimensions: JsArray = tensor.dimensions().map(number).collect();
        Ok(shape.object(&[
            tensor.index().into(),
            value::string(file, tensor.name())?,
            dimensions.into(),
            JsValue::from_str(&tensor.ggml_type().to_string()),
            tensor.ggml_type().0.into(),
            exact(tensor.element_count()),
            exact(tensor.byte_length()),
            number(tensor.offset()),
            exact(tensor.file_offset()),
            origin(tensor.index()).map_or(JsValue::UNDEFINED, JsValue::from),
        ]))
    };
    file.tensors().map(&mut object).collect()
}

fn number(count: u64) -> JsValue {
    JsValue::from_f64(count as f64)
}

/// A count, if it is one that numbers hold exactly; else `undefined`.
fn exact(count: Option<u64>) -> JsValue {
    count.filter(|count| *count < POSITION_END).map_or(JsValue::UNDEFINED, number)
}

/// The first tensor with a name, also with one that is not UTF-8 and has U+FFFD in its place.
pub(crate) fn named<'a>(header: &'a Header, name: &str) -> Option<TensorInfo<'a>> {
    let same = |tensor: &TensorInfo<'_>| format!("{}", tensor.name()) == name;
    header.tensor(name).or_else(|| if value::stands_in(name) { header.tensors().find(same) } else { None })
}

/// The tensor that a caller means: one of the objects that `tensors` has, a copy of it, or a name.
pub(crate) fn find<'a>(file: &'a File, wanted: &TensorOrName) -> Result<TensorInfo<'a>, JsValue> {
    if let Some(name) = wanted.as_string() {
        return named(file, &name).ok_or_else(|| unknown_tensor(&name));
    }
    let Some(wanted) = js::members(wanted) else {
        return Err(failure(Code::InvalidArgument, "a tensor is given by its name or as one of `tensors`"));
    };
    let name = wanted.get("name")?;
    let index = wanted.get("index")?.as_f64().filter(|index| *index >= 0.0 && js::is_whole(*index));
    match index.and_then(|index| file.tensor_at(index as usize)) {
        Some(tensor) if value::string(file, tensor.name())? == name => Ok(tensor),
        _ => Err(unknown_tensor(&name.as_string().unwrap_or_default())),
    }
}

fn unknown_tensor(name: &str) -> JsValue {
    failure(ErrorCode::UnknownTensor, &format!("the file has no tensor \"{name}\""))
}
