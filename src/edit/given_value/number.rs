//! Given numbers.

use wasm_bindgen::prelude::*;

use crate::interop::POSITION_END;
use gguf_format::format::value::ValueType;
use gguf_format::write::new_value::number::Number;

/// The number of a value, if it is one that the format can hold.
pub(super) fn number_of(given: &JsValue) -> Option<Number> {
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

/// Whether a number for an integer type is exact. A JavaScript number of 2^53 or more may have been rounded.
pub(super) fn is_exact(number: Number, value_type: ValueType) -> bool {
    let is_float = matches!(value_type, ValueType::Float32 | ValueType::Float64);
    is_float || !matches!(number, Number::Float(float) if float.abs() >= POSITION_END as f64)
}
