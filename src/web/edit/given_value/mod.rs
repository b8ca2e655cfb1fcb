//! Values that a caller gives, as the types of the format.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use js_sys::{JsString, Reflect, Symbol};
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::format::value::{Array, ValueType};
use crate::format::version::Format;
use crate::know::keys::{KeyType, key_info};
use crate::limits::Limits;
use crate::web::interop::error::{Code, failure, has_code};
use crate::web::interop::js;
use crate::web::reader::array_receiver::ArrayReceiver;
use crate::web::reader::file::File;
use crate::web::reader::value;
use crate::web::source::POSITION_END;
use crate::write::checks::{lossy, nested_too_deeply};
use crate::write::encode::Encoder;
use crate::write::new_value::convert::write_value;
use crate::write::new_value::number::Number;
use crate::write::new_value::{MAX_VALUE_BYTES, NewValue};

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * What a metadata value is given as: a number or a `bigint` for any number, a boolean, a string, or bytes for a
 * `STRING` that is not UTF-8; an array of such, a typed array, or an array of another file, which is copied as it is.
 * It may take 256 MiB in the file, and all that an editor's changes keep 512 MiB.
 */
export type NewValue =
  | number
  | bigint
  | boolean
  | string
  | ArrayBufferView
  | MetadataArray
  | readonly NewValue[];

/** The type that a value is to have: `"UINT32"`, an array of them `"UINT32[]"`, an array of arrays `"UINT32[][]"`. */
export type NewType = ValueTypeName | `${ValueTypeName}[]` | `${ValueTypeName}[][]`;
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "NewValue")]
    pub type GivenValue;
    #[wasm_bindgen(typescript_type = "NewType")]
    pub type GivenType;

    #[wasm_bindgen(catch, js_name = String)]
    fn text_of(value: &JsValue) -> Result<String, JsValue>;

    /// What might be a `MetadataArray`.
    type Copied;
    #[wasm_bindgen(method, catch, js_name = _copyTo)]
    fn copy_to(this: &Copied, receiver: ArrayReceiver) -> Result<(), JsValue>;
}

/// The types of a value, of its elements, of theirs: `[Array, Uint32]`. Those at the end may be left open.
pub(crate) type Types = Vec<ValueType>;

/// The types that a caller names: `"UINT32[]"`.
pub(crate) fn types(given: &JsValue) -> Result<Types, JsValue> {
    let name = given.as_string().unwrap_or_default();
    let element = name.trim_end_matches("[]");
    match ValueType::ALL.iter().find(|value_type| value_type.name() == element) {
        Some(value_type) => {
            let arrays = (name.len() - element.len()) / 2;
            Ok(core::iter::repeat_n(ValueType::Array, arrays).chain([*value_type]).collect())
        }
        None => Err(failure(Code::InvalidArgument, &format!("\"{name}\" is no type of metadata values"))),
    }
}

/// What types are called: `"UINT32[]"`, and `"ARRAY[]"` for an array of arrays.
pub(crate) fn type_name(value_type: ValueType, array: Option<(ValueType, u64)>) -> String {
    let (name, suffix) = array.map_or((value_type, ""), |(element_type, _)| (element_type, "[]"));
    format!("{name}{suffix}")
}

/// The value of a new entry, as the types that are named; if none are, as those that are known of the key, or that suit the
/// value.
pub(crate) fn value_of(key: &[u8], given: &JsValue, mut types: Types) -> Result<NewValue, JsValue> {
    if let Some(known) = key_info(key).map(|info| info.types).filter(|_| types.is_empty()) {
        // A typed array keeps its type if the key allows it.
        let own = typed(given).map_err(|refused| refused.failure(key, 0))?;
        let own = own.filter(|element_type| known.accept(KeyType::Array(*element_type)));
        // Bytes can be a string, too. So an object is an array only if the key allows arrays.
        let array = own.or(known.element_type()).filter(|_| given.is_object() || known.single_type().is_none());
        types.extend(array.map(|_| ValueType::Array));
        types.extend(array.or(known.single_type()));
    }
    new_value(given, types).map_err(|refused| refused.failure(key, 0))
}

