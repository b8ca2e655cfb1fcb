//! Strings of a header as JavaScript strings.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::format::value::Str;
use crate::web::interop::{JsArray, JsString, LONGEST_STRING, failure};
use crate::web::reader::decoded_header::DecodedHeader;

/// The most bytes of text that are decoded at once.
const PAGE_BYTES: u64 = 4 << 20;

/// The text of bytes, with U+FFFD in place of bytes that are not UTF-8.
pub(crate) fn text(header: &DecodedHeader, bytes: &[u8]) -> Result<JsString, JsValue> {
    header.decoder.decode(bytes).map_err(|_| too_long(bytes.len() as u64))
}

/// The text of a stored string, with U+FFFD in place of bytes that are not UTF-8.
pub(crate) fn string(header: &DecodedHeader, stored: Str<'_>) -> Result<JsString, JsValue> {
    let length = stored.byte_length();
    // Joining the pieces of a long string would stop the module if there is no memory for it.
    let has_memory = || Vec::<u8>::new().try_reserve_exact(2 * length as usize).is_ok();
    if length > LONGEST_STRING || (length > PAGE_BYTES && !has_memory()) {
        return Err(too_long(length));
    }
    text(header, &stored.to_bytes())
}

/// Whether JavaScript has a stored string as `shown`.
pub(crate) fn is_shown_as(header: &DecodedHeader, stored: Str<'_>, shown: &JsValue) -> bool {
    string(header, stored).is_ok_and(|text| JsValue::from(text) == *shown)
}

fn too_long(length: u64) -> JsValue {
    failure!(TooLarge: "a string of {length} bytes is longer than a JavaScript string or the memory can be")
}

/// Stored strings as a JavaScript array.
///
/// A call into JavaScript takes longer than decoding a token. So a page of strings is decoded as one text, which JavaScript
/// splits at the NUL after each string. If one of the strings contains NUL, the strings of that page are decoded one by one.
pub(crate) fn strings<'a>(header: &DecodedHeader, stored: impl Iterator<Item = Str<'a>>) -> Result<JsArray, JsValue> {
    let pages = JsArray::new();
    let mut page = Page::default();
    for stored in stored {
        if stored.byte_length() > PAGE_BYTES {
            page.decode_into(header, &pages)?;
            pages.push(string(header, stored)?.as_ref());
        } else {
            if page.bytes.len() as u64 + stored.byte_length() > PAGE_BYTES {
                page.decode_into(header, &pages)?;
            }
            page.push(stored);
        }
    }
    page.decode_into(header, &pages)?;
    Ok(if pages.length() == 1 && pages.get(0).is_array() { pages.get(0).unchecked_into() } else { pages.flat(1) })
}

/// The bytes of strings, with NUL after each.
#[derive(Default)]
struct Page {
    bytes: Vec<u8>,
    /// The position of the NUL after each string.
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

    /// Adds the strings to `pages` as an array, and empties the page.
    fn decode_into(&mut self, header: &DecodedHeader, pages: &JsArray) -> Result<(), JsValue> {
        let Self { bytes, ends } = core::mem::take(self);
        let Some(last) = ends.last() else { return Ok(()) };
        let page = if bytes.iter().filter(|byte| **byte == 0).count() == ends.len() {
            // Bytes that are not UTF-8 do not change other strings: the decoder starts anew at every NUL.
            text(header, &bytes[..*last as usize])?.split("\0")
        } else {
            let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
            let strings = starts.zip(&ends).map(|(start, end)| text(header, &bytes[start as usize..*end as usize]));
            strings.collect::<Result<JsArray, _>>()?
        };
        pages.push(&page);
        Ok(())
    }
}
