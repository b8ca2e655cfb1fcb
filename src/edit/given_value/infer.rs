//! The types of a value that is given without any.

use alloc::vec::Vec;
use core::iter;

use wasm_bindgen::prelude::*;

use super::length::array_length;
use super::number::number_of;
use super::refusal::Refusal;
use super::typed::element_type_of;
use super::types::Types;
use crate::interop::{is_integer, objects};
use gguf_format::format::value::ValueType;
use gguf_format::format::version::Format;
use gguf_format::write::encode::Encoder;
use gguf_format::write::new_value::number::Number;

/// The types that can hold a value. Of an array without a known element type, only that it is an array.
pub(super) fn infer_types(given: &JsValue) -> Result<Types, Refusal> {
    if given.is_string() {
        return Ok(Types::from([ValueType::String]));
    }
    if given.as_bool().is_some() {
        return Ok(Types::from([ValueType::Bool]));
    }
    if let Some(number) = number_of(given) {
        return Ok(Types::from([number_type(&mut iter::once(number), given.is_bigint())]));
    }
    let mut types = Types::from([ValueType::Array]);
    if let Some(element_type) = element_type_of(given)? {
        types.push(element_type);
    } else if objects::is_array(given) {
        let length = array_length(given, 1)?.unwrap_or(0);
        let first = objects::element(given, 0).map_err(Refusal::thrown)?;
        // If reading another element throws, the encoding reports it.
        let mut numbers = (0..length).map_while(|index| number_of(&objects::element(given, index).ok()?));
        types.extend(match &first {
            first if number_of(first).is_some() => Some(number_type(&mut numbers, first.is_bigint())),
            first if first.is_string() => Some(ValueType::String),
            first if first.as_bool().is_some() => Some(ValueType::Bool),
            first if first.is_object() => Some(ValueType::Array),
            _ => None,
        });
    }
    Ok(types)
}

/// The types of numbers, in the order in which they are tried.
const NUMBER_TYPES: [ValueType; 6] =
    [ValueType::Uint32, ValueType::Int32, ValueType::Uint64, ValueType::Int64, ValueType::Float32, ValueType::Float64];

/// The first type that holds all numbers: one of 32 bits if possible, and a float if one of them is not an integer. A `bigint`
/// gets a type of 64 bits.
fn number_type(numbers: &mut dyn Iterator<Item = Number>, is_bigint: bool) -> ValueType {
    let mut candidates = Vec::from(if is_bigint { &NUMBER_TYPES[2..] } else { &NUMBER_TYPES });
    // The encoder discards the numbers. Only whether they fit is of interest.
    let mut scratch = Encoder::with_capacity(Format::default(), 0);
    for number in numbers {
        candidates.retain(|value_type| {
            let is_rounded = *value_type == ValueType::Float32
                && matches!(number, Number::Float(float) if is_integer(float) && f64::from(float as f32) != float);
            !is_rounded && number.write(*value_type, &mut scratch)
        });
    }
    candidates.first().copied().unwrap_or(ValueType::Float64)
}