/// A value as the types that are named; as those that suit it if none are.
pub(crate) fn new_value(given: &JsValue, mut types: Types) -> Result<NewValue, Refused> {
    if types.is_empty() {
        types = suitable(given)?;
    }
    let mut encoder = NewValue::encoder(types.first().copied().unwrap_or(ValueType::Array));
    write(given, &types, Limits::default().array_depth, &mut encoder)?;
    NewValue::encoded(encoder).ok_or_else(Refused::too_long)
}

/// Why a value, or an element of one, cannot be written.
pub(crate) struct Refused {
    why: Why,
    element: Option<u32>,
}

enum Why {
    /// The type does not have the value; without one, none is known to.
    DoesNotFit(JsValue, Option<ValueType>),
    TooLong,
    /// It is not a value at all: this was thrown in its place.
    Thrown(JsValue),
}

impl Refused {
    fn new(given: &JsValue, value_type: ValueType) -> Self {
        Self { why: Why::DoesNotFit(given.clone(), Some(value_type)), element: None }
    }

    fn too_long() -> Self {
        Self { why: Why::TooLong, element: None }
    }

    fn thrown(error: JsValue) -> Self {
        Self { why: Why::Thrown(error), element: None }
    }

    /// The error, `key` being that of the entry, and `first` the index that the first of the elements is to have.
    #[cold]
    pub fn failure(&self, key: &[u8], first: u64) -> JsValue {
        let (given, value_type) = match &self.why {
            Why::DoesNotFit(given, value_type) => (given, value_type),
            Why::TooLong => {
                let message =
                    format!("\"{}\": a new value takes up to {MAX_VALUE_BYTES} bytes, memory permitting", lossy(key));
                return failure(ErrorCode::LimitExceeded, &message);
            }
            Why::Thrown(error) => return error.clone(),
        };
        let mut text = match given.as_string() {
            Some(text) => format!("\"{text}\""),
            None if given.is_object() => String::from("an object or array"),
            None => text_of(given).unwrap_or_default(),
        };
        if let Some((end, _)) = text.char_indices().nth(60) {
            text.truncate(end);
            text.push('\u{2026}');
        }
        if number(given).zip(*value_type).is_some_and(|(number, value_type)| !is_exact(number, value_type)) {
            text.push_str(", which may have been rounded (a bigint is not),");
        }
        let element = self.element.map_or(String::new(), |index| format!(", element {}", first + u64::from(index)));
        let wanted = value_type.map_or("any type: is one to be given?", ValueType::name);
        let message = format!("\"{}\"{element}: {text} does not fit {wanted}", lossy(key));
        failure(ErrorCode::DoesNotFit, &message)
    }
}

/// The types that suit a value which is given without any: of an array without a type for its elements, if none is known.
fn suitable(given: &JsValue) -> Result<Types, Refused> {
    if given.is_string() {
        return Ok(Types::from([ValueType::String]));
    }
    if given.as_bool().is_some() {
        return Ok(Types::from([ValueType::Bool]));
    }
    if let Some(number) = number(given) {
        return Ok(Types::from([widest(&mut iter::once(number), given.is_bigint())]));
    }
    let mut types = Types::from([ValueType::Array]);
    if let Some(element_type) = typed(given)? {
        types.push(element_type);
    } else if js::is_array(given) {
        let length = length(given, 1)?.unwrap_or(0);
        let first = js::element(given, 0).map_err(Refused::thrown)?;
        // What another element throws is said where it is written.
        let mut numbers = (0..length).map_while(|index| number(&js::element(given, index).ok()?));
        types.extend(match &first {
            first if number(first).is_some() => Some(widest(&mut numbers, first.is_bigint())),
            first if first.is_string() => Some(ValueType::String),
            first if first.as_bool().is_some() => Some(ValueType::Bool),
            first if first.is_object() => Some(ValueType::Array),
            _ => None,
        });
    }
    Ok(types)
}

/// The types of numbers that are given without any: the first that holds them all is theirs.
const NUMBERS: [ValueType; 6] =
    [ValueType::Uint32, ValueType::Int32, ValueType::Uint64, ValueType::Int64, ValueType::Float32, ValueType::Float64];

