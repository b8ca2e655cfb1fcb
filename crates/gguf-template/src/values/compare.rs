//! When values are equal, and which can be keys.

use alloc::rc::Rc;

use super::parts::Parts;
use super::places::{HASH, hash_bytes};
use super::value::{Dict, List, Value, cut, exact_float};
use crate::error::{Outcome, beyond};
use crate::limits::{Meter, VALUE_DEPTH};

/// The integer and the float of a number or boolean. Numbers are equal if both are.
fn number(value: &Value) -> Option<(i64, f64)> {
    match value {
        Value::Bool(truth) => Some(((*truth).into(), f64::from(*truth as u8))),
        Value::Int(number) => Some((*number, exact_float(*number))),
        Value::Float(number) => Some((if number.is_finite() { cut(*number) } else { 0 }, *number)),
        _ => None,
    }
}

/// Whether two values are equal by `==`. A list is only equal to another one if nothing in it can be changed.
pub(crate) fn equal(left: &Value, right: &Value, meter: &Meter) -> Outcome<bool> {
    equal_at(left, right, meter, VALUE_DEPTH)
}

fn equal_at(left: &Value, right: &Value, meter: &Meter, depth: u32) -> Outcome<bool> {
    meter.step(1)?;
    let Some(depth) = depth.checked_sub(1) else { return beyond("the compared values are nested too deeply") };
    Ok(match (left, right) {
        (Value::Text(left), Value::Text(right)) => equal_texts(left, right, meter)?,
        (Value::None, Value::None) => true,
        (Value::Undefined(_), Value::Undefined(_)) => true,
        // llama.cpp compares functions by a pointer that it never has.
        (Value::Function(_), Value::Function(_)) => true,
        (Value::Keyword(left), Value::Keyword(right)) => Rc::ptr_eq(left, right),
        (Value::List(left), Value::List(right)) => {
            if left.is_tuple != right.is_tuple || !is_fixed(left, meter, depth)? || !is_fixed(right, meter, depth)? {
                return Ok(false);
            }
            let (left, right) = (left.borrow(), right.borrow());
            if left.len() != right.len() {
                return Ok(false);
            }
            for (left, right) in left.iter().zip(&*right) {
                if !equal_at(left, right, meter, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Dict(left), Value::Dict(right)) => {
            if !is_fixed_dict(left, meter, depth)? || !is_fixed_dict(right, meter, depth)? || left.len() != right.len()
            {
                return Ok(false);
            }
            for (left, right) in left.iter().zip(right.iter()) {
                if !equal_at(&left.0, &right.0, meter, depth)? || !equal_at(&left.1, &right.1, meter, depth)? {
                    return Ok(false);
                }
            }
            true
        }
        _ => matches!((number(left), number(right)), (Some(left), Some(right)) if left == right),
    })
}

fn equal_texts(left: &Parts, right: &Parts, meter: &Meter) -> Outcome<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    meter.look(left.len())?;
    Ok(left.bytes()? == right.bytes()?)
}

/// Whether all elements are hashable, and neither lists nor dicts.
fn is_fixed(list: &List, meter: &Meter, depth: u32) -> Outcome<bool> {
    for item in list.borrow().iter() {
        if !is_fixed_value(item, meter, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether all values of a dict are hashable, and neither lists nor dicts.
fn is_fixed_dict(dict: &Dict, meter: &Meter, depth: u32) -> Outcome<bool> {
    for (_, value) in dict.iter() {
        if !is_fixed_value(&value, meter, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_fixed_value(value: &Value, meter: &Meter, depth: u32) -> Outcome<bool> {
    meter.step(1)?;
    let Some(depth) = depth.checked_sub(1) else { return beyond("the compared values are nested too deeply") };
    match value {
        Value::List(list) if list.is_tuple => is_fixed(list, meter, depth),
        Value::List(_) | Value::Dict(_) | Value::Undefined(_) | Value::Function(_) => Ok(false),
        _ => Ok(true),
    }
}

/// Whether a value is hashable. A list is, if nothing in it can be changed, although it cannot be a key.
pub(crate) fn is_hashable(value: &Value, meter: &Meter) -> Outcome<bool> {
    match value {
        Value::List(list) => is_fixed(list, meter, VALUE_DEPTH),
        Value::Dict(dict) => is_fixed_dict(dict, meter, VALUE_DEPTH),
        _ => is_fixed_value(value, meter, VALUE_DEPTH),
    }
}

/// Fails if a value cannot be the key of a dict.
pub(super) fn check_key(key: &Value, meter: &Meter) -> Outcome<()> {
    match is_fixed_value(key, meter, VALUE_DEPTH)? {
        true => Ok(()),
        false => key.refused("", " cannot be a key"),
    }
}

/// A hash of a key. Equal keys have the same.
pub(super) fn hash(key: &Value, meter: &Meter) -> Outcome<u32> {
    let mut state = HASH;
    add_to_hash(&mut state, key, meter)?;
    Ok(state)
}

fn add_to_hash(state: &mut u32, key: &Value, meter: &Meter) -> Outcome<()> {
    meter.step(1)?;
    match key {
        Value::Text(text) => {
            meter.look(text.len())?;
            text.parts().iter().for_each(|part| add_bytes(state, part.bytes.as_slice()));
        }
        Value::List(list) => {
            add_bytes(state, b"(");
            list.borrow().iter().try_for_each(|item| add_to_hash(state, item, meter))?;
            add_bytes(state, b")");
        }
        // Zero and minus zero are equal, and they have the same integer.
        _ => add_bytes(state, &number(key).map_or(0, |(integer, _)| integer).to_le_bytes()),
    }
    Ok(())
}

fn add_bytes(state: &mut u32, bytes: &[u8]) {
    *state = hash_bytes(bytes, *state);
}
