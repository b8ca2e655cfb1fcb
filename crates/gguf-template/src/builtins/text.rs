//! Methods and filters of texts.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::absent::default;
use super::indent::indent;
use super::slice::slice_text;
use super::split::{rsplit, split};
use super::table::Table;
use super::tojson::tojson;
use crate::error::{Outcome, failed};
use crate::values::ascii::is_space;
use crate::values::bytes::Bytes;
use crate::values::finder::Finder;
use crate::values::parts::{Part, Parts};
use crate::values::read_numbers::{read_float, read_int};
use crate::values::shown::{as_text, shown};
use crate::values::value::{Call, Value};

pub(super) const TEXT: &Table = &[
    ("default", default),
    ("upper", |call| changed(call, <[u8]>::make_ascii_uppercase)),
    ("lower", |call| changed(call, <[u8]>::make_ascii_lowercase)),
    ("strip", |call| strip(call, true, true)),
    ("rstrip", |call| strip(call, false, true)),
    ("lstrip", |call| strip(call, true, false)),
    ("title", |call| changed(call, make_title)),
    ("capitalize", |call| changed(call, capitalize)),
    ("length", length),
    ("startswith", |call| affix(call, <[u8]>::starts_with)),
    ("endswith", |call| affix(call, <[u8]>::ends_with)),
    ("split", split),
    ("rsplit", rsplit),
    ("replace", replace),
    ("format", format),
    ("int", int),
    ("float", float),
    ("string", same),
    ("slice", slice_text),
    ("safe", same),
    ("tojson", tojson),
    ("indent", indent),
    ("join", |call| call.missing()),
];

fn changed(call: &Call, change: fn(&mut [u8])) -> Outcome<Value> {
    call.text_at(0)?.changed(change).map(Value::Text)
}

fn capitalize(bytes: &mut [u8]) {
    bytes.make_ascii_lowercase();
    if let Some(first) = bytes.first_mut() {
        first.make_ascii_uppercase();
    }
}

fn make_title(bytes: &mut [u8]) {
    let mut is_first = true;
    for byte in bytes {
        if is_first {
            byte.make_ascii_uppercase()
        } else {
            byte.make_ascii_lowercase()
        }
        is_first = is_space(*byte);
    }
}

/// `strip(chars=none)`: `chars` are bytes.
fn strip(call: &Call, left: bool, right: bool) -> Outcome<Value> {
    let text = call.text_at(0)?;
    let stripped = match call.named_or_at("chars", 1) {
        Value::Undefined(_) => text.stripped(left, right, None)?,
        chars => text.stripped(left, right, Some(&shown(&chars, &call.host.meter)?))?,
    };
    Ok(Value::Text(stripped))
}

/// The length in bytes.
fn length(call: &Call) -> Outcome<Value> {
    Ok(Value::Int(call.text_at(0)?.len() as i64))
}

fn affix(call: &Call, has: fn(&[u8], &[u8]) -> bool) -> Outcome<Value> {
    let (text, affix) = (call.text_at(0)?, call.text_at(1)?);
    call.host.meter.look(affix.len())?;
    Ok(Value::Bool(has(&text.bytes()?, &affix.bytes()?)))
}

/// `replace(old, new)`. An empty `old` stands between all bytes.
fn replace(call: &Call) -> Outcome<Value> {
    let meter = &call.host.meter;
    let (text, old, new) = (call.text_at(0)?, call.text_at(1)?, call.text_at(2)?);
    if call.args.get(3).map_or(Ok(-1), Value::int)? > 0 {
        return call.missing();
    }
    let (bytes, old, new) = (text.bytes()?, old.bytes()?, new.bytes()?);
    let mut result = Bytes::new(meter)?;
    if old == new {
        result.push(&bytes)?;
    } else if old.is_empty() {
        result.push(&new)?;
        for byte in &*bytes {
            meter.step(1)?;
            result.push(&[*byte])?;
            result.push(&new)?;
        }
    } else {
        let finder = Finder::new(&old, false, meter)?;
        let mut rest = &bytes[..];
        while let Some(start) = finder.find(rest, meter)? {
            meter.step(1)?;
            result.push(&rest[..start])?;
            result.push(&new)?;
            rest = &rest[start + old.len()..];
        }
        result.push(rest)?;
    }
    call.host.text_like(result, text)
}

/// `format(…)` replaces each `{}`.
fn format(call: &Call) -> Outcome<Value> {
    let meter = &call.host.meter;
    let text = call.text_at(0)?;
    let bytes = text.bytes()?;
    let mut parts = Vec::new();
    let literal = |bytes: &[u8], parts: &mut Vec<Part>| -> Outcome<()> {
        if !bytes.is_empty() {
            parts.push(Part { bytes: Rc::new(Bytes::of(bytes, meter)?), is_input: text.is_input() });
        }
        Ok(())
    };
    let mut rest = &bytes[..];
    let mut index = 0;
    while let Some(start) = rest.iter().position(|byte| *byte == b'{') {
        meter.step(1)?;
        if rest.get(start + 1) != Some(&b'}') {
            return call.missing();
        }
        literal(&rest[..start], &mut parts)?;
        index += 1;
        let arg = as_text(call.arg(index)?, meter)?;
        meter.step(arg.parts().len())?;
        parts.extend_from_slice(arg.parts());
        rest = &rest[start + 2..];
    }
    literal(rest, &mut parts)?;
    Parts::new(parts, meter).map(Value::Text)
}

/// `int(default=0, base=10)`
fn int(call: &Call) -> Outcome<Value> {
    let base = match call.named_or_at("base", 2) {
        Value::Undefined(_) => 10,
        base => base.int()? as i32,
    };
    if base != 0 && !(2..=36).contains(&base) {
        return failed("the base of `int` is neither 0 nor between 2 and 36");
    }
    let text = call.text_at(0)?;
    call.host.meter.look(text.len())?;
    Ok(Value::Int(match read_int(&text.bytes()?, base as u32) {
        Some(number) => number.into(),
        None => match call.named_or_at("default", 1) {
            Value::Undefined(_) => 0,
            default => default.int()?,
        },
    }))
}

/// `float(default=0.0)`
fn float(call: &Call) -> Outcome<Value> {
    let text = call.text_at(0)?;
    // A short text can have a long exponent.
    call.host.meter.step(32 + text.len())?;
    Ok(Value::Float(match read_float(&text.bytes()?) {
        Some(number) => number,
        None => match call.named_or_at("default", 1) {
            Value::Undefined(_) => 0.0,
            default => default.float()?,
        },
    }))
}

fn same(call: &Call) -> Outcome<Value> {
    call.text_at(0).map(|text| Value::Text(text.clone()))
}