/// The type that holds numbers: of 32 bits if that will do, a float if one is not whole.
fn widest(numbers: &mut dyn Iterator<Item = Number>, is_wide: bool) -> ValueType {
    let mut candidates = Vec::from(if is_wide { &NUMBERS[2..] } else { &NUMBERS });
    // What is written is thrown away: the question is whether it can be.
    let mut scratch = Encoder::with_capacity(Format::default(), 0);
    for number in numbers {
        candidates.retain(|value_type| {
            let is_rounded = *value_type == ValueType::Float32
                && matches!(number, Number::Float(float) if js::is_whole(float) && f64::from(float as f32) != float);
            !is_rounded && number.write(*value_type, &mut scratch)
        });
    }
    candidates.first().copied().unwrap_or(ValueType::Float64)
}

/// The number that a value is, if it is one that the format can hold.
fn number(given: &JsValue) -> Option<Number> {
    if let Some(float) = given.as_f64() {
        return Some(Number::Float(float));
    }
    if !given.is_bigint() {
        return None;
    }
    let positive = || u64::try_from(given.clone()).ok().map(|magnitude| (false, magnitude));
    let negative = || i64::try_from(given.clone()).ok().map(|value| (true, value.unsigned_abs()));
    positive().or_else(negative).map(|(is_negative, magnitude)| Number::Integer { is_negative, magnitude })
}

/// The element type of a `MetadataArray` or a typed array.
fn typed(given: &JsValue) -> Result<Option<ValueType>, Refused> {
    let stored = copied(given)?.map(|(file, range)| Array::new(&file.storage, range).element_type());
    Ok(stored.or_else(|| typed_array(given)))
}

/// The element type of a typed array, by what it says it is.
fn typed_array(given: &JsValue) -> Option<ValueType> {
    if !js::is_bytes(given) {
        return None;
    }
    let tag = Reflect::get(given, &Symbol::to_string_tag()).ok()?.as_string()?;
    Some(match tag.as_str() {
        "Int8Array" => ValueType::Int8,
        "Uint16Array" => ValueType::Uint16,
        "Int16Array" => ValueType::Int16,
        "Uint32Array" => ValueType::Uint32,
        "Int32Array" => ValueType::Int32,
        "Float32Array" => ValueType::Float32,
        "BigUint64Array" => ValueType::Uint64,
        "BigInt64Array" => ValueType::Int64,
        "Float64Array" => ValueType::Float64,
        _ => ValueType::Uint8,
    })
}

/// A header, and the bytes of an array in it.
type StoredArray = (Rc<File>, Range<u64>);

/// The header and the bytes of a `MetadataArray`; `None` for other values. An array of another module is refused.
fn copied(given: &JsValue) -> Result<Option<StoredArray>, Refused> {
    let is_candidate = js::members(given).is_some_and(|given| matches!(given.function("_copyTo"), Ok(Some(_))));
    if !is_candidate {
        return Ok(None);
    }
    let (receiver, received) = ArrayReceiver::new();
    match given.unchecked_ref::<Copied>().copy_to(receiver) {
        Err(error) if has_code(&error, Code::OtherModule) => Err(Refused::thrown(error)),
        _ => Ok(received.take()),
    }
}

/// Writes a value as the first of `types`, its elements as the next, and theirs up to a depth.
fn write(given: &JsValue, types: &[ValueType], depth: u64, encoder: &mut Encoder) -> Result<(), Refused> {
    let Some((&value_type, inner)) = types.split_first() else { return Ok(()) };
    let is_written = match value_type {
        ValueType::Array if depth > 0 => return write_array(given, inner, depth - 1, encoder),
        ValueType::Array => return Err(Refused::thrown(nested_too_deeply().into())),
        ValueType::String => {
            let units = || given.is_string().then(|| given.unchecked_ref::<JsString>().length().into());
            check_length(js::bytes(given).map(|bytes| bytes.byte_length()).or_else(units).unwrap_or(0.0))?;
            let bytes = text_bytes(given);
            check_length(bytes.as_ref().map_or(0.0, |bytes| bytes.len() as f64))?;
            bytes.is_some_and(|bytes| {
                encoder.string(&bytes);
                true
            })
        }
        ValueType::Bool => given.as_bool().is_some_and(|flag| {
            encoder.u8(flag.into());
            true
        }),
        _ => number(given).is_some_and(|number| is_exact(number, value_type) && number.write(value_type, encoder)),
    };
    if is_written { Ok(()) } else { Err(Refused::new(given, value_type)) }
}

