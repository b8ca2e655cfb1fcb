//! Metadata values as JavaScript has them, and `MetadataArray`: an array that is decoded on request.

use core::ops::Range;

use js_sys::{Array as JsArray, BigInt, Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{NumberArgument, TextDecoder, arguments, declare_string_union, describe, failure, may_be_lossy};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::shared_header::SharedHeader;
use crate::reader::text;
use gguf_format::format::value::{Array, Str, Value, ValueType};
use gguf_format::format::version::Endian;

declare_string_union!("The types of metadata values.", "ValueTypeName", ValueType::NAMES);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * A metadata value: a number for integers of up to 32 bits and for floats, a `bigint` for `UINT64` and
 * `INT64` always, a boolean, a string (with U+FFFD in place of bytes that are not UTF-8), or an array.
 */
export type MetadataValue = number | bigint | boolean | string | MetadataArray;

/** The result of `MetadataArray.toTypedArray`, by element type. */
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

export interface MetadataArray {
  /**
   * The results of a function of your own that is called with each element and its index.
   *
   * @throws {GgufError} `invalid-argument` if `f` is not a function. An error that the function throws is passed on.
   * @example
   * const lengths = gguf.getArray("tokenizer.ggml.tokens")?.map((token) => String(token).length);
   */
  map<T>(f: (element: MetadataValue, index: number) => T): T[];
}
"#;

#[wasm_bindgen]
extern "C" {
    /// Any typed array.
    type Numbers;
    #[wasm_bindgen(method, js_name = indexOf)]
    fn index_of(this: &Numbers, value: &JsValue) -> i32;
    #[wasm_bindgen(method)]
    fn includes(this: &Numbers, value: &JsValue) -> bool;
    /// The results of a function that is called with each element of an iterable object and its index.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn array_from(iterable: &JsValue, f: &Function) -> Result<JsArray, Thrown>;
}

#[wasm_bindgen(raw_module = "glue/classes.js")]
extern "C" {
    /// The typed array of stored numbers of a type, for example of `INT16`. Bytes of a big-endian file are swapped.
    #[wasm_bindgen(catch, js_name = numbersOf)]
    fn numbers_of(type_name: &str, bytes: &Uint8Array, is_swapped: bool) -> Result<JsValue, Thrown>;
    /// An iterator over the elements of a `MetadataArray`.
    #[wasm_bindgen(js_name = elementsOf)]
    fn elements_of(array: JsValue) -> JsValue;
}

/// The most nested arrays in one result. Each is an object that the garbage collector tracks, which takes microseconds.
const MOST_NESTED_ARRAYS: u64 = 1 << 17;

/// The most elements of a JavaScript array that V8 stores without gaps: `FixedArray::kMaxLength`.
pub(crate) const MOST_ELEMENTS: u64 = (1 << 27) - 1;

/// A metadata value as JavaScript has it. `header` is the header that the value is of.
pub(crate) fn to_js(header: &SharedHeader, value: Value<'_>) -> Result<JsValue, Thrown> {
    match value {
        Value::Array(value) => Ok(MetadataArray::new(header.clone(), value).into()),
        value => scalar_to_js(&header.get()?.decoder, value),
    }
}

/// A metadata value as JavaScript has it; `undefined` for an array.
pub(crate) fn scalar_to_js(decoder: &TextDecoder, value: Value<'_>) -> Result<JsValue, Thrown> {
    Ok(match value {
        Value::Float32(value) => value.into(),
        Value::Bool(value) => value.into(),
        Value::Uint64(value) => BigInt::from(value).into(),
        Value::Int64(value) => BigInt::from(value).into(),
        Value::Float64(value) => value.into(),
        Value::String(value) => text::string(decoder, value)?.into(),
        small => small.as_i64().map_or(JsValue::UNDEFINED, |integer| (integer as f64).into()),
    })
}

/// An array of the metadata. Its elements are decoded on request. It shares the memory of the header with the `Gguf` that it
/// came from: after `free()` of that `Gguf`, its methods throw a `GgufError` with the code `freed`.
///
/// @example
/// const tokens = gguf.getArray("tokenizer.ggml.tokens");
/// if (tokens) console.log(tokens.length, tokens.at(0), tokens.slice(100, 150));
#[wasm_bindgen]
#[derive(Clone)]
pub struct MetadataArray {
    pub(super) header: SharedHeader,
    /// The bytes of the value in the header.
    pub(super) range: Range<u64>,
}

impl MetadataArray {
    fn new(header: SharedHeader, array: Array<'_>) -> Self {
        Self { range: array.value_range(), header }
    }

    /// The stored array, in the header that it is of.
    fn array<'a>(&self, header: &'a DecodedHeader) -> Array<'a> {
        Array::new(&header.storage, self.range.clone())
    }
}

