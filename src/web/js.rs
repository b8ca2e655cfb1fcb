//! What web-sys does not declare, or not as something that can throw.

use js_sys::{ArrayBuffer, Function, Promise, SharedArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::RequestInit;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    pub fn fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;

    /// A `ReadableStream` of the host's, or an object that behaves like one.
    pub type Stream;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    pub fn get_reader(this: &Stream) -> Result<StreamReader, JsValue>;

    pub type StreamReader;
    #[wasm_bindgen(method, catch)]
    pub fn read(this: &StreamReader) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn cancel(this: &StreamReader) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = releaseLock)]
    pub fn release_lock(this: &StreamReader) -> Result<(), JsValue>;

    pub type StreamResult;
    #[wasm_bindgen(method, getter)]
    pub fn done(this: &StreamResult) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn value(this: &StreamResult) -> JsValue;

    /// A `Uint8Array`, whose length may be beyond 2^32, and memory for which may not be had.
    #[wasm_bindgen(js_name = Uint8Array)]
    #[derive(Clone)]
    pub type Bytes;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    pub fn with_length(length: f64) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(constructor, js_class = "Uint8Array")]
    pub fn of_buffer(buffer: &JsValue, offset: f64, length: f64) -> Bytes;
    #[wasm_bindgen(method, getter, js_name = byteLength)]
    pub fn byte_length(this: &Bytes) -> f64;
    #[wasm_bindgen(method, getter, js_name = byteOffset)]
    fn byte_offset(this: &Bytes) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn buffer(this: &Bytes) -> JsValue;
    #[wasm_bindgen(method)]
    pub fn subarray(this: &Bytes, start: f64, end: f64) -> Uint8Array;
    #[wasm_bindgen(method, catch)]
    pub fn slice(this: &Bytes, start: f64, end: f64) -> Result<Bytes, JsValue>;

    /// Anything that a caller passed in, by the members that it may have.
    pub type Members;
    #[wasm_bindgen(method, getter)]
    pub fn href(this: &Members) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn size(this: &Members) -> JsValue;
    #[wasm_bindgen(method, getter)]
    pub fn message(this: &Members) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = read)]
    pub fn read_method(this: &Members) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = getFile)]
    pub fn get_file_method(this: &Members) -> JsValue;
    #[wasm_bindgen(method, getter, js_name = getReader)]
    pub fn get_reader_method(this: &Members) -> JsValue;
}

/// `value` as something whose members can be asked for: `None` for `undefined`, `null` and values
/// that are not objects.
pub fn members(value: &JsValue) -> Option<&Members> {
    (value.is_object() || value.is_function()).then(|| value.unchecked_ref())
}

/// The member as a function, if it is one.
pub fn function(member: JsValue) -> Option<Function> {
    member.dyn_into().ok()
}

/// Whether the promise is one, or the value is there already: what `await` takes.
pub async fn resolved(value: JsValue) -> Result<JsValue, JsValue> {
    wasm_bindgen_futures::JsFuture::from(Promise::resolve(&value)).await
}

/// Does not wait for a promise, and does not let its rejection be reported as unhandled.
pub fn ignore(promise: Result<Promise, JsValue>) {
    if let Ok(promise) = promise {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
        });
    }
}

/// The bytes of a typed array, a `DataView` or a buffer, without copying them.
pub fn bytes(value: &JsValue) -> Option<Bytes> {
    // A buffer too has a `byteLength`. Subclasses are not kept: the `slice` of Node's `Buffer` does not copy.
    let part: &Bytes = value.unchecked_ref();
    if ArrayBuffer::is_view(value) {
        Some(Bytes::of_buffer(&part.buffer(), part.byte_offset(), part.byte_length()))
    } else if value.is_instance_of::<ArrayBuffer>() || value.is_instance_of::<SharedArrayBuffer>() {
        Some(Bytes::of_buffer(value, 0.0, part.byte_length()))
    } else {
        None
    }
}
