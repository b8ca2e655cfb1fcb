//! `MetadataArray`: an array of the header, decoded on request.

use alloc::format;

use js_sys::{
    Array as JsArray, BigInt64Array, BigUint64Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
    Uint16Array, Uint32Array,
};
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::format::header::Header;
use crate::format::value::{Array, Str, ValueType};
use crate::format::version::Endian;
use crate::web::interop::arguments::{self, NumberArgument};
use crate::web::interop::error::{Code, failure, too_large};
use crate::web::interop::js::Bytes;
use crate::web::reader::array_receiver::ArrayReceiver;
use crate::web::reader::file::File;
use crate::web::reader::shared_file::SharedFile;
use crate::web::reader::value;
use crate::web::source::new_bytes;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** What `MetadataArray.toTypedArray` gives, by element type. */
export type MetadataTypedArray =
  | Uint8Array<ArrayBuffer>
  | Int8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | BigInt64Array<ArrayBuffer>;
"#;

#[wasm_bindgen]
extern "C" {
    /// Any typed array.
    type Numbers;
    #[wasm_bindgen(method, js_name = indexOf)]
    fn index_of(this: &Numbers, value: &JsValue) -> i32;
}

/// The most nested arrays that are made at once: each is an object that the engine keeps an eye on, which
/// takes microseconds.
const MOST_ARRAYS: u64 = 1 << 17;

/// The most elements in one JavaScript array that V8 keeps as a plain one: `FixedArray::kMaxLength`.
const LONGEST_ARRAY: u64 = (1 << 27) - 1;

/// An array of the metadata. Its elements are decoded when they are asked for; it shares the header's
/// memory with the `Gguf` that it came from. After `free()` of that `Gguf`, its methods throw a `GgufError` with the code
/// `freed`.
///
/// @example
/// const tokens = gguf.metadata.get("tokenizer.ggml.tokens");
/// console.log(tokens.length, tokens.at(0), tokens.slice(100, 150));
#[wasm_bindgen]
pub struct MetadataArray {
    file: SharedFile,
    /// Where the value is in the header.
    range: core::ops::Range<u64>,
}

impl MetadataArray {
    pub(crate) fn new(file: SharedFile, array: Array<'_>) -> Self {
        Self { range: array.value_range(), file }
    }

    /// The array's elements, in a header that this array belongs to.
    fn array<'a>(&self, file: &'a File) -> Array<'a> {
        Array::new(&file.storage, self.range.clone())
    }
}

#[wasm_bindgen]
impl MetadataArray {
    /// The type of every element.
    #[wasm_bindgen(getter, js_name = elementType, unchecked_return_type = "ValueTypeName")]
    pub fn element_type(&self) -> Result<JsValue, JsValue> {
        Ok(self.array(&*self.file.get()?).element_type().name().into())
    }

