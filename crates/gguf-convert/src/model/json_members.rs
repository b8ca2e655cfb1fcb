//! Members of JSON objects, as Python code reads them.

use serde_json::{Map, Value};

/// A member of a value. Null if the value is no object, or has no such member.
pub(crate) fn member<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// The text of a member. `None` if it is no text.
pub(crate) fn text_member<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    member(value, name).as_str()
}

/// Whether a value is true in Python.
pub(crate) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// The members of an object. None if the value is no object.
pub(crate) fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter).map(|(name, value)| (name.as_str(), value))
}

/// The elements of an array. None if the value is no array.
pub(crate) fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], |elements| elements.as_slice())
}