#[wasm_bindgen]
impl MetadataArray {
    /// The type of every element.
    #[wasm_bindgen(getter, js_name = elementType, unchecked_return_type = "ValueTypeName")]
    pub fn element_type(&self) -> Result<JsValue, Thrown> {
        Ok(self.array(&*self.header.get()?).element_type().name().into())
    }

    /// The number of elements.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> Result<f64, Thrown> {
        Ok(self.array(&*self.header.get()?).len() as f64)
    }

    /// The element at `index`, or `undefined` if there is none. A negative index counts from the end.
    ///
    /// @example
    /// const last = array.at(-1);
    #[wasm_bindgen(unchecked_return_type = "MetadataValue | undefined")]
    pub fn at(&self, index: NumberArgument) -> Result<JsValue, Thrown> {
        let header = self.header.get()?;
        let array = self.array(&header);
        match position(arguments::number("index", &index)?, array.len()).and_then(|index| array.get(index)) {
            Some(element) => to_js(&self.header, element),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The elements from `start` to before `end`, which mean the same as for `Array.prototype.slice`. A page of 50 strings
    /// takes microseconds at any position.
    ///
    /// @throws {GgufError} `too-large` for more than 2^17 nested arrays or 2^27 - 1 other elements.
    ///
    /// @example
    /// const page = array.slice(5000, 5050);
    #[wasm_bindgen(unchecked_return_type = "MetadataValue[]")]
    pub fn slice(&self, start: Option<NumberArgument>, end: Option<NumberArgument>) -> Result<JsArray, Thrown> {
        let header = self.header.get()?;
        let array = self.array(&header);
        let start = arguments::optional_number("start", start.as_ref())?.map_or(0, |start| bound(start, array.len()));
        let end = arguments::optional_number("end", end.as_ref())?;
        let end = end.map_or(array.len(), |end| bound(end, array.len())).max(start);
        let most = if array.element_type() == ValueType::Array { MOST_NESTED_ARRAYS } else { MOST_ELEMENTS };
        if end - start > most {
            return Err(failure!(TooLarge:
                "{} elements do not fit into one JavaScript array, which holds up to {most}: read them in several \
                 slices", end - start));
        }
        let elements = array.iter_from(start).take((end - start) as usize);
        match array.element_type() {
            ValueType::String => text::strings(&header.decoder, elements.filter_map(|element| element.as_str())),
            ValueType::Bool | ValueType::Array => {
                elements.map(|element| to_js(&self.header, element)).collect::<Result<JsArray, _>>()
            }
            _ => Ok(JsArray::from(&self.typed_array(start, end)?)),
        }
    }

    /// All elements.
    ///
    /// @example
    /// const tokens = gguf.getArray("tokenizer.ggml.tokens")?.toArray();
    #[wasm_bindgen(js_name = toArray, unchecked_return_type = "MetadataValue[]")]
    pub fn to_array(&self) -> Result<JsArray, Thrown> {
        self.slice(None, None)
    }

    /// All elements of a numeric array as the typed array of the element type. The elements of a `BOOL` array are given as
    /// the stored bytes.
    ///
    /// @throws {GgufError} `invalid-argument` if the elements are strings or arrays.
    /// @example
    /// const scores = gguf.getArray("tokenizer.ggml.scores")?.toTypedArray(); // Float32Array
    #[wasm_bindgen(js_name = toTypedArray, unchecked_return_type = "MetadataTypedArray")]
    pub fn to_typed_array(&self) -> Result<JsValue, Thrown> {
        self.typed_array(0, self.array(&*self.header.get()?).len())
    }

    /// The index of the first element that equals `value`, from the index `from` on; -1 if there is none. Stored strings are
    /// compared without decoding them.
    ///
    /// @example
    /// const id = gguf.getArray("tokenizer.ggml.tokens")?.indexOf("<|im_end|>");
    #[wasm_bindgen(js_name = indexOf)]
    pub fn index_of(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | bigint | boolean", js_name = "value")] sought: JsValue,
        from: Option<NumberArgument>,
    ) -> Result<f64, Thrown> {
        Ok(self.position_of(&sought, from.as_ref(), false)?.map_or(-1.0, |index| index as f64))
    }

    /// The bytes of the element at `index` as stored. The bytes of a string do not include its length.
    ///
    /// @throws {GgufError} `out-of-range` if there is no such element.
    /// @example
    /// const stored = array.bytes(0);
    #[wasm_bindgen(unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn bytes(&self, index: NumberArgument) -> Result<Uint8Array, Thrown> {
        let header = self.header.get()?;
        let array = self.array(&header);
        let Some(element) = position(arguments::number("index", &index)?, array.len()) else {
            return Err(failure!(OutOfRange:
                "the array has no element {}: its length is {}", describe(&index), array.len()));
        };
        let mut elements = array.iter_from(element);
        let start = elements.offset();
        let text = elements.next().and_then(|element| element.as_str());
        header.copy_bytes(text.map_or(start..elements.offset(), |text| text.range()))
    }

    /// Whether an element equals `value`, from the index `from` on. NaN equals NaN.
    ///
    /// @example
    /// const isKnown = gguf.getArray("tokenizer.ggml.tokens")?.includes("<|im_end|>");
    pub fn includes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string | number | bigint | boolean", js_name = "value")] sought: JsValue,
        from: Option<NumberArgument>,
    ) -> Result<bool, Thrown> {
        Ok(self.position_of(&sought, from.as_ref(), true)?.is_some())
    }

    /// The results of a function that is called with each element and its index.
    #[wasm_bindgen(skip_typescript)]
    pub fn map(&self, f: JsValue) -> Result<JsArray, Thrown> {
        let Some(f) = f.dyn_ref::<Function>() else {
            return Err(failure!(InvalidArgument: "the argument f is {}, expected a function", describe(&f)));
        };
        array_from(&elements_of(self.clone().into()), f)
    }

    /// Iterates over the elements. They are decoded page by page. To read a few elements, use `slice`.
    ///
    /// @example
    /// for (const token of gguf.getArray("tokenizer.ggml.tokens") ?? []) console.log(token);
    #[wasm_bindgen(js_name = "[Symbol.iterator]", unchecked_return_type = "IterableIterator<MetadataValue>")]
    pub fn iterator(&self) -> JsValue {
        elements_of(self.clone().into())
    }
}