    /// How many elements there are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> Result<f64, JsValue> {
        Ok(self.array(&*self.file.get()?).len() as f64)
    }

    /// The element at `index`; counted from the end if that is negative; `undefined` if there is none.
    ///
    /// @example
    /// const last = array.at(-1);
    #[wasm_bindgen(unchecked_return_type = "MetadataValue | undefined")]
    pub fn at(&self, index: NumberArgument) -> Result<JsValue, JsValue> {
        let file = self.file.get()?;
        let array = self.array(&file);
        match position(arguments::number("index", &index)?, array.len()).and_then(|index| array.get(index)) {
            Some(element) => value::to_js(&self.file, element),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The elements from `start` up to `end`, as `Array.prototype.slice` takes them. A page of 50 strings
    /// takes microseconds, wherever in the array it is.
    ///
    /// @throws {GgufError} `too-large` for more than 2^17 nested arrays or 2^27 - 1 other elements at once.
    ///
    /// @example
    /// const page = array.slice(5000, 5050);
    #[wasm_bindgen(unchecked_return_type = "MetadataValue[]")]
    pub fn slice(&self, start: Option<NumberArgument>, end: Option<NumberArgument>) -> Result<JsArray, JsValue> {
        let file = self.file.get()?;
        let array = self.array(&file);
        let start = arguments::optional_number("start", start.as_ref())?.map_or(0, |start| bound(start, array.len()));
        let end = arguments::optional_number("end", end.as_ref())?;
        let end = end.map_or(array.len(), |end| bound(end, array.len())).max(start);
        let longest = if array.element_type() == ValueType::Array { MOST_ARRAYS } else { LONGEST_ARRAY };
        if end - start > longest {
            let message = format!("{} elements are more than one JavaScript array holds", end - start);
            return Err(too_large(&message));
        }
        let elements = array.iter_from(start).take((end - start) as usize);
        match array.element_type() {
            ValueType::String => value::strings(&file, elements.filter_map(|element| element.as_str())),
            ValueType::Bool | ValueType::Array => {
                elements.map(|element| value::to_js(&self.file, element)).collect::<Result<JsArray, _>>()
            }
            _ => Ok(JsArray::from(&self.typed_array(start, end)?)),
        }
    }

    /// All elements.
    ///
    /// @example
    /// const tokens = gguf.metadata.get("tokenizer.ggml.tokens").toArray();
    #[wasm_bindgen(js_name = toArray, unchecked_return_type = "MetadataValue[]")]
    pub fn to_array(&self) -> Result<JsArray, JsValue> {
        self.slice(None, None)
    }

    /// All elements of a numeric array as the typed array of the element type, and those of a `BOOL`
    /// array as the bytes they are stored as.
    ///
    /// @throws {GgufError} `invalid-argument` if the elements are strings or arrays.
    /// @example
    /// const scores = gguf.metadata.get("tokenizer.ggml.scores").toTypedArray(); // Float32Array
    #[wasm_bindgen(js_name = toTypedArray, unchecked_return_type = "MetadataTypedArray")]
    pub fn to_typed_array(&self) -> Result<JsValue, JsValue> {
        self.typed_array(0, self.array(&*self.file.get()?).len())
    }

    /// The index of the first element that equals `value`, from `from` on; -1 if there is none. Strings
    /// are compared where they are stored, without making JavaScript strings of them.
    ///
    /// @example
    /// const id = gguf.metadata.get("tokenizer.ggml.tokens").indexOf("<|im_end|>");
    #[wasm_bindgen(js_name = indexOf)]
    pub fn index_of(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | bigint | boolean", js_name = "value")] sought: JsValue,
        from: Option<NumberArgument>,
    ) -> Result<f64, JsValue> {
        let file = self.file.get()?;
        let array = self.array(&file);
        let from = arguments::optional_number("from", from.as_ref())?.map_or(0, |from| bound(from, array.len()));
        let elements = || array.iter_from(from);
        let found = match array.element_type() {
            ValueType::String => sought.as_string().and_then(|text| {
                let lossy = value::stands_in(&text);
                let is = |element: Str<'_>| {
                    element == *text || (lossy && value::string(&file, element).as_ref() == Ok(&sought))
                };
                elements().position(|element| element.as_str().is_some_and(is))
            }),
            ValueType::Bool => {
                sought.as_bool().and_then(|sought| elements().position(|element| element.as_bool() == Some(sought)))
            }
            ValueType::Array => None,
            _ => {
                let numbers: Numbers = self.typed_array(from, array.len())?.unchecked_into();
                usize::try_from(numbers.index_of(&sought)).ok()
            }
        };
        Ok(found.map_or(-1.0, |index| from as f64 + index as f64))
    }

    /// The element at `index` exactly as stored: a string's bytes without its length.
    ///
    /// @throws {GgufError} `out-of-range` if there is no such element.
    /// @example
    /// const stored = array.bytes(0);
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn bytes(&self, index: NumberArgument) -> Result<js_sys::Uint8Array, JsValue> {
        let file = self.file.get()?;
        let array = self.array(&file);
        let index = arguments::number("index", &index)?;
        let Some(at) = position(index, array.len()) else {
            let message = format!("an array of {} has no element {}", array.len(), index as i64);
            return Err(failure(ErrorCode::OutOfRange, &message));
        };
        let mut elements = array.iter_from(at);
        let start = elements.offset();
        let text = elements.next().and_then(|element| element.as_str());
        copy(&file, text.map_or(start..elements.offset(), |text| text.range()))
    }

    /// Says which array it is, to an editor that takes it as a value.
    #[wasm_bindgen(js_name = _copyTo, skip_typescript)]
    pub fn copy_value_to(&self, receiver: &ArrayReceiver) -> Result<(), JsValue> {
        receiver.receive(&self.file.get()?, self.range.clone());
        Ok(())
    }

    /// The elements one after another. All are decoded at the first, because one by one would take many times as
    /// long: to look at a few, use `slice`.
    ///
    /// @example
    /// for (const token of gguf.metadata.get("tokenizer.ggml.tokens")) console.log(token);
    #[wasm_bindgen(js_name = "[Symbol.iterator]", unchecked_return_type = "IterableIterator<MetadataValue>")]
    pub fn iterator(&self) -> Result<js_sys::Iterator, JsValue> {
        Ok(self.to_array()?.values())
    }
}

