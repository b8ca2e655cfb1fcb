//! The functions that a template can call by their names.

use alloc::string::String;
use alloc::vec::Vec;

use super::table::{Table, find_in};
use super::tests;
use super::tojson::tojson;
use crate::clock::strftime;
use crate::error::{ErrorKind, Outcome, failed, fault, shortened};
use crate::values::value::{Call, Dict, Native, Value};

/// The function with a name. A variable with this name hides it.
pub(crate) fn find(name: &str) -> Option<(&'static str, Native)> {
    match name.strip_prefix("test_is_") {
        Some(test) => tests::find(test),
        None => find_in(FUNCTIONS, name),
    }
}

const FUNCTIONS: &Table = &[
    ("raise_exception", raise_exception),
    ("namespace", namespace),
    ("strftime_now", strftime_now),
    ("range", range),
    ("tojson", tojson),
];

fn raise_exception(call: &Call) -> Outcome<Value> {
    let message = shortened(&String::from_utf8_lossy(&call.text_at(0)?.bytes()?), 1000);
    Err(fault(ErrorKind::Raised, message))
}

/// `namespace(name=value, …)` makes a dict.
fn namespace(call: &Call) -> Outcome<Value> {
    let dict = Dict::new(&call.host.meter)?;
    for arg in call.args {
        let Value::Keyword(keyword) = arg else { return failed("`namespace` takes only arguments with names") };
        dict.set(call.host.text(keyword.name.as_slice())?, keyword.value.clone())?;
    }
    Ok(dict.into_value())
}

/// The time in a format of C.
fn strftime_now(call: &Call) -> Outcome<Value> {
    let format = call.text_at(0)?.bytes()?;
    match strftime(&format, call.host.now) {
        // llama.cpp has room for 99 bytes, and cannot tell an empty result from too little room.
        Some(text) if !text.is_empty() => call.host.text(&text),
        _ => failed("the time has no form: it is empty or longer than 99 bytes"),
    }
}

/// `range(stop)`, `range(start, stop)` or `range(start, stop, step)` makes a list.
fn range(call: &Call) -> Outcome<Value> {
    call.count(1, 3)?;
    let first = call.int_at(0)?;
    let (start, stop, step) = match call.args {
        [_] => (0, first, 1),
        [_, stop] => (first, stop.int()?, 1),
        _ => (first, call.args[1].int()?, call.args[2].int()?),
    };
    if step == 0 {
        return failed("the step of `range` is zero");
    }
    let mut items = Vec::new();
    let mut next = Some(start);
    while let Some(number) = next.filter(|number| if step > 0 { *number < stop } else { *number > stop }) {
        if items.len().is_multiple_of(1024) {
            call.host.meter.step(1024)?;
            call.host.meter.room(2 * items.len() * size_of::<Value>())?;
        }
        items.push(Value::Int(number));
        next = number.checked_add(step);
    }
    call.host.list(items)
}
