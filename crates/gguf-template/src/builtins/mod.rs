//! The functions of the engine: one table for each type, for tests, and for functions.
//!
//! A filter is a method of the type of its value: `x|upper` and `x.upper()` are the same function.

pub(crate) mod absent;
pub(crate) mod arguments;
pub(crate) mod dict;
pub(crate) mod globals;
pub(crate) mod indent;
pub(crate) mod list;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod select;
pub(crate) mod slice;
pub(crate) mod split;
pub(crate) mod tests;
pub(crate) mod text;
pub(crate) mod tojson;

use crate::error::{Outcome, failed};
use crate::values::value::{Native, Value};

/// Names and what they do.
pub(crate) type Table = [(&'static str, Native)];

/// The function with a name in a table.
pub(crate) fn find_in(table: &'static Table, name: &str) -> Option<(&'static str, Native)> {
    table.iter().find(|(other, _)| *other == name).copied()
}

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
        Value::Function(_) | Value::Keyword(_) => return failed(format!("{} has no members", value.kind())),
    };
    Ok(find_in(table, name))
}
