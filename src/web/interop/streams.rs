//! Reading `ReadableStream`s, which may be of the host or objects that behave like one.

use wasm_bindgen::prelude::*;

use crate::web::interop::error::{failure, read_failed};
use crate::web::interop::objects::as_object;
use crate::web::interop::promises::{called, ignore};

#[wasm_bindgen]
extern "C" {
    /// A `ReadableStream`.
    pub type Stream;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_reader(this: &Stream) -> Result<Reader, JsValue>;

    type Reader;
    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn cancel(this: &Reader) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = releaseLock)]
    fn release_lock(this: &Reader) -> Result<(), JsValue>;
}

/// A stream that is being read. Dropping it cancels the stream and releases its lock.
pub(crate) struct StreamReader(Reader);

impl StreamReader {
    pub fn new(stream: &Stream) -> Result<Self, JsValue> {
        Ok(Self(stream.get_reader().map_err(|error| read_failed(&error))?))
    }

    /// The next chunk; `None` at the end.
    pub async fn read(&self) -> Result<Option<JsValue>, JsValue> {
        let result = called(self.0.read()).await?;
        match as_object(&result) {
            Some(result) => Ok(if result.get("done")?.is_truthy() { None } else { Some(result.get("value")?) }),
            None => {
                let found = result.js_typeof().as_string().unwrap_or_default();
                Err(failure!(ReadFailed:
                    "the stream cannot be read: read() of its reader returned a value of type {found}, expected an \
                     object with the members done and value"))
            }
        }
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        ignore(self.0.cancel());
        let _ = self.0.release_lock();
    }
}
