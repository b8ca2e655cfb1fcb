//! `sort`, `min`, `max` and `dictsort`.

use alloc::vec::Vec;

use crate::error::Outcome;
use crate::values::order::{Comparison, compare, sort as sort_items};
use crate::values::value::{Call, Dict, Value};

/// `sort(reverse=false, case_sensitive=…, attribute=none)`. Texts are compared by their bytes.
pub(super) fn sort(call: &Call) -> Outcome<Value> {
    call.count(1, 4)?;
    let list = call.list_at(0)?;
    let attribute = call.named_or_at("attribute", 3);
    let order = order(call.flag("reverse", 1)?);
    let meter = &call.host.meter;
    let member = |item: &Value| match member(item, &attribute)? {
        Some(member) => Ok(member),
        None => item.refused("`sort` cannot take the attribute of ", ""),
    };
    let mut items = list.items()?;
    sort_items(&mut items, &mut |left, right| match attribute {
        Value::Undefined(_) => compare(left, right, order, meter),
        _ => compare(&member(left)?, &member(right)?, order, meter),
    })?;
    call.host.sequence(items, list.is_tuple)
}

/// What an attribute names in an element: the element of a list at an index, or the value of a key.
pub(super) fn member(item: &Value, attribute: &Value) -> Outcome<Option<Value>> {
    match (attribute, item) {
        (Value::Int(index), Value::List(item)) => Ok(item.at(*index)),
        (Value::Int(_), _) => Ok(None),
        (_, Value::Dict(item)) => item.get(attribute),
        _ => Ok(None),
    }
}

fn order(is_reversed: bool) -> Comparison {
    if is_reversed { Comparison::Greater } else { Comparison::Less }
}

pub(super) fn min(call: &Call) -> Outcome<Value> {
    extreme(call, Comparison::Less)
}

pub(super) fn max(call: &Call) -> Outcome<Value> {
    extreme(call, Comparison::Greater)
}

fn extreme(call: &Call, comparison: Comparison) -> Outcome<Value> {
    call.count(1, 4)?;
    let list = call.list_at(0)?;
    if !call.named_or_at("attribute", 2).is_undefined() {
        return call.missing();
    }
    let items = list.borrow();
    let Some((mut best, others)) = items.split_first() else { return Ok(Value::Undefined(None)) };
    for item in others {
        if compare(item, best, comparison, &call.host.meter)? {
            best = item;
        }
    }
    Ok(best.clone())
}

/// `dictsort(case_sensitive=…, by="key", reverse=false)` gives a dict.
pub(super) fn dictsort(call: &Call) -> Outcome<Value> {
    let dict = call.dict_at(0)?;
    let order = order(call.flag("reverse", 3)?);
    let by_value = match call.named_or_at("by", 2) {
        Value::Text(by) => *by.bytes()? == *b"value",
        _ => false,
    };
    let mut entries: Vec<(Value, Value)> = dict.iter().collect();
    sort_items(&mut entries, &mut |left, right| match by_value {
        true => compare(&left.1, &right.1, order, &call.host.meter),
        false => compare(&left.0, &right.0, order, &call.host.meter),
    })?;
    let sorted = Dict::new(&call.host.meter)?;
    sorted.fill(entries)?;
    Ok(sorted.into_value())
}
