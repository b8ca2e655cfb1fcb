//! Methods and filters of lists and tuples.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::absent::default;
use super::order::{max, member, min, sort};
use super::select::{reject, select};
use super::slice::slice_list;
use super::table::Table;
use super::tojson::tojson;
use crate::error::{Outcome, failed};
use crate::limits::VALUE_DEPTH;
use crate::values::bytes::Bytes;
use crate::values::parts::Parts;
use crate::values::shown::{as_text, shown};
use crate::values::value::{Call, Value};

pub(super) const LIST: &Table = &[
    ("default", default),
    ("list", list),
    ("first", first),
    ("last", last),
    ("length", length),
    ("slice", slice_list),
    ("selectattr", select),
    ("select", select),
    ("rejectattr", reject),
    ("reject", reject),
    ("join", join),
    ("string", string),
    ("tojson", tojson),
    ("map", map),
    ("append", append),
    ("pop", pop),
    ("sort", sort),
    ("reverse", reverse),
    ("min", min),
    ("max", max),
    ("unique", |call| call.missing()),
];

fn list(call: &Call) -> Outcome<Value> {
    let items = call.list_at(0)?.items()?;
    call.host.list(items)
}

fn first(call: &Call) -> Outcome<Value> {
    Ok(call.list_at(0)?.get(0).unwrap_or(Value::Undefined(None)))
}

fn last(call: &Call) -> Outcome<Value> {
    Ok(call.list_at(0)?.at(-1).unwrap_or(Value::Undefined(None)))
}

fn length(call: &Call) -> Outcome<Value> {
    Ok(Value::Int(call.list_at(0)?.len() as i64))
}

/// `join(d="", attribute=none)`: joins texts and numbers.
fn join(call: &Call) -> Outcome<Value> {
    call.count(1, 3)?;
    let meter = &call.host.meter;
    let list = call.list_at(0)?;
    let separator = call.named_or_at("d", 1);
    let attribute = call.named_or_at("attribute", 2);
    if !matches!(attribute, Value::Undefined(_) | Value::Text(_) | Value::Int(_)) {
        return failed("the attribute of `join` is neither a text nor an integer");
    }
    let separator = match &separator {
        Value::Undefined(_) => Cow::Borrowed(&[][..]),
        separator => shown(separator, meter)?,
    };
    let mut result = Bytes::new(meter)?;
    for (index, item) in list.borrow().iter().enumerate() {
        meter.step(1)?;
        if index > 0 {
            result.push(&separator)?;
        }
        let member = match (&attribute, item) {
            (Value::Int(index), Value::List(item)) => match item.at(*index) {
                Some(member) => Some(member),
                None => return failed("an element of `join` is too short"),
            },
            (Value::Text(_), Value::Dict(item)) => match item.get(&attribute)? {
                Some(member) => Some(member),
                None => return failed("an element of `join` does not have the attribute"),
            },
            _ => None,
        };
        match member.as_ref().unwrap_or(item) {
            item @ (Value::Text(_) | Value::Int(_) | Value::Float(_)) => result.push(&shown(item, meter)?)?,
            item => return item.refused("`join` cannot join ", ""),
        }
    }
    Parts::of_bytes(result, false, meter).map(Value::Text)
}

/// Python's form of a list or dict.
pub(super) fn string(call: &Call) -> Outcome<Value> {
    let value = call.arg(0)?;
    if call.host.is_watching {
        value.mark_all(&call.host.meter, VALUE_DEPTH)?;
    }
    Ok(Value::Text(as_text(value, &call.host.meter)?))
}

/// `map(attribute=…, default=none)`. Another filter cannot be mapped.
fn map(call: &Call) -> Outcome<Value> {
    call.count(2, usize::MAX)?;
    let list = call.list_at(0)?;
    if !matches!(call.args[1], Value::Keyword(_)) {
        return call.missing();
    }
    let attribute = call.named_or_at("attribute", 1);
    if !matches!(attribute, Value::Text(_) | Value::Int(_)) {
        return failed("the attribute of `map` is neither a text nor an integer");
    }
    let default = call.named_or_at("default", usize::MAX);
    let mut items = Vec::new();
    for item in list.borrow().iter() {
        call.host.meter.step(1)?;
        items.push(member(item, &attribute)?.unwrap_or_else(|| default.clone()));
    }
    call.host.sequence(items, list.is_tuple)
}

/// Adds an element to a list, and gives the list.
fn append(call: &Call) -> Outcome<Value> {
    call.count(2, usize::MAX)?;
    let list = call.list_at(0)?;
    if list.is_tuple {
        return failed("a tuple cannot be changed");
    }
    list.push(call.args[1].clone())?;
    if matches!(call.args[1], Value::List(_) | Value::Dict(_) | Value::Function(_) | Value::Keyword(_)) {
        call.host.changed(&call.args[0]);
    }
    Ok(call.args[0].clone())
}

/// `pop(index=-1)` takes an element out.
fn pop(call: &Call) -> Outcome<Value> {
    call.count(1, 2)?;
    let list = call.list_at(0)?;
    let index = call.args.get(1).map_or(Ok(-1), Value::int)?;
    if list.is_tuple {
        return failed("a tuple cannot be changed");
    }
    let from_start = if index < 0 { index.saturating_add(list.len() as i64) } else { index };
    call.host.meter.step(list.len() / 8)?;
    match usize::try_from(from_start) {
        Ok(index) if index < list.len() => Ok(list.remove(index)),
        _ => failed(format!("the list has no element {index}")),
    }
}

fn reverse(call: &Call) -> Outcome<Value> {
    let list = call.list_at(0)?;
    let mut items = list.items()?;
    items.reverse();
    call.host.sequence(items, list.is_tuple)
}
