//! Metadata values as JavaScript has them.

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

use js_sys::{Array as JsArray, BigInt, JsString};
use wasm_bindgen::prelude::*;

use super::array::MetadataArray;
use super::error::too_large;
use super::js::Shape;
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

#[wasm_bindgen]
extern "C" {
    type TextDecoder;
    #[wasm_bindgen(constructor)]
    fn new(encoding: &str, options: &JsValue) -> TextDecoder;
    #[wasm_bindgen(method)]
    fn decode(this: &TextDecoder, bytes: &[u8]) -> JsString;
}

std::thread_local! {
    static DECODER: TextDecoder =
        TextDecoder::new("utf-8", &Shape::new(["ignoreBOM"]).object([JsValue::TRUE]));
}

/// Text of UTF-8, with U+FFFD where it is not.
fn text(bytes: &[u8]) -> JsString {
    DECODER.with(|decoder| decoder.decode(bytes))
}

/// The text of a string, with U+FFFD where it is not UTF-8.
pub(super) fn string(stored: Str<'_>) -> Result<JsValue, JsValue> {
    let length = stored.byte_length();
    // Probed, because copying the pieces of a long string together would trap where there is no memory.
    let memory = || Vec::<u8>::new().try_reserve_exact(2 * length as usize);
    if length > LONGEST_STRING || (length > PAGE && memory().is_err()) {
        return Err(too_large(&format!("a string of {length} bytes is longer than JavaScript can hold")));
    }
    Ok(text(&stored.to_bytes()).into())
}

/// Strings as a JavaScript array.
///
/// Crossing into JavaScript costs more than decoding a token, so a page of text is decoded as one
/// string and split there at NUL, unless a token has one.
pub(super) fn strings<'a>(stored: impl Iterator<Item = Str<'a>>) -> Result<JsArray, JsValue> {
    let mut strings = JsArray::new();
    let mut page = Page::default();
    for stored in stored {
        if stored.byte_length() > PAGE {
            page.append_to(&mut strings);
            strings.push(&string(stored)?);
        } else {
            if page.bytes.len() as u64 + stored.byte_length() > PAGE {
                page.append_to(&mut strings);
            }
            page.push(stored);
        }
    }
    page.append_to(&mut strings);
    Ok(strings)
}

/// The bytes of strings, NUL after each.
#[derive(Default)]
struct Page {
    bytes: Vec<u8>,
    /// Where each string ends: its NUL's place.
    ends: Vec<u32>,
}

impl Page {
    fn push(&mut self, stored: Str<'_>) {
        for piece in stored.pieces() {
            self.bytes.extend_from_slice(piece);
        }
        self.ends.push(self.bytes.len() as u32);
        self.bytes.push(0);
    }

    /// Adds the strings to `strings`, and empties the page.
    fn append_to(&mut self, strings: &mut JsArray) {
        let Self { bytes, ends } = core::mem::take(self);
        let Some(last) = ends.last() else { return };
        let page = if bytes.iter().filter(|byte| **byte == 0).count() == ends.len() {
            // Bytes that are not UTF-8 spoil no other string: a decoder begins anew at every NUL.
            text(&bytes[..*last as usize]).split("\0")
        } else {
            let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
            starts.zip(&ends).map(|(start, end)| text(&bytes[start as usize..*end as usize])).collect()
        };
        *strings = if strings.length() == 0 { page } else { strings.concat(&page) };
    }
}
