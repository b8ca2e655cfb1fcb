//! Values and their types as short texts.

use alloc::string::{String, ToString};
use core::fmt::Write;

use super::entries::{EntryChange, EntryDifference, are_equal};
use gguf_format::decimal::{Digits, fixed, shortest32, shortest64};
use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, Value};

/// The most bytes of a text that are shown.
const LONGEST_TEXT: usize = 200;

/// The most elements of an array that are shown.
const MOST_ELEMENTS: u64 = 8;

/// The most bytes of a text in an array that are shown.
const LONGEST_ELEMENT: usize = 24;

/// How much is shown before the first difference: bytes of a text.
const BEFORE_DIFFERENCE: usize = 20;

/// How many elements of an array are shown before the first one that differs.
const ELEMENTS_BEFORE_DIFFERENCE: u64 = 2;

/// The type and the value of an entry in both files, as short texts. Of long values that differ, they show the surroundings of
/// the first difference.
pub(crate) fn entry_texts(a: &Header, b: &Header, entry: &EntryDifference) -> [Option<(String, String)>; 2] {
    let in_a = entry.a.and_then(|index| a.metadata_at(index)).map(|entry| entry.value());
    let in_b = entry.b.and_then(|index| b.metadata_at(index)).map(|entry| entry.value());
    let difference = match (entry.change, in_a, in_b) {
        (EntryChange::Changed, Some(a), Some(b)) => first_difference(&a, &b),
        _ => 0,
    };
    [in_a, in_b].map(|value| value.map(|value| (type_name(&value), value_text(&value, difference))))
}

/// The first byte or element that differs.
fn first_difference(a: &Value<'_>, b: &Value<'_>) -> u64 {
    match (a, b) {
        (Value::String(a), Value::String(b)) => {
            let (a, b) = (a.to_bytes(), b.to_bytes());
            a.iter().zip(b.iter()).take_while(|(a, b)| a == b).count() as u64
        }
        (Value::Array(a), Value::Array(b)) => {
            a.iter().zip(b.iter()).take_while(|(a, b)| are_equal(a, b)).count() as u64
        }
        _ => 0,
    }
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

/// A value as a short text: at most 200 bytes of a text, a number, or a few elements of an array. Byte or element `difference` is
/// among them.
fn value_text(value: &Value<'_>, difference: u64) -> String {
    match value {
        Value::Array(array) => array_text(array, difference),
        Value::String(string) => {
            let bytes = string.to_bytes();
            let difference = usize::try_from(difference).unwrap_or(usize::MAX);
            let is_late = bytes.len() > LONGEST_TEXT && difference > LONGEST_TEXT / 2;
            let start = if is_late { character_start(&bytes, difference - BEFORE_DIFFERENCE) } else { 0 };
            format!("{}{}", if start > 0 { "…" } else { "" }, shortened(&bytes[start..], LONGEST_TEXT))
        }
        other => scalar_text(other),
    }
}

fn array_text(array: &Array<'_>, difference: u64) -> String {
    let is_late = difference >= MOST_ELEMENTS && array.len() > MOST_ELEMENTS;
    let last = array.len().saturating_sub(MOST_ELEMENTS);
    let start = if is_late { (difference - ELEMENTS_BEFORE_DIFFERENCE).min(last) } else { 0 };
    let mut text = String::from(if start > 0 { "[…, " } else { "[" });
    for (index, element) in array.iter_from(start).take(MOST_ELEMENTS as usize).enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        // Writing to a `String` cannot fail.
        let _ = match element {
            Value::String(string) => write!(text, "{separator}\"{}\"", shortened(&string.to_bytes(), LONGEST_ELEMENT)),
            Value::Array(inner) => write!(text, "{separator}[{} elements]", inner.len()),
            other => write!(text, "{separator}{}", scalar_text(&other)),
        };
    }
    if start + MOST_ELEMENTS < array.len() {
        text.push_str(", …");
    }
    text.push(']');
    if array.len() > MOST_ELEMENTS {
        let _ = write!(text, " ({} elements)", array.len());
    }
    text
}

/// At most `most` bytes of a text, and `…` if it has more. Bytes that are not UTF-8 are written as `\xff`.
fn shortened(bytes: &[u8], most: usize) -> String {
    let end = if bytes.len() > most { character_start(bytes, most) } else { bytes.len() };
    let mut text = String::new();
    for chunk in bytes[..end].utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text.push_str(if end < bytes.len() { "…" } else { "" });
    text
}

/// Where the character begins that has the byte at a position.
fn character_start(bytes: &[u8], position: usize) -> usize {
    let position = position.min(bytes.len());
    let is_continued = |byte: &u8| (0x80..0xc0).contains(byte);
    let before = bytes[position..]
        .first()
        .filter(|byte| is_continued(byte))
        .map_or(0, |_| 1 + bytes[..position].iter().rev().take(2).take_while(|byte| is_continued(byte)).count());
    position.saturating_sub(before)
}

/// A number or a truth value.
fn scalar_text(value: &Value<'_>) -> String {
    match value {
        Value::Uint64(number) => number.to_string(),
        Value::Bool(is_true) => is_true.to_string(),
        Value::Float32(number) => number_text((*number).into(), || shortest32(*number)),
        Value::Float64(number) => number_text(*number, || shortest64(*number)),
        other => other.as_i64().map_or_else(String::new, |number| number.to_string()),
    }
}

/// A number with the fewest digits that stand for it.
fn number_text(number: f64, shortest: impl Fn() -> Digits) -> String {
    if !number.is_finite() {
        return fixed(number, 0);
    }
    let digits = shortest();
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number == 0.0 || (1e-5..1e16).contains(&number.abs()) {
        return [sign, &digits.plain()].concat();
    }
    format!("{sign}{}e{}", digits.mantissa(), digits.exponent)
}
