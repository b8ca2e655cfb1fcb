//! Filters of none and of undefined values. Most give something empty.

use super::table::Table;
use super::tojson::tojson;
use crate::error::Outcome;
use crate::values::parts::Parts;
use crate::values::value::{Call, Value};
use alloc::vec::Vec;

/// Filters of undefined values.
pub(super) const UNDEFINED: &Table = &[
    ("default", default),
    ("capitalize", empty_text),
    ("first", nothing),
    ("items", empty_list),
    ("join", empty_text),
    ("last", nothing),
    ("length", zero),
    ("list", empty_list),
    ("lower", empty_text),
    ("map", empty_list),
    ("max", nothing),
    ("min", nothing),
    ("reject", empty_list),
    ("rejectattr", empty_list),
    ("replace", empty_text),
    ("reverse", empty_list),
    ("safe", empty_text),
    ("select", empty_list),
    ("selectattr", empty_list),
    ("sort", empty_list),
    ("string", empty_text),
    ("strip", empty_text),
    ("sum", zero),
    ("title", empty_text),
    ("truncate", empty_text),
    ("unique", empty_list),
    ("upper", empty_text),
    ("wordcount", zero),
];

/// Filters of none.
pub(super) const NONE: &Table = &[
    ("default", default),
    ("tojson", tojson),
    ("string", none_text),
    ("safe", none_text),
    ("items", empty_list),
    ("map", empty_list),
    ("reject", empty_list),
    ("rejectattr", empty_list),
    ("select", empty_list),
    ("selectattr", empty_list),
    ("unique", empty_list),
];

/// `default(value, boolean=false)` of all types but dicts. The value is needed.
pub(super) fn default(call: &Call) -> Outcome<Value> {
    call.count(2, 3)?;
    let is_missing = match call.flag("boolean", 2)? {
        true => !call.args[0].truth()?,
        false => call.args[0].is_absent(),
    };
    Ok(call.args[usize::from(is_missing)].clone())
}

fn empty_text(call: &Call) -> Outcome<Value> {
    Parts::new(Vec::new(), &call.host.meter).map(Value::Text)
}

fn empty_list(call: &Call) -> Outcome<Value> {
    call.host.list(Vec::new())
}

fn nothing(_: &Call) -> Outcome<Value> {
    Ok(Value::Undefined(None))
}

fn zero(_: &Call) -> Outcome<Value> {
    Ok(Value::Int(0))
}

fn none_text(call: &Call) -> Outcome<Value> {
    call.host.text(b"None")
}