/// An error if bytes, or those of a text, are too many, or more than there is memory for.
fn check_length(length: f64) -> Result<(), Refused> {
    let room = || Vec::<u8>::new().try_reserve_exact(3 * length as usize);
    if length <= MAX_VALUE_BYTES as f64 && room().is_ok() { Ok(()) } else { Err(Refused::too_long()) }
}

/// The number of elements of so many bytes each or more that an array has, if it says so.
fn length(array: &JsValue, element_size: u64) -> Result<Option<u32>, Refused> {
    match js::length(array).map_err(Refused::thrown)? {
        Some(length) if u64::from(length) * element_size > MAX_VALUE_BYTES as u64 => Err(Refused::too_long()),
        length => Ok(length),
    }
}

/// Whether a number that is to be an integer was not rounded before it came here.
fn is_exact(number: Number, value_type: ValueType) -> bool {
    let is_float = matches!(value_type, ValueType::Float32 | ValueType::Float64);
    is_float || !matches!(number, Number::Float(float) if float.abs() >= POSITION_END as f64)
}

/// The bytes of a text, or bytes that are given as such: `None` for others, and for text that has half a surrogate pair.
pub(crate) fn text_bytes(given: &JsValue) -> Option<Vec<u8>> {
    if let Some(bytes) = js::bytes(given) {
        return bytes.to_vec().ok();
    }
    // Half a pair becomes U+FFFD.
    let text = given.as_string()?;
    let is_whole = !value::stands_in(&text) || given.unchecked_ref::<JsString>().is_valid_utf16();
    is_whole.then(|| text.into_bytes())
}

fn write_array(given: &JsValue, inner: &[ValueType], depth: u64, encoder: &mut Encoder) -> Result<(), Refused> {
    let suiting = if inner.is_empty() { suitable(given)? } else { Types::new() };
    let inner = if inner.is_empty() { suiting.get(1..).unwrap_or_default() } else { inner };
    let refused = |value_type| Refused::new(given, value_type);
    let Some(&element_type) = inner.first() else {
        return Err(Refused { why: Why::DoesNotFit(given.clone(), None), element: None });
    };
    if let Some((file, range)) = copied(given)? {
        let array = Array::new(&file.storage, range);
        encoder.array(element_type.id(), array.len());
        if array.element_type() == element_type && inner.len() == 1 {
            encoder.copy_values(&file.storage, element_type, array.len(), array.range().start);
            return Ok(());
        }
        let is_written = array.iter().all(|element| write_value(element, inner, encoder));
        return if is_written { Ok(()) } else { Err(refused(element_type)) };
    }
    let own_type = typed_array(given);
    if own_type == Some(element_type)
        && let Some(bytes) = js::bytes(given)
    {
        check_length(bytes.byte_length())?;
        let bytes = bytes.to_vec().map_err(Refused::thrown)?;
        encoder.array(element_type.id(), bytes.len() as u64 / element_type.size().unwrap_or(1)).bytes(&bytes);
        return Ok(());
    }
    let is_there = if own_type.is_some() { js::bytes(given).is_some() } else { js::is_array(given) };
    if !is_there {
        return Err(refused(ValueType::Array));
    }
    // A buffer has bytes, and no elements of other types.
    let size = element_type.size().unwrap_or(size_of::<u64>() as u64);
    let Some(length) = length(given, size)? else { return Err(refused(element_type)) };
    encoder.array(element_type.id(), length.into());
    for index in 0..length {
        if encoder.is_full() {
            return Err(Refused::too_long());
        }
        let element = js::element(given, index).map_err(Refused::thrown)?;
        write(&element, inner, depth, encoder).map_err(|refused| Refused { element: Some(index), ..refused })?;
    }
    Ok(())
}
