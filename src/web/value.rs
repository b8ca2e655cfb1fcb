//! Metadata values as JavaScript has them.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use js_sys::{Array as JsArray, BigInt, JsString};
use wasm_bindgen::prelude::*;

use super::array::MetadataArray;
use super::error::too_large;
use crate::header::Header;
use crate::value::{Str, Value, ValueType};

super::typescript::string_union!("The types of metadata values.", "ValueTypeName", &[ValueType::NAMES]);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * A metadata value: a number for integers of up to 32 bits and for floats, a `bigint` for `UINT64` and
 * `INT64` always, a boolean, a string (with U+FFFD where the stored bytes are not UTF-8), or an array.
 */
export type MetadataValue = number | bigint | boolean | string | MetadataArray;
"#;

/// The longest string in any engine of today: V8's `String::kMaxLength`, in UTF-16 units.
const LONGEST_STRING: u64 = (1 << 29) - 24;

/// Bytes of text that are decoded at once, and of a string that is not worth a thought.
const PAGE: u64 = 4 << 20;

/// A value as JavaScript has it. `header` is the one that the value is of.
pub(super) fn to_js(header: &Rc<Header>, value: Value<'_>) -> Result<JsValue, JsValue> {
    Ok(match value {
        Value::Uint8(value) => value.into(),
        Value::Int8(value) => value.into(),
        Value::Uint16(value) => value.into(),
        Value::Int16(value) => value.into(),
        Value::Uint32(value) => value.into(),
        Value::Int32(value) => value.into(),
        Value::Float32(value) => value.into(),
        Value::Bool(value) => value.into(),
        Value::Uint64(value) => BigInt::from(value).into(),
        Value::Int64(value) => BigInt::from(value).into(),
        Value::Float64(value) => value.into(),
        Value::String(value) => string(value)?,
        Value::Array(value) => MetadataArray::new(header.clone(), value).into(),
    })
}

/// The text of a string, with U+FFFD where it is not UTF-8.
pub(super) fn string(text: Str<'_>) -> Result<JsValue, JsValue> {
    let length = text.byte_length();
    // Probed, because copying the pieces of a long string together would trap where there is no memory.
    let memory = || Vec::<u8>::new().try_reserve_exact(2 * length as usize);
    if length > LONGEST_STRING || (length > PAGE && memory().is_err()) {
        return Err(too_large(&format!("a string of {length} bytes is longer than JavaScript can hold")));
    }
    Ok(JsValue::from_str(&text.to_string_lossy()))
}

/// Strings as a JavaScript array.
///
/// Crossing into JavaScript costs more than decoding a token, so a page of text is decoded as one
/// string and split there at NUL, unless a token has one.
pub(super) fn strings<'a>(texts: impl Iterator<Item = Str<'a>>) -> Result<JsArray, JsValue> {
    let mut strings = JsArray::new();
    let mut page = Page::default();
    for text in texts {
        if text.byte_length() > PAGE {
            page.append_to(&mut strings);
            strings.push(&string(text)?);
        } else {
            if page.text.len() as u64 + text.byte_length() > PAGE {
                page.append_to(&mut strings);
            }
            page.push(text);
        }
    }
    page.append_to(&mut strings);
    Ok(strings)
}

/// Strings, a separator after each.
#[derive(Default)]
struct Page {
    text: Vec<u8>,
    /// Where each string ends: its separator's place.
    ends: Vec<u32>,
}

impl Page {
    fn push(&mut self, text: Str<'_>) {
        for piece in text.pieces() {
            self.text.extend_from_slice(piece);
        }
        self.ends.push(self.text.len() as u32);
        self.text.push(0);
    }

    /// Adds the strings to `strings`, and empties the page.
    fn append_to(&mut self, strings: &mut JsArray) {
        let Self { mut text, ends } = core::mem::take(self);
        let Some((last, inner)) = ends.split_last() else { return };
        text.truncate(*last as usize);
        let separators = text.iter().filter(|byte| **byte == 0).count();
        let page = match core::str::from_utf8(&text) {
            Ok(text) if separators == inner.len() => JsString::from(text).split("\0"),
            _ => {
                let starts = [0].into_iter().chain(inner.iter().map(|end| end + 1));
                let string = |(start, end): (u32, &u32)| {
                    JsValue::from_str(&String::from_utf8_lossy(&text[start as usize..*end as usize]))
                };
                starts.zip(&ends).map(string).collect()
            }
        };
        *strings = if strings.length() == 0 { page } else { strings.concat(&page) };
    }
}
