//! The encoding of given values.

use wasm_bindgen::prelude::*;

use super::infer::infer_types;
use super::length::{array_length, check_length};
use super::number::{is_exact, number_of};
use super::refusal::Refusal;
use super::text::text_bytes;
use super::typed::{stored_array, typed_array_type};
use super::types::Types;
use crate::interop::{Bytes, JsString, objects};
use crate::reader::array_receiver::StoredArray;
use gguf_format::format::value::{Array, ValueType};
use gguf_format::write::checks::nested_too_deeply;
use gguf_format::write::encode::Encoder;
use gguf_format::write::new_value::convert::write_value;

/// Encodes a value as the first of `types`, its elements as the second, and so on. Arrays can be nested `depth` levels deep.
pub(super) fn encode(given: &JsValue, types: &[ValueType], depth: u64, encoder: &mut Encoder) -> Result<(), Refusal> {
    let Some((&value_type, inner)) = types.split_first() else { return Ok(()) };
    let is_encoded = match value_type {
        ValueType::Array if depth > 0 => return encode_array(given, inner, depth - 1, encoder),
        ValueType::Array => return Err(Refusal::thrown(nested_too_deeply().into())),
        ValueType::String => return encode_string(given, encoder),
        ValueType::Bool => given.as_bool().is_some_and(|flag| {
            encoder.u8(flag.into());
            true
        }),
        _ => number_of(given).is_some_and(|number| is_exact(number, value_type) && number.write(value_type, encoder)),
    };
    if is_encoded { Ok(()) } else { Err(Refusal::does_not_fit(given, Some(value_type))) }
}

fn encode_string(given: &JsValue, encoder: &mut Encoder) -> Result<(), Refusal> {
    // The length in UTF-16 units is a lower bound of the length in bytes.
    let units = || given.is_string().then(|| given.unchecked_ref::<JsString>().length().into());
    check_length(Bytes::of(given).map(|bytes| bytes.byte_length()).or_else(units).unwrap_or(0.0))?;
    let Some(bytes) = text_bytes(given) else { return Err(Refusal::does_not_fit(given, Some(ValueType::String))) };
    check_length(bytes.len() as f64)?;
    encoder.string(&bytes);
    Ok(())
}

fn encode_array(given: &JsValue, inner: &[ValueType], depth: u64, encoder: &mut Encoder) -> Result<(), Refusal> {
    let inferred = if inner.is_empty() { infer_types(given)? } else { Types::new() };
    let inner = if inner.is_empty() { inferred.get(1..).unwrap_or_default() } else { inner };
    let Some(&element_type) = inner.first() else { return Err(Refusal::does_not_fit(given, None)) };
    if let Some(stored) = stored_array(given)? {
        return copy_array(stored, inner, element_type, encoder)
            .map_err(|()| Refusal::does_not_fit(given, Some(element_type)));
    }
    let own_type = typed_array_type(given);
    if own_type == Some(element_type)
        && let Some(bytes) = Bytes::of(given)
    {
        check_length(bytes.byte_length())?;
        let bytes = bytes.to_vec().map_err(Refusal::thrown)?;
        encoder.array(element_type.id(), bytes.len() as u64 / element_type.size().unwrap_or(1)).bytes(&bytes);
        return Ok(());
    }
    let has_elements = if own_type.is_some() { Bytes::of(given).is_some() } else { objects::is_array(given) };
    if !has_elements {
        return Err(Refusal::does_not_fit(given, Some(ValueType::Array)));
    }
    let element_size = element_type.size().unwrap_or(size_of::<u64>() as u64);
    // A buffer and a `DataView` have bytes, but no elements of other types.
    let Some(length) = array_length(given, element_size)? else {
        return Err(Refusal::does_not_fit(given, Some(element_type)));
    };
    encoder.array(element_type.id(), length.into());
    for index in 0..length {
        if encoder.is_full() {
            return Err(Refusal::too_long());
        }
        let element = objects::element(given, index).map_err(Refusal::thrown)?;
        encode(&element, inner, depth, encoder).map_err(|refusal| refusal.of_element(index))?;
    }
    Ok(())
}

/// Copies a stored array. Elements of another type are converted. Fails if the type cannot hold one of them.
fn copy_array(
    (header, range): StoredArray,
    inner: &[ValueType],
    element_type: ValueType,
    encoder: &mut Encoder,
) -> Result<(), ()> {
    let array = Array::new(&header.storage, range);
    encoder.array(element_type.id(), array.len());
    if array.element_type() == element_type && inner.len() == 1 {
        encoder.copy_values(&header.storage, element_type, array.len(), array.range().start);
        return Ok(());
    }
    if array.iter().all(|element| write_value(element, inner, encoder)) { Ok(()) } else { Err(()) }
}