impl MetadataArray {
    fn typed_array(&self, start: u64, end: u64) -> Result<JsValue, JsValue> {
        let file = self.file.get()?;
        let array = self.array(&file);
        let element_type = array.element_type();
        let Some(size) = element_type.size() else {
            return Err(failure(Code::InvalidArgument, "for strings and arrays there is no typed array"));
        };
        let first = array.range().start;
        let bytes = copy(&file, first + start * size..first + end * size)?;
        if file.format().endian == Endian::Big && size > 1 {
            swap(bytes.unchecked_ref(), size as usize)?;
        }
        let buffer = bytes.buffer();
        Ok(match element_type {
            ValueType::Int8 => Int8Array::new(&buffer).into(),
            ValueType::Uint16 => Uint16Array::new(&buffer).into(),
            ValueType::Int16 => Int16Array::new(&buffer).into(),
            ValueType::Uint32 => Uint32Array::new(&buffer).into(),
            ValueType::Int32 => Int32Array::new(&buffer).into(),
            ValueType::Float32 => Float32Array::new(&buffer).into(),
            ValueType::Uint64 => BigUint64Array::new(&buffer).into(),
            ValueType::Int64 => BigInt64Array::new(&buffer).into(),
            ValueType::Float64 => Float64Array::new(&buffer).into(),
            _ => bytes.into(),
        })
    }
}

/// Copies a part of the header into JavaScript's memory.
pub(crate) fn copy(header: &Header, range: core::ops::Range<u64>) -> Result<js_sys::Uint8Array, JsValue> {
    let bytes = new_bytes(range.end - range.start)?;
    copy_to(&bytes, header, range)?;
    Ok(bytes.unchecked_into())
}

/// Copies a part of the header to the beginning of `bytes`.
pub(crate) fn copy_to(bytes: &Bytes, header: &Header, range: core::ops::Range<u64>) -> Result<(), JsValue> {
    let mut at = 0.0;
    for piece in header.bytes().pieces(range) {
        bytes.set_from(piece, at)?;
        at += piece.len() as f64;
    }
    Ok(())
}

/// Turns the bytes of every element round, a part at a time.
fn swap(bytes: &Bytes, size: usize) -> Result<(), JsValue> {
    let mut buffer = [0; 4096];
    let mut start = 0.0;
    while start < bytes.byte_length() {
        let end = bytes.byte_length().min(start + buffer.len() as f64);
        let part = &mut buffer[..(end - start) as usize];
        bytes.subarray(start, end)?.copy_to(part)?;
        part.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        bytes.set_from(part, start)?;
        start = end;
    }
    Ok(())
}

/// An index of `Array.prototype.at`, if there is such an element.
fn position(index: f64, len: u64) -> Option<u64> {
    let index = if index.is_nan() { 0.0 } else { index as i64 as f64 };
    let index = if index < 0.0 { index + len as f64 } else { index };
    (index >= 0.0 && index < len as f64).then_some(index as u64)
}

/// A bound of `Array.prototype.slice`.
fn bound(index: f64, len: u64) -> u64 {
    let index = if index.is_nan() { 0.0 } else { index as i64 as f64 };
    (if index < 0.0 { index + len as f64 } else { index }).clamp(0.0, len as f64) as u64
}
