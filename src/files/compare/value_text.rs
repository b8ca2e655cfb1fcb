//! Values and their types as short texts.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write;

use crate::format::header::Header;
use crate::format::value::{Str, Value};

/// The most bytes of a text that are shown.
const LONGEST_TEXT: usize = 200;

/// The most elements of an array that are shown.
const MOST_ELEMENTS: usize = 8;

/// The most bytes of a text in an array that are shown.
const LONGEST_ELEMENT: usize = 24;

/// The type and the value of the entry at a position of a header, as short texts.
pub(crate) fn entry_text(header: &Header, index: usize) -> Option<(String, String)> {
    let value = header.metadata_at(index)?.value();
    Some((type_name(&value), value_text(&value)))
}

/// The type of a value: `UINT32`, `STRING[]`, `INT32[][]`.
fn type_name(value: &Value<'_>) -> String {
    let (mut brackets, mut value) = (String::new(), *value);
    loop {
        let Value::Array(array) = value else { return format!("{}{brackets}", value.value_type()) };
        brackets.push_str("[]");
        match array.get(0) {
            Some(first) => value = first,
            None => return format!("{}{brackets}", array.element_type()),
        }
    }
}

/// A value as a short text: at most 200 bytes of a text as it is stored, a number, or the first elements of an array.
fn value_text(value: &Value<'_>) -> String {
    match value {
        Value::Array(array) => {
            let mut text = String::from("[");
            for (index, element) in array.iter().take(MOST_ELEMENTS).enumerate() {
                let separator = if index > 0 { ", " } else { "" };
                // Writing to a `String` cannot fail.
                let _ = match element {
                    Value::String(string) => write!(text, "{separator}\"{}\"", shortened(string, LONGEST_ELEMENT)),
                    Value::Array(inner) => write!(text, "{separator}[{} elements]", inner.len()),
                    other => write!(text, "{separator}{}", scalar_text(&other)),
                };
            }
            if array.len() > MOST_ELEMENTS as u64 {
                let _ = write!(text, ", …] ({} elements)", array.len());
            } else {
                text.push(']');
            }
            text
        }
        Value::String(string) => shortened(*string, LONGEST_TEXT),
        other => scalar_text(other),
    }
}

/// At most `most` bytes of a text, and `…` if it has more.
fn shortened(text: Str<'_>, most: usize) -> String {
    let bytes = text.to_bytes();
    let Some(start) = bytes.get(..most).filter(|start| start.len() < bytes.len()) else {
        return text.to_string_lossy().into_owned();
    };
    // A character that is cut off is left out.
    let cut = start.iter().rev().take(4).position(|byte| !(0x80..0xc0).contains(byte)).unwrap_or(0);
    let whole = match core::str::from_utf8(&start[start.len() - cut - 1..]) {
        Ok(_) => start,
        Err(_) => &start[..start.len() - cut - 1],
    };
    format!("{}…", String::from_utf8_lossy(whole))
}

/// A number or a truth value.
fn scalar_text(value: &Value<'_>) -> String {
    match value {
        Value::Uint64(number) => number.to_string(),
        Value::Bool(is_true) => is_true.to_string(),
        Value::Float32(number) => number_text(*number, f64::from(*number)),
        Value::Float64(number) => number_text(*number, *number),
        other => other.as_i64().map_or_else(String::new, |number| number.to_string()),
    }
}

/// A number with the fewest digits that stand for it.
fn number_text(number: impl core::fmt::Display + core::fmt::LowerExp, size: f64) -> String {
    let is_usual = size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size.abs());
    if is_usual { number.to_string() } else { format!("{number:e}") }
}