impl MetadataArray {
    /// The index of the first element that equals `sought`, from an index on. With `finds_nan`, NaN equals NaN: the index of one
    /// is any that is not before `from`.
    fn position_of(
        &self,
        sought: &JsValue,
        from: Option<&NumberArgument>,
        finds_nan: bool,
    ) -> Result<Option<u64>, Thrown> {
        let header = self.header.get()?;
        let array = self.array(&header);
        let from = arguments::optional_number("from", from)?.map_or(0, |from| bound(from, array.len()));
        let elements = || array.iter_from(from);
        let found = match array.element_type() {
            ValueType::String => sought.as_string().and_then(|text| {
                let may_be_lossy = may_be_lossy(&text);
                let is_equal = |element: Str<'_>| {
                    element == *text || (may_be_lossy && text::is_shown_as(&header.decoder, element, sought))
                };
                elements().position(|element| element.as_str().is_some_and(is_equal))
            }),
            ValueType::Bool => {
                sought.as_bool().and_then(|sought| elements().position(|element| element.as_bool() == Some(sought)))
            }
            ValueType::Array => None,
            _ => {
                let numbers: Numbers = self.typed_array(from, array.len())?.unchecked_into();
                match finds_nan && sought.as_f64().is_some_and(f64::is_nan) {
                    true => numbers.includes(sought).then_some(0),
                    false => usize::try_from(numbers.index_of(sought)).ok(),
                }
            }
        };
        Ok(found.map(|index| from + index as u64))
    }

    fn typed_array(&self, start: u64, end: u64) -> Result<JsValue, Thrown> {
        let header = self.header.get()?;
        let array = self.array(&header);
        let element_type = array.element_type();
        let Some(size) = element_type.size() else {
            return Err(failure!(InvalidArgument:
                "the elements are of type {}, which has no typed array: use toArray() or slice()", element_type.name()));
        };
        let first = array.range().start;
        let bytes = header.copy_bytes(first + start * size..first + end * size)?;
        numbers_of(element_type.name(), &bytes, header.format().endian == Endian::Big)
    }
}

/// The element that an index means to `Array.prototype.at`; `None` if there is none.
fn position(index: f64, len: u64) -> Option<u64> {
    let index = if index.is_nan() { 0.0 } else { index as i64 as f64 };
    let index = if index < 0.0 { index + len as f64 } else { index };
    (index >= 0.0 && index < len as f64).then_some(index as u64)
}

/// The position that a bound means to `Array.prototype.slice`.
fn bound(index: f64, len: u64) -> u64 {
    let index = if index.is_nan() { 0.0 } else { index as i64 as f64 };
    (if index < 0.0 { index + len as f64 } else { index }).clamp(0.0, len as f64) as u64
}
