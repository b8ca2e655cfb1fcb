//! The tests after `is`. Each is also a function: `test_is_odd(3)`.

use super::table::{Table, find_in};
use crate::error::{Outcome, failed};
use crate::limits::Meter;
use crate::values::compare::equal;
use crate::values::finder::Finder;
use crate::values::order::{Comparison, compare};
use crate::values::value::{Call, Native, Value};

/// The test with a name.
pub(crate) fn find(name: &str) -> Option<(&'static str, Native)> {
    find_in(TESTS, name)
}

const TESTS: &Table = &[
    ("boolean", |call| of_type(call, |value| matches!(value, Value::Bool(_)))),
    ("callable", |call| of_type(call, |value| matches!(value, Value::Function(_)))),
    ("odd", |call| Ok(Value::Bool(call.int_at(0)? % 2 != 0))),
    ("even", |call| Ok(Value::Bool(call.int_at(0)? % 2 == 0))),
    ("false", |call| of_type(call, |value| matches!(value, Value::Bool(false)))),
    ("true", |call| of_type(call, |value| matches!(value, Value::Bool(true)))),
    ("divisibleby", divisible),
    ("string", |call| of_type(call, |value| matches!(value, Value::Text(_)))),
    ("integer", |call| of_type(call, |value| matches!(value, Value::Int(_)))),
    ("float", |call| of_type(call, |value| matches!(value, Value::Float(_)))),
    ("number", |call| of_type(call, |value| matches!(value, Value::Int(_) | Value::Float(_)))),
    // A dict is not iterable, and an undefined value is.
    ("iterable", |call| of_type(call, |value| matches!(value, Value::List(_) | Value::Text(_) | Value::Undefined(_)))),
    ("sequence", |call| of_type(call, |value| matches!(value, Value::List(_) | Value::Text(_) | Value::Undefined(_)))),
    ("mapping", |call| of_type(call, |value| matches!(value, Value::Dict(_)))),
    ("lower", |call| no_bytes(call, u8::is_ascii_uppercase)),
    ("upper", |call| no_bytes(call, u8::is_ascii_lowercase)),
    ("none", |call| of_type(call, |value| matches!(value, Value::None))),
    ("defined", |call| of_type(call, |value| !value.is_undefined())),
    ("undefined", |call| of_type(call, Value::is_undefined)),
    ("eq", |call| compared(call, Comparison::Equal)),
    ("equalto", |call| compared(call, Comparison::Equal)),
    ("ge", |call| compared(call, Comparison::GreaterOrEqual)),
    ("gt", |call| compared(call, Comparison::Greater)),
    ("greaterthan", |call| compared(call, Comparison::Greater)),
    ("lt", |call| compared(call, Comparison::Less)),
    ("lessthan", |call| compared(call, Comparison::Less)),
    ("ne", |call| compared(call, Comparison::NotEqual)),
    ("in", contained),
    ("test", known),
    ("sameas", |call| call.missing()),
    ("escaped", |call| call.missing()),
    ("filter", |call| call.missing()),
];

fn of_type(call: &Call, is: fn(&Value) -> bool) -> Outcome<Value> {
    call.arg(0).map(|value| Value::Bool(is(value)))
}

fn divisible(call: &Call) -> Outcome<Value> {
    match (call.int_at(0)?, call.int_at(1)?) {
        (_, 0) => failed("no integer is divisible by zero: llama.cpp crashes here"),
        (number, divisor) => Ok(Value::Bool(number.wrapping_rem(divisor) == 0)),
    }
}

fn no_bytes(call: &Call, is: fn(&u8) -> bool) -> Outcome<Value> {
    let text = call.text_at(0)?;
    call.host.meter.look(text.len())?;
    Ok(Value::Bool(!text.parts().iter().any(|part| part.bytes.as_slice().iter().any(is))))
}

fn compared(call: &Call, comparison: Comparison) -> Outcome<Value> {
    call.count(2, 2)?;
    compare(&call.args[0], &call.args[1], comparison, &call.host.meter).map(Value::Bool)
}

fn contained(call: &Call) -> Outcome<Value> {
    call.count(2, usize::MAX)?;
    is_in(&call.args[0], &call.args[1], &call.host.meter).map(Value::Bool)
}

fn known(call: &Call) -> Outcome<Value> {
    let name = call.text_at(0)?.bytes()?;
    Ok(Value::Bool(core::str::from_utf8(&name).ok().and_then(find).is_some()))
}

/// Whether a value is an element of a list, a part of a text, or a key of a dict.
pub(crate) fn is_in(value: &Value, container: &Value, meter: &Meter) -> Outcome<bool> {
    match (container, value) {
        (Value::Undefined(_), _) => Ok(false),
        (Value::List(list), _) => {
            for item in list.borrow().iter() {
                if equal(value, item, meter)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        (Value::Text(text), Value::Text(value)) => {
            let value = value.bytes()?;
            Ok(Finder::new(&value, false, meter)?.find(&text.bytes()?, meter)?.is_some())
        }
        (Value::Dict(dict), _) => Ok(dict.get(value)?.is_some()),
        _ => failed(format!("`in` cannot look for {} in {}", value.kind(), container.kind())),
    }
}
