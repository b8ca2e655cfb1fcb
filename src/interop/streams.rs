//! Reading `ReadableStream`s, which may be of the host or objects that behave like one.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::interop::error::read_failed;
use crate::interop::promises::called;
use crate::interop::thrown::Thrown;

#[wasm_bindgen]
extern "C" {
    /// A `ReadableStream`.
    pub type Stream;

    /// The reader of a stream.
    type Reader;
    /// A promise of an array with the next chunk, or of `undefined` at the end.
    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<JsValue, Thrown>;
    /// Cancels the stream and releases its lock.
    #[wasm_bindgen(method)]
    fn cancel(this: &Reader);
}

#[wasm_bindgen(raw_module = "glue/sources.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = readerOf)]
    fn reader_of(stream: &Stream) -> Result<Reader, Thrown>;
}

/// A stream that is being read. Dropping it cancels the stream and releases its lock.
pub(crate) struct StreamReader(Reader);

impl StreamReader {
    pub fn new(stream: &Stream) -> Result<Self, Thrown> {
        Ok(Self(reader_of(stream).map_err(|error| read_failed(&error))?))
    }

    /// The next chunk; `None` at the end.
    pub async fn read(&self) -> Result<Option<JsValue>, Thrown> {
        let chunk = called(self.0.read()).await?;
        Ok(if chunk.is_undefined() { None } else { Some(chunk.unchecked_into::<Array>().get(0)) })
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
