//! Metadata values as JavaScript has them.

use alloc::borrow::Cow;
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

/// Bytes of text that are decoded at once.
const PAGE: usize = 16 << 20;

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
    Ok(JsValue::from_str(&lossy(text)?))
}

/// Text in one piece, if JavaScript can hold it and there is memory to copy it together.
fn lossy(text: Str<'_>) -> Result<Cow<'_, str>, JsValue> {
    let length = text.byte_length();
    let memory = || Vec::<u8>::new().try_reserve_exact(length as usize);
    if length > LONGEST_STRING || memory().is_err() {
        return Err(too_large(&format!("a string of {length} bytes is longer than JavaScript can hold")));
    }
    Ok(text.to_string_lossy())
}

/// Strings as a JavaScript array.
///
/// Crossing into JavaScript costs more than decoding a token, so a page of text is decoded as one
/// string and split there at a control character that no token on it has.
pub(super) fn strings<'a>(texts: impl Iterator<Item = Str<'a>>) -> Result<JsArray, JsValue> {
    let mut pages = JsArray::new();
    let mut page = Page::default();
    for text in texts {
        if text.byte_length() as usize + page.text.len() > PAGE {
            page.append_to(&mut pages);
        }
        page.push(&lossy(text)?);
    }
    page.append_to(&mut pages);
    Ok(pages)
}

/// Strings, a separator after each.
#[derive(Default)]
struct Page {
    text: Vec<u8>,
    /// Where each string ends: its separator's place.
    ends: Vec<u32>,
    /// Which of the 32 control characters occur in the strings, by bit.
    controls: u32,
}

impl Page {
    fn push(&mut self, text: &str) {
        for byte in text.bytes() {
            if byte < 32 {
                self.controls |= 1 << byte;
            }
        }
        self.text.extend_from_slice(text.as_bytes());
        self.ends.push(self.text.len() as u32);
        self.text.push(0);
    }

    /// Adds the strings to `strings`, and empties the page.
    fn append_to(&mut self, strings: &mut JsArray) {
        let Self { mut text, ends, controls } = core::mem::take(self);
        let separator = controls.trailing_ones() as u8;
        let page = if ends.is_empty() {
            return;
        } else if separator == 32 {
            let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
            starts.zip(&ends).map(|(start, end)| JsValue::from(utf8(&text[start as usize..*end as usize]))).collect()
        } else {
            text.pop();
            if separator != 0 {
                for end in &ends[..ends.len() - 1] {
                    text[*end as usize] = separator;
                }
            }
            utf8(&text).split(utf8_char(&[separator]))
        };
        *strings = if strings.length() == 0 { page } else { strings.concat(&page) };
    }
}

fn utf8_char(separator: &[u8; 1]) -> &str {
    core::str::from_utf8(separator).unwrap_or_default()
}

fn utf8(text: &[u8]) -> JsString {
    JsString::from(
        match core::str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(text),
        }
        .as_ref(),
    )
}
