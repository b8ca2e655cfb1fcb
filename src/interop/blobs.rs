//! Reading `Blob`s, whose members a subclass may have replaced.

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::interop::error::failure;
use crate::interop::objects::AnyObject;
use crate::interop::promises::called;
use crate::interop::thrown::Thrown;

#[wasm_bindgen]
extern "C" {
    type BlobMethods;
    #[wasm_bindgen(method, catch, js_name = arrayBuffer)]
    fn array_buffer(this: &BlobMethods) -> Result<JsValue, Thrown>;

    #[wasm_bindgen(js_name = Blob)]
    type NewBlob;
    #[wasm_bindgen(constructor, catch, js_class = "Blob")]
    fn new(parts: &js_sys::Array, options: &JsValue) -> Result<NewBlob, Thrown>;
}

/// A `Blob` of parts. `options` can have its `type`.
pub(crate) fn joined(parts: &js_sys::Array, options: &JsValue) -> Result<Blob, Thrown> {
    Ok(NewBlob::new(parts, options)?.unchecked_into())
}

/// The size of a `Blob` in bytes.
pub(crate) fn size(blob: &Blob) -> Result<f64, Thrown> {
    let size = blob.unchecked_ref::<AnyObject>().get("size")?;
    size.as_f64().ok_or_else(|| {
        let found = size.js_typeof().as_string().unwrap_or_default();
        failure!(InvalidSource: "the Blob cannot be read: its size is of type {found}, expected a number")
    })
}

/// Reads the bytes `start..end` of a `Blob`. A subclass of `Blob` may return a value of any type.
pub(crate) async fn read(blob: &Blob, start: u64, end: u64) -> Result<JsValue, Thrown> {
    let slice = blob.slice_with_f64_and_f64(start as f64, end as f64)?;
    called(slice.unchecked_ref::<BlobMethods>().array_buffer()).await
}
