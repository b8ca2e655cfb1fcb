//! Metadata values as JavaScript has them.

use alloc::format;
use alloc::vec::Vec;

use js_sys::{Array as JsArray, BigInt, JsString};
use wasm_bindgen::prelude::*;

use crate::format::value::{Str, Value, ValueType};
use crate::web::interop::error::too_large;
use crate::web::reader::array::MetadataArray;
use crate::web::reader::file::File;
use crate::web::reader::shared_file::SharedFile;

crate::web::interop::typescript::string_union!("The types of metadata values.", "ValueTypeName", &[ValueType::NAMES]);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/**
 * A metadata value: a number for integers of up to 32 bits and for floats, a `bigint` for `UINT64` and
 * `INT64` always, a boolean, a string (with U+FFFD where the stored bytes are not UTF-8), or an array.
 */
export type MetadataValue = number | bigint | boolean | string | MetadataArray;
"#;

/// The longest string that every engine can hold: V8's `String::kMaxLength`, in UTF-16 units.
pub(crate) const LONGEST_STRING: u64 = (1 << 29) - 24;

/// Bytes of text that are decoded at once, and of a string that is not worth a thought.
const PAGE: u64 = 4 << 20;

/// A value as JavaScript has it. `file` is the one that the value is of.
pub(crate) fn to_js(file: &SharedFile, value: Value<'_>) -> Result<JsValue, JsValue> {
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
        Value::String(value) => string(&*file.get()?, value)?,
        Value::Array(value) => MetadataArray::new(file.clone(), value).into(),
    })
}

/// Text of UTF-8, with U+FFFD where it is not.
pub(crate) fn text(file: &File, bytes: &[u8]) -> Result<JsString, JsValue> {
    file.text(bytes).map_err(|_| too_long(bytes.len() as u64))
}

fn too_long(length: u64) -> JsValue {
    too_large(&format!("a string of {length} bytes is longer than JavaScript can hold"))
}

/// Whether there is a U+FFFD in a text, which can stand for what is not UTF-8 and then is not how it is stored.
pub(crate) fn stands_in(text: &str) -> bool {
    text.as_bytes().windows(3).any(|character| character == "\u{fffd}".as_bytes())
}

/// The text of a string, with U+FFFD where it is not UTF-8.
pub(crate) fn string(file: &File, stored: Str<'_>) -> Result<JsValue, JsValue> {
    let length = stored.byte_length();
    // Probed, because copying the pieces of a long string together would trap where there is no memory.
    let memory = || Vec::<u8>::new().try_reserve_exact(2 * length as usize);
    if length > LONGEST_STRING || (length > PAGE && memory().is_err()) {
        return Err(too_long(length));
    }
    Ok(text(file, &stored.to_bytes())?.into())
}

/// Strings as a JavaScript array.
///
/// Crossing into JavaScript costs more than decoding a token, so a page of text is decoded as one
/// string and split there at NUL, unless a token has one.
pub(crate) fn strings<'a>(file: &File, stored: impl Iterator<Item = Str<'a>>) -> Result<JsArray, JsValue> {
    let pages = JsArray::new();
    let mut page = Page::default();
    for stored in stored {
        if stored.byte_length() > PAGE {
            page.turn(file, &pages)?;
            pages.push(&string(file, stored)?);
        } else {
            if page.bytes.len() as u64 + stored.byte_length() > PAGE {
                page.turn(file, &pages)?;
            }
            page.push(stored);
        }
    }
    page.turn(file, &pages)?;
    Ok(if pages.length() == 1 && pages.get(0).is_array() { pages.get(0).unchecked_into() } else { pages.flat(1) })
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

    /// Adds the strings as an array to `pages`, and empties the page.
    fn turn(&mut self, file: &File, pages: &JsArray) -> Result<(), JsValue> {
        let Self { bytes, ends } = core::mem::take(self);
        let Some(last) = ends.last() else { return Ok(()) };
        let page = if bytes.iter().filter(|byte| **byte == 0).count() == ends.len() {
            // Bytes that are not UTF-8 spoil no other string: a decoder begins anew at every NUL.
            text(file, &bytes[..*last as usize])?.split("\0")
        } else {
            let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
            let strings = starts.zip(&ends).map(|(start, end)| text(file, &bytes[start as usize..*end as usize]));
            strings.collect::<Result<JsArray, _>>()?
        };
        pages.push(&page);
        Ok(())
    }
}
