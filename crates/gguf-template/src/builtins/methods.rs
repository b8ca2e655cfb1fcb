//! Finds the methods and filters of values.

use super::table::find_in;
use super::{absent, dict, list, number, text};
use crate::error::Outcome;
use crate::values::value::{Native, Value};

/// The method or filter of a value. Functions have none, not even none of that name.
pub(crate) fn method(value: &Value, name: &str) -> Outcome<Option<(&'static str, Native)>> {
    let table = match value {
        Value::Undefined(_) => absent::UNDEFINED,
        Value::None => absent::NONE,
        Value::Bool(_) => number::BOOL,
        Value::Int(_) => number::INT,
        Value::Float(_) => number::FLOAT,
        Value::Text(_) => text::TEXT,
        Value::List(_) => list::LIST,
        Value::Dict(dict) if dict.has_methods => dict::DICT,
        Value::Dict(_) => &[],
        Value::Function(_) | Value::Keyword(_) => return value.refused("", " has no members"),
    };
    Ok(find_in(table, name))
}
