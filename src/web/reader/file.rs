//! The header of an opened file, and what its text is decoded with.

use alloc::sync::Arc;
use core::ops::Deref;

use js_sys::JsString;
use wasm_bindgen::prelude::*;

use crate::format::header::Header;
use crate::web::interop::js::Record;

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    type TextDecoder;
    #[wasm_bindgen(constructor)]
    fn new(encoding: &str, options: &JsValue) -> TextDecoder;
    #[wasm_bindgen(method, catch)]
    fn decode(this: &TextDecoder, bytes: &[u8]) -> Result<JsString, JsValue>;
}

/// A header as JavaScript reads it. What is read of it shares it.
pub(crate) struct File {
    header: Arc<Header>,
    decoder: TextDecoder,
}

impl File {
    pub fn new(header: Header) -> Self {
        let options = Record::new().value("ignoreBOM", &JsValue::TRUE).done();
        Self { header: Arc::new(header), decoder: TextDecoder::new("utf-8", &options) }
    }

    /// Another header.
    pub fn with(&self, header: Arc<Header>) -> Self {
        Self { header, decoder: self.decoder.clone() }
    }

    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Text of UTF-8, with U+FFFD where it is not; an error if it is longer than a string can be.
    pub fn text(&self, bytes: &[u8]) -> Result<JsString, JsValue> {
        self.decoder.decode(bytes)
    }
}

impl Deref for File {
    type Target = Header;

    fn deref(&self) -> &Header {
        &self.header
    }
}
