//! The filter and function `tojson`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::Outcome;
use crate::json::write::write_json;
use crate::limits::VALUE_DEPTH;
use crate::values::bytes::Bytes;
use crate::values::escaped::{Out, hex};
use crate::values::parts::Parts;
use crate::values::shown::shown;
use crate::values::value::{Call, Value};

/// `tojson(ensure_ascii=false, indent=none, separators=none, sort_keys=false)`
pub(crate) fn tojson(call: &Call) -> Outcome<Value> {
    call.count(1, 5)?;
    let meter = &call.host.meter;
    let value = &call.args[0];
    if call.host.is_watching {
        value.mark_all(meter, VALUE_DEPTH)?;
    }
    let indent = match call.named_or_at("indent", 2) {
        // As an `int` of C.
        Value::Int(indent) => usize::try_from(indent as i32).ok(),
        _ => None,
    };
    if call.flag("sort_keys", 4)? {
        return call.missing();
    }
    let is_ascii = call.flag("ensure_ascii", 1)?;
    let separators = match call.named_or_at("separators", 3) {
        Value::List(list) => list.items()?,
        _ => Vec::new(),
    };
    let separator = |index: usize, default: &'static [u8]| match separators.get(index) {
        Some(separator) => shown(separator, meter),
        None => Ok(Cow::Borrowed(default)),
    };
    let item_separator = separator(0, if indent.is_none() { b", " } else { b"," })?;
    let key_separator = separator(1, b": ")?;
    let mut json = Bytes::new(meter)?;
    write_json(value, indent, &item_separator, &key_separator, &mut |bytes| {
        meter.step(1)?;
        json.push(bytes)
    })?;
    if is_ascii {
        let mut ascii = Bytes::new(meter)?;
        write_ascii(json.as_slice(), &mut |bytes| {
            meter.step(1)?;
            ascii.push(bytes)
        })?;
        json = ascii;
    }
    Parts::of_bytes(json, false, meter).map(Value::Text)
}

/// Escapes characters that are not ASCII, inside of quotes. The separators are no part of a quoted text.
fn write_ascii(json: &[u8], out: Out) -> Outcome<()> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut position = 0;
    while let Some(byte) = json.get(position) {
        position += 1;
        match byte {
            _ if !is_quoted => is_quoted = *byte == b'"',
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_quoted = false,
            0x80.. => {
                let Some((code, length)) = code_point(&json[position - 1..]) else {
                    out(b"\\ufffd")?;
                    continue;
                };
                position += length - 1;
                match code.checked_sub(0x1_0000) {
                    None => write_unit(code, out)?,
                    Some(rest) => {
                        write_unit(0xD800 + (rest >> 10 & 0x3FF), out)?;
                        write_unit(0xDC00 + (rest & 0x3FF), out)?;
                    }
                }
                continue;
            }
            _ => {}
        }
        out(&[*byte])?;
    }
    Ok(())
}

/// The code point at the start of a text and its length. It is not checked whether it is too long, or a surrogate.
fn code_point(bytes: &[u8]) -> Option<(u32, usize)> {
    let (length, start) = match bytes[0] {
        byte @ 0xC0..0xE0 => (2, byte & 0x1F),
        byte @ 0xE0..0xF0 => (3, byte & 0x0F),
        byte @ 0xF0..0xF8 => (4, byte & 0x07),
        _ => return None,
    };
    let mut code = u32::from(start);
    for byte in bytes.get(1..length)? {
        if byte & 0xC0 != 0x80 {
            return None;
        }
        code = code << 6 | u32::from(byte & 0x3F);
    }
    Some((code, length))
}

fn write_unit(unit: u32, out: Out) -> Outcome<()> {
    let digit = |shift: u32| hex((unit >> shift) as u8);
    out(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)])
}
