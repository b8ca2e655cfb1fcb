//! Filters of numbers and booleans.

use super::absent::default;
use super::table::Table;
use super::tojson::tojson;
use crate::error::Outcome;
use crate::values::value::{Call, Value, cut};

/// Filters of integers. As a text, a number is JSON.
pub(super) const INT: &Table = NUMBER;

/// Filters of floats.
pub(super) const FLOAT: &Table = NUMBER;

const NUMBER: &Table = &[
    ("default", default),
    ("abs", abs),
    ("int", int),
    ("float", float),
    ("safe", tojson),
    ("string", tojson),
    ("tojson", tojson),
];

/// Filters of booleans.
pub(super) const BOOL: &Table = &[
    ("default", default),
    ("int", int),
    ("float", float),
    ("safe", bool_text),
    ("string", bool_text),
    ("tojson", tojson),
];

fn abs(call: &Call) -> Outcome<Value> {
    Ok(match call.arg(0)? {
        Value::Int(number) => Value::Int(number.wrapping_abs()),
        Value::Float(number) if *number < 0.0 => Value::Float(-number),
        value => value.clone(),
    })
}

fn int(call: &Call) -> Outcome<Value> {
    Ok(Value::Int(match call.arg(0)? {
        // Unlike elsewhere, infinity is out of range.
        Value::Float(number) => cut(*number),
        value => value.int()?,
    }))
}

fn float(call: &Call) -> Outcome<Value> {
    Ok(Value::Float(match call.arg(0)? {
        Value::Float(number) => *number,
        value => value.int()? as f64,
    }))
}

fn bool_text(call: &Call) -> Outcome<Value> {
    call.host.text(if call.arg(0)?.truth()? { b"True" } else { b"False" })
}
