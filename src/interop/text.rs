//! UTF-8 text as JavaScript strings.

use js_sys::JsString;
use wasm_bindgen::prelude::*;

use crate::interop::objects::set_member;
use crate::interop::thrown::Thrown;

/// The longest string that every engine can hold, in UTF-16 units: V8's `String::kMaxLength`.
pub(crate) const LONGEST_STRING: u64 = (1 << 29) - 24;

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    pub type TextDecoder;
    #[wasm_bindgen(constructor)]
    fn new(encoding: &str, options: &JsValue) -> TextDecoder;
    /// The text of bytes, with U+FFFD in place of bytes that are not UTF-8. Fails if it is longer than a string can be.
    #[wasm_bindgen(method, catch)]
    pub fn decode(this: &TextDecoder, bytes: &[u8]) -> Result<JsString, Thrown>;
}

/// A decoder that keeps a byte order mark, because it is part of the stored text.
pub(crate) fn utf8_decoder() -> TextDecoder {
    let options = js_sys::Object::new().into();
    set_member(&options, "ignoreBOM", &JsValue::TRUE);
    TextDecoder::new("utf-8", &options)
}

/// Whether a text has a U+FFFD. Such a text may stand for stored bytes that are not UTF-8.
pub(crate) fn may_be_lossy(text: &str) -> bool {
    text.chars().any(|character| character == char::REPLACEMENT_CHARACTER)
}
