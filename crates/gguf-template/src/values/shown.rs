//! The form of values in texts: that of Python, with llama.cpp's numbers.

use alloc::borrow::Cow;
use alloc::rc::Rc;

use super::bytes::Bytes;
use super::escaped::{Out, write_escaped};
use super::parts::Parts;
use super::value::{Body, Function, Value};
use super::written_numbers::{write_fixed, write_int};
use crate::error::{Outcome, beyond};
use crate::limits::{Meter, VALUE_DEPTH};

/// The bytes of a value as a text.
pub(crate) fn shown<'a>(value: &'a Value, meter: &Meter) -> Outcome<Cow<'a, [u8]>> {
    match value {
        Value::Text(text) => text.bytes(),
        _ => {
            let mut out = alloc::vec::Vec::new();
            write_shown(value, &mut |bytes| {
                out.extend_from_slice(bytes);
                meter.step(1 + bytes.len() / 4)
            })?;
            Ok(Cow::Owned(out))
        }
    }
}

/// A value as a text. Texts keep their parts.
pub(crate) fn as_text(value: &Value, meter: &Rc<Meter>) -> Outcome<Rc<Parts>> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        _ => {
            let mut bytes = Bytes::new(meter)?;
            write_shown(value, &mut |piece| {
                meter.step(1)?;
                bytes.push(piece)
            })?;
            Parts::of_bytes(bytes, false, meter)
        }
    }
}

/// Writes a value as a text. Undefined values and functions have no text.
pub(crate) fn write_shown(value: &Value, out: Out) -> Outcome<()> {
    write_shown_at(value, out, VALUE_DEPTH)
}

fn write_shown_at(value: &Value, out: Out, depth: u32) -> Outcome<()> {
    let Some(depth) = depth.checked_sub(1) else { return beyond("the written value is nested too deeply") };
    match value {
        Value::None => out(b"None"),
        Value::Bool(true) => out(b"True"),
        Value::Bool(false) => out(b"False"),
        Value::Int(number) => write_int(*number, out),
        Value::Float(number) => write_fixed(*number, out),
        Value::Text(text) => text.parts().iter().try_for_each(|part| out(part.bytes.as_slice())),
        Value::List(list) => {
            out(if list.is_tuple { b"(" } else { b"[" })?;
            for (index, item) in list.borrow().iter().enumerate() {
                if index > 0 {
                    out(b", ")?;
                }
                write_form(item, out, depth)?;
            }
            if list.is_tuple && list.len() == 1 {
                out(b",")?;
            }
            out(if list.is_tuple { b")" } else { b"]" })
        }
        Value::Dict(dict) => {
            out(b"{")?;
            for (index, (key, value)) in dict.iter().enumerate() {
                if index > 0 {
                    out(b", ")?;
                }
                write_form(&key, out, depth)?;
                out(b": ")?;
                write_form(&value, out, depth)?;
            }
            out(b"}")
        }
        Value::Undefined(_) | Value::Function(_) | Value::Keyword(_) => value.refused("", " has no text"),
    }
}

/// Writes a value as an element: texts are quoted, and everything has a form.
fn write_form(value: &Value, out: Out, depth: u32) -> Outcome<()> {
    match value {
        Value::Text(text) if text.parts().iter().any(|part| part.bytes.as_slice().contains(&b'\'')) => {
            out(b"\"")?;
            text.parts().iter().try_for_each(|part| write_escaped(part.bytes.as_slice(), out))?;
            out(b"\"")
        }
        Value::Text(_) => {
            out(b"'")?;
            write_shown_at(value, out, depth)?;
            out(b"'")
        }
        Value::Undefined(Some(hint)) if !hint.as_slice().is_empty() => {
            out(b"Undefined (hint: '")?;
            out(hint.as_slice())?;
            out(b"')")
        }
        Value::Undefined(_) => out(b"Undefined"),
        Value::Function(function) => write_function(function, out, depth),
        Value::Keyword(_) => out(b"KwArg"),
        _ => write_shown_at(value, out, depth),
    }
}

fn write_function(function: &Function, out: Out, depth: u32) -> Outcome<()> {
    out(b"Function<")?;
    out(match function.body {
        Body::Caller(..) => b"caller",
        _ => function.name.as_bytes(),
    })?;
    out(b">(")?;
    match &function.owner {
        Some(Value::Text(text)) => {
            for part in text.parts() {
                out(if part.is_input { b"INPUT: " } else { b"TMPL:  " })?;
                out(part.bytes.as_slice())?;
                out(b"\n")?;
            }
        }
        Some(owner) => write_form(owner, out, depth)?,
        None => {}
    }
    out(b")")
}
