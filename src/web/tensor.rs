//! Tensors as JavaScript sees them, and which bytes of the file are theirs.

use alloc::format;
use alloc::string::ToString;
use core::ops::Range;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use super::error::{Code, failure, file_ends};
use super::js::{self, Shape};
use super::options::ReadOptions;
use super::source::POSITION_END;
use super::value;
use crate::ggml_type::{GGML_TYPES, GgmlTypeInfo};
use crate::header::{Header, TensorInfo};

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
    let shape = Shape::new(["id", "name", "blockSize", "typeSize"]);
    let row = |info: &GgmlTypeInfo| {
        shape.object([info.id.into(), info.name.into(), info.block_size.into(), info.type_size.into()])
    };
    GGML_TYPES.iter().map(row).collect()
}

/// The tensors as plain objects.
pub(super) fn list(header: &Header) -> Result<JsArray, JsValue> {
    let shape = Shape::new([
        "index",
        "name",
        "dimensions",
        "type",
        "typeId",
        "elementCount",
        "byteLength",
        "offset",
        "fileOffset",
    ]);
    let object = |tensor: TensorInfo<'_>| {
        let dimensions: JsArray = tensor.dimensions().map(number).collect();
        Ok(shape.object([
            tensor.index().into(),
            value::string(tensor.name())?,
            dimensions.into(),
            JsValue::from_str(&tensor.ggml_type().to_string()),
            tensor.ggml_type().0.into(),
            exact(tensor.element_count()),
            exact(tensor.byte_length()),
            number(tensor.offset()),
            exact(tensor.file_offset()),
        ]))
    };
    header.tensors().map(object).collect()
}

fn number(count: u64) -> JsValue {
    JsValue::from_f64(count as f64)
}

/// A count, if it is one that numbers hold exactly; else `undefined`.
fn exact(count: Option<u64>) -> JsValue {
    count.filter(|count| *count < POSITION_END).map_or(JsValue::UNDEFINED, number)
}

/// The first tensor with a name, also with one that is not UTF-8 and has U+FFFD in its place.
pub(super) fn named<'a>(header: &'a Header, name: &str) -> Option<TensorInfo<'a>> {
    let same = |tensor: &TensorInfo<'_>| format!("{}", tensor.name()) == name;
    header.tensor(name).or_else(|| if value::stands_in(name) { header.tensors().find(same) } else { None })
}

/// The tensor that a caller means: one of the objects that `tensors` has, a copy of it, or a name.
pub(super) fn find<'a>(header: &'a Header, wanted: &TensorOrName) -> Result<TensorInfo<'a>, JsValue> {
    if let Some(name) = wanted.as_string() {
        return named(header, &name).ok_or_else(|| unknown_tensor(&name));
    }
    let Some(wanted) = js::members(wanted) else {
        return Err(failure(Code::InvalidArgument, "a tensor is given by its name or as one of `tensors`"));
    };
    let name = wanted.get("name")?;
    let index = wanted.get("index")?.as_f64().filter(|index| *index >= 0.0 && index.fract() == 0.0);
    match index.and_then(|index| header.tensor_at(index as usize)) {
        Some(tensor) if value::string(tensor.name())? == name => Ok(tensor),
        _ => Err(unknown_tensor(&name.as_string().unwrap_or_default())),
    }
}

fn unknown_tensor(name: &str) -> JsValue {
    failure(Code::UnknownTensor, &format!("the file has no tensor \"{name}\""))
}

/// Where in the file the blocks are that hold the elements `start..end` of a tensor.
pub(super) fn byte_range(
    header: &Header,
    tensor: &TensorInfo<'_>,
    file_size: Option<u64>,
    options: Option<&ReadOptions>,
) -> Result<Range<u64>, JsValue> {
    let wrong = |code: Code, what: &str| failure(code, &format!("\"{}\": {what}", tensor.name()));
    let bound = |name| options.map(|options| options.some(name)).transpose().map(Option::flatten);
    let (start, end) = (bound("start")?, bound("end")?);
    let first = tensor.file_offset().filter(|first| *first < POSITION_END);
    let range = match (first, tensor.ggml_type().info(), tensor.element_count(), tensor.byte_length()) {
        (None, ..) => None,
        (Some(first), Some(info), Some(count), Some(_)) => {
            let (start, end) = (index(start, 0, count), index(end, count, count));
            let Some((start, end)) = start.zip(end).filter(|(start, end)| start <= end) else {
                let what = format!("start and end are to be whole numbers with 0 <= start <= end <= {count}");
                return Err(wrong(Code::OutOfRange, &what));
            };
            let (block_size, type_size) = (u64::from(info.block_size), u64::from(info.type_size));
            let last = if start == end { start / block_size } else { end.div_ceil(block_size) };
            let at = |block: u64| first.checked_add(block.checked_mul(type_size)?);
            at(start / block_size).zip(at(last)).map(|(start, end)| start..end)
        }
        (_, Some(info), count, None) if !info.is_removed() && count.is_none_or(|count| count >= POSITION_END) => None,
        _ if start.is_some() || end.is_some() => {
            let what = "its elements cannot be told apart: the type is unknown, or rows are no whole blocks of it";
            return Err(wrong(Code::UnknownType, what));
        }
        (Some(first), ..) => {
            let next = header.tensors().map(|other| other.offset()).filter(|other| *other > tensor.offset()).min();
            let Some(end) = next.and_then(|next| header.data_offset().checked_add(next)).or(file_size) else {
                return Err(wrong(Code::SizeUnknown, "it ends with the file, whose size is not known"));
            };
            Some(first..file_size.map_or(end, |size| end.min(size))).filter(|range| !range.is_empty())
        }
    };
    let within = |range: &Range<u64>| range.end < POSITION_END && file_size.is_none_or(|size| range.end <= size);
    range.filter(within).ok_or_else(|| {
        let message = format!("the file is truncated: the data of \"{}\" goes beyond its end", tensor.name());
        file_ends(&message, first.unwrap_or_else(|| header.data_offset()))
    })
}

/// An element's number that a caller gives, if it is one.
fn index(value: Option<JsValue>, default: u64, count: u64) -> Option<u64> {
    let Some(value) = value else { return Some(default) };
    let value = value.as_f64().filter(|value| value.fract() == 0.0)?;
    (0.0..=count as f64).contains(&value).then_some(value as u64)
}
