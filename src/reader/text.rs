//! Strings of a header as JavaScript strings. The decoder is that of the header: [`utf8_decoder`](crate::interop::utf8_decoder).

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, JsString, LONGEST_STRING, TextDecoder, failure};
use gguf_format::format::value::Str;

/// The most bytes of text that are decoded at once.
const PAGE_BYTES: u64 = 4 << 20;

/// The text of bytes, with U+FFFD in place of bytes that are not UTF-8.
pub(crate) fn text(decoder: &TextDecoder, bytes: &[u8]) -> Result<JsString, Thrown> {
    decoder.decode(bytes).map_err(|_| too_long(bytes.len() as u64))
}

/// The text of a stored string, with U+FFFD in place of bytes that are not UTF-8.
pub(crate) fn string(decoder: &TextDecoder, stored: Str<'_>) -> Result<JsString, Thrown> {
    let length = stored.byte_length();
    // Joining the pieces of a long string would stop the module if there is no memory for it.
    let has_memory = || Vec::<u8>::new().try_reserve_exact(2 * length as usize).is_ok();
    if length > LONGEST_STRING || (length > PAGE_BYTES && !has_memory()) {
        return Err(too_long(length));
    }
    text(decoder, &stored.to_bytes())
}

/// Whether JavaScript has a stored string as `shown`.
pub(crate) fn is_shown_as(decoder: &TextDecoder, stored: Str<'_>, shown: &JsValue) -> bool {
    string(decoder, stored).is_ok_and(|text| JsValue::from(text) == *shown)
}

fn too_long(length: u64) -> Thrown {
    failure!(TooLarge: "a string of {length} bytes is longer than a JavaScript string or the memory can be")
}

/// Stored strings as a JavaScript array.
///
/// A call into JavaScript takes longer than decoding a token. So a page of strings is decoded as one text, which JavaScript
/// splits at the NUL after each string. If one of the strings contains NUL, the strings of that page are decoded one by one.
pub(crate) fn strings<'a>(decoder: &TextDecoder, stored: impl Iterator<Item = Str<'a>>) -> Result<JsArray, Thrown> {
    let pages = JsArray::new();
    let mut page = Page::default();
    for stored in stored {
        if stored.byte_length() > PAGE_BYTES {
            page.decode_into(decoder, &pages)?;
            pages.push(string(decoder, stored)?.as_ref());
        } else {
            if page.bytes.len() as u64 + stored.byte_length() > PAGE_BYTES {
                page.decode_into(decoder, &pages)?;
            }
            page.push(stored);
        }
    }
    page.decode_into(decoder, &pages)?;
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
    fn decode_into(&mut self, decoder: &TextDecoder, pages: &JsArray) -> Result<(), Thrown> {
        let Self { bytes, ends } = core::mem::take(self);
        let Some(last) = ends.last() else { return Ok(()) };
        let page = if bytes.iter().filter(|byte| **byte == 0).count() == ends.len() {
            // Bytes that are not UTF-8 do not change other strings: the decoder starts anew at every NUL.
            text(decoder, &bytes[..*last as usize])?.split("\0")
        } else {
            let starts = [0].into_iter().chain(ends.iter().map(|end| end + 1));
            let strings = starts.zip(&ends).map(|(start, end)| text(decoder, &bytes[start as usize..*end as usize]));
            strings.collect::<Result<JsArray, _>>()?
        };
        pages.push(&page);
        Ok(())
    }
}
