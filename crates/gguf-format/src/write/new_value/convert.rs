//! Conversion of values to other types.

use super::number::Number;
use super::number_text::{text_of, write_number};
use crate::format::value::{Value, ValueType};
use crate::write::encode::Encoder;

/// Writes a value that is no array as a type. Returns whether the type can hold it.
type WriteScalar = fn(Value<'_>, ValueType, &mut Encoder) -> bool;

/// Writes a value as the first of `types`, the elements of an array as the second, and so on. Returns whether the types can
/// hold the value. Strings stay strings, and numbers stay numbers.
#[doc(hidden)]
pub fn write_value(value: Value<'_>, types: &[ValueType], encoder: &mut Encoder) -> bool {
    write_nested(value, types, encoder, write_scalar)
}

/// Writes a value as [`write_value`] does. Numbers can also become strings, and strings that are the text of a number can
/// become that number.
#[doc(hidden)]
pub fn convert_value(value: Value<'_>, types: &[ValueType], encoder: &mut Encoder) -> bool {
    write_nested(value, types, encoder, |value, value_type, encoder| match (value, value_type) {
        (Value::String(text), number) if number != ValueType::String => write_number(text, number, encoder),
        (Value::String(_), _) | (_, ValueType::Array) => write_scalar(value, value_type, encoder),
        (_, ValueType::String) => text_of(value).is_some_and(|text| {
            encoder.string(text.as_bytes());
            true
        }),
        _ => write_scalar(value, value_type, encoder),
    })
}

fn write_nested(value: Value<'_>, types: &[ValueType], encoder: &mut Encoder, scalar: WriteScalar) -> bool {
    match (value, types) {
        (Value::Array(array), [ValueType::Array, inner @ ..]) => {
            let Some(element_type) = inner.first() else { return false };
            encoder.array(element_type.id(), array.len());
            array.iter().all(|element| write_nested(element, inner, encoder, scalar))
        }
        (Value::Array(_), _) => false,
        (value, [value_type]) => scalar(value, *value_type, encoder),
        _ => false,
    }
}

fn write_scalar(value: Value<'_>, value_type: ValueType, encoder: &mut Encoder) -> bool {
    match (value, value_type) {
        (Value::String(text), ValueType::String) => {
            encoder.string(&text.to_bytes());
            true
        }
        _ => Number::of(value).is_some_and(|number| number.write(value_type, encoder)),
    }
}
