//! Typed arrays of numbers in JavaScript's memory, whose length may be beyond 2^32.

use js_sys::ArrayBuffer;
use wasm_bindgen::prelude::*;

use crate::interop::bytes::Bytes;
use crate::interop::thrown::Thrown;

#[wasm_bindgen]
extern "C" {
    /// A typed array of numbers.
    #[derive(Clone)]
    pub type Numbers;
    #[wasm_bindgen(method, getter)]
    pub fn length(this: &Numbers) -> f64;
    #[wasm_bindgen(method)]
    pub fn subarray(this: &Numbers, start: f64, end: f64) -> Numbers;

    #[wasm_bindgen(extends = Numbers)]
    type Float32Array;
    #[wasm_bindgen(constructor, catch)]
    fn with_length(length: f64) -> Result<Float32Array, Thrown>;
    #[wasm_bindgen(constructor, catch)]
    fn of_buffer(buffer: &JsValue, offset: f64, length: f64) -> Result<Float32Array, Thrown>;
    #[wasm_bindgen(extends = Numbers)]
    type Float64Array;
    #[wasm_bindgen(constructor, catch)]
    fn with_length(length: f64) -> Result<Float64Array, Thrown>;
    #[wasm_bindgen(extends = Numbers)]
    type BigInt64Array;
    #[wasm_bindgen(constructor, catch)]
    fn with_length(length: f64) -> Result<BigInt64Array, Thrown>;
}

/// A new `Float32Array`. Fails if the memory cannot be allocated.
pub(crate) fn new_float32_array(length: f64) -> Result<Numbers, Thrown> {
    Ok(Float32Array::with_length(length)?.into())
}

/// A new `Float64Array`. Fails if the memory cannot be allocated.
pub(crate) fn new_float64_array(length: f64) -> Result<Numbers, Thrown> {
    Ok(Float64Array::with_length(length)?.into())
}

/// A new `BigInt64Array`. Fails if the memory cannot be allocated.
pub(crate) fn new_bigint64_array(length: f64) -> Result<Numbers, Thrown> {
    Ok(BigInt64Array::with_length(length)?.into())
}

/// A `Float32Array` over the memory of one that a caller gives, without copying it. Returns `None` for other values, and for
/// one whose memory has been transferred away.
pub(crate) fn float32_array(value: &JsValue) -> Option<Numbers> {
    if !ArrayBuffer::is_view(value) || !value.is_instance_of::<Float32Array>() {
        return None;
    }
    let part = Bytes::of(value)?;
    Float32Array::of_buffer(&part.buffer(), part.byte_offset(), part.byte_length() / 4.0).ok().map(Into::into)
}
