//! Methods and filters of dicts and namespaces.

use super::list::string;
use super::order::dictsort;
use super::table::Table;
use super::tojson::tojson;
use crate::error::Outcome;
use crate::values::value::{Call, Value};

pub(super) const DICT: &Table = &[
    ("get", get),
    ("keys", keys),
    ("values", values),
    ("items", items),
    ("tojson", tojson),
    ("string", string),
    ("length", length),
    ("dictsort", dictsort),
    ("join", |call| call.missing()),
];

/// `get(key, default=none)`. The key must be a text.
fn get(call: &Call) -> Outcome<Value> {
    call.count(2, 3)?;
    let dict = call.dict_at(0)?;
    call.text_at(1)?;
    Ok(match dict.get(&call.args[1])? {
        Some(value) => value,
        None => call.args.get(2).cloned().unwrap_or(Value::None),
    })
}

fn keys(call: &Call) -> Outcome<Value> {
    call.host.list(call.dict_at(0)?.keys()?)
}

fn values(call: &Call) -> Outcome<Value> {
    call.host.list(call.dict_at(0)?.values()?)
}

fn items(call: &Call) -> Outcome<Value> {
    call.host.list(call.dict_at(0)?.pairs(call.host)?)
}

fn length(call: &Call) -> Outcome<Value> {
    Ok(Value::Int(call.dict_at(0)?.len() as i64))
}
