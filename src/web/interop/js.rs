//! What web-sys does not declare, or not as something that can throw.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use js_sys::{Array, ArrayBuffer, Function, Object, Promise, SharedArrayBuffer};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, RequestInit};

use crate::web::interop::error::{Code, failure, too_large};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Promise)]
    fn race(values: &Array) -> Result<Promise, JsValue>;

    /// A `Blob`, whose methods a subclass may have replaced.
    type BlobMethods;
    #[wasm_bindgen(method, catch, js_name = arrayBuffer)]
    fn array_buffer(this: &BlobMethods) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn array_is(value: &JsValue) -> Result<bool, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Object)]
    pub fn entries(object: &JsValue) -> Result<Array, JsValue>;

    #[wasm_bindgen(catch)]
    pub fn fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;

    /// A `ReadableStream` of the host's, or an object that behaves like one.
    pub type Stream;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    pub fn get_reader(this: &Stream) -> Result<StreamReader, JsValue>;

    pub type StreamReader;
    #[wasm_bindgen(method, catch)]
    pub fn read(this: &StreamReader) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn cancel(this: &StreamReader) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = releaseLock)]
    pub fn release_lock(this: &StreamReader) -> Result<(), JsValue>;

    /// A `Uint8Array`, whose length may be beyond 2^32, and memory for which may not be had.
    #[wasm_bindgen(js_name = Uint8Array)]
    #[derive(Clone)]
    pub type Bytes;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    pub fn with_length(length: f64) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn of_buffer(buffer: &JsValue, offset: &JsValue, length: &JsValue) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(method, getter, js_name = byteLength)]
    pub fn byte_length(this: &Bytes) -> f64;
    #[wasm_bindgen(method, getter, js_name = byteOffset)]
    fn byte_offset(this: &Bytes) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn buffer(this: &Bytes) -> JsValue;
    // These throw where the memory has been transferred away, or has shrunk.
    #[wasm_bindgen(method, catch)]
    pub fn subarray(this: &Bytes, start: f64, end: f64) -> Result<Bytes, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn set(this: &Bytes, part: &Bytes, offset: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = set)]
    pub fn set_from(this: &Bytes, part: &[u8], offset: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["Uint8Array", "prototype", "set"], js_name = call)]
    fn copy_into(memory: &mut [u8], bytes: &Bytes) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    pub fn slice(this: &Bytes, start: f64, end: f64) -> Result<Bytes, JsValue>;

    /// A typed array of numbers, whose length may be beyond 2^32.
    #[derive(Clone)]
    pub type Numbers;
    #[wasm_bindgen(method, getter)]
    pub fn length(this: &Numbers) -> f64;
    #[wasm_bindgen(method)]
    pub fn subarray(this: &Numbers, start: f64, end: f64) -> Numbers;

    #[wasm_bindgen(extends = Numbers)]
    type Float32Array;
    #[wasm_bindgen(constructor, catch)]
    fn with_length(length: f64) -> Result<Float32Array, JsValue>;
    #[wasm_bindgen(constructor, catch)]
    fn of_buffer(buffer: &JsValue, offset: f64, length: f64) -> Result<Float32Array, JsValue>;
    #[wasm_bindgen(extends = Numbers)]
    type Float64Array;
    #[wasm_bindgen(constructor, catch)]
    fn with_length(length: f64) -> Result<Float64Array, JsValue>;
    #[wasm_bindgen(extends = Numbers)]
    type BigInt64Array;
    #[wasm_bindgen(constructor, catch)]
    fn with_length(length: f64) -> Result<BigInt64Array, JsValue>;

    /// Any object, by the names of its members.
    #[wasm_bindgen(extends = Object)]
    #[derive(Clone)]
    pub type Members;
    #[wasm_bindgen(method, catch, indexing_getter)]
    pub fn get(this: &Members, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, indexing_getter)]
    fn at(this: &Members, index: u32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, indexing_setter)]
    fn set(this: &Members, name: &JsValue, value: &JsValue);
    #[wasm_bindgen(method, indexing_setter)]
    fn set_named(this: &Members, name: &str, value: &JsValue);
    #[wasm_bindgen(method, indexing_setter)]
    fn set_number(this: &Members, name: &str, value: f64);
}

/// The names of the members of objects that are made alike.
pub struct Shape(Vec<JsValue>);

impl Shape {
    pub fn new(names: &[&str]) -> Self {
        Self(names.iter().map(|name| JsValue::from_str(name)).collect())
    }

    /// An object with these members, in the order of the names; those that are `undefined` are left out.
    #[inline(never)]
    pub fn object(&self, members: &[JsValue]) -> JsValue {
        let object = Object::new();
        for (name, value) in self.0.iter().zip(members).filter(|(_, value)| !value.is_undefined()) {
            object.unchecked_ref::<Members>().set(name, value);
        }
        object.into()
    }
}

/// Whether a number is an integer, one that `i64` holds.
pub fn is_whole(number: f64) -> bool {
    number == number as i64 as f64
}

/// Builds one object member by member. For many objects with the same members, use [`Shape`].
pub struct Record(Object);

impl Record {
    pub fn new() -> Self {
        Self(Object::new())
    }

    /// One that has members already.
    pub fn of(object: Object) -> Self {
        Self(object)
    }

    /// Adds a member, unless the value is `undefined`.
    #[inline(never)]
    pub fn value(self, name: &str, value: &JsValue) -> Self {
        if !value.is_undefined() {
            self.0.unchecked_ref::<Members>().set_named(name, value);
        }
        self
    }

    pub fn text(self, name: &str, value: &str) -> Self {
        self.value(name, &JsValue::from_str(value))
    }

    pub fn number(self, name: &str, value: f64) -> Self {
        self.numbers(&[name], &[value])
    }

    #[inline(never)]
    pub fn numbers(self, names: &[&str], values: &[f64]) -> Self {
        for (name, value) in names.iter().zip(values) {
            self.0.unchecked_ref::<Members>().set_number(name, *value);
        }
        self
    }

    pub fn done(self) -> JsValue {
        self.0.into()
    }
}

/// `value` as something whose members can be asked for: `None` for `undefined`, `null` and values
/// that are not objects.
pub fn members(value: &JsValue) -> Option<&Members> {
    (value.is_object() || value.is_function()).then(|| value.unchecked_ref())
}

/// Options as an object that is asked for its members; what else was given as options has none.
pub fn members_of(options: &Option<impl AsRef<JsValue>>) -> Option<Members> {
    members(options.as_ref()?.as_ref()).cloned()
}

impl Bytes {
    /// Copies the bytes into the module's memory, which has room for exactly these.
    pub fn copy_to(&self, memory: &mut [u8]) -> Result<(), JsValue> {
        if self.byte_length() != memory.len() as f64 {
            return Err(failure(Code::ReadFailed, "the memory of the bytes was changed while they were read"));
        }
        copy_into(memory, self)
    }

    /// A copy of the bytes in the module's memory, which must have room for them.
    pub fn to_vec(&self) -> Result<Vec<u8>, JsValue> {
        let mut copy = vec![0; self.byte_length() as usize];
        self.copy_to(&mut copy)?;
        Ok(copy)
    }
}

impl Members {
    /// The member, if it is a function.
    pub fn function(&self, name: &str) -> Result<Option<Function>, JsValue> {
        Ok(self.get(name)?.dyn_into().ok())
    }

    /// The member, if it is neither `undefined` nor `null`.
    pub fn some(&self, name: &str) -> Result<Option<JsValue>, JsValue> {
        Ok(Some(self.get(name)?).filter(|member| !member.is_undefined() && !member.is_null()))
    }
}

/// Whether a value is an array, also where to ask throws.
pub fn is_array(value: &JsValue) -> bool {
    array_is(value).unwrap_or(false)
}

/// The number of elements of an array or a typed array, if it says so.
pub fn length(array: &JsValue) -> Result<Option<u32>, JsValue> {
    Ok(array.unchecked_ref::<Members>().get("length")?.as_f64().map(|length| length as u32))
}

/// An element of an array or a typed array.
pub fn element(array: &JsValue, index: u32) -> Result<JsValue, JsValue> {
    array.unchecked_ref::<Members>().at(index)
}

/// A promise of the engine's own that follows `value`, which is a promise or not.
///
/// `Promise.resolve` and `then` would call what a caller has made of a promise's members, which can throw. `Promise.race`
/// turns everything that is thrown into a rejection.
pub fn promise_of(value: &JsValue) -> Result<Promise, JsValue> {
    race(&Array::of1(value))
}

/// Waits for a promise, if the value is one; else there is nothing to wait for.
pub async fn resolved(value: JsValue) -> Result<JsValue, JsValue> {
    JsFuture::from(promise_of(&value)?).await
}

/// The size of a `Blob` in bytes.
pub fn blob_size(blob: &Blob) -> Result<f64, JsValue> {
    let size = blob.unchecked_ref::<Members>().get("size")?.as_f64();
    size.ok_or_else(|| failure(Code::InvalidSource, "the size of the Blob is not a number"))
}

/// What a `Blob` gives for the bytes `start..end`: bytes, unless a subclass gives something else.
pub async fn blob_bytes(blob: &Blob, start: u64, end: u64) -> Result<JsValue, JsValue> {
    let slice = blob.slice_with_f64_and_f64(start as f64, end as f64)?;
    called(slice.unchecked_ref::<BlobMethods>().array_buffer()).await
}

/// Waits for what a function has given, unless it has thrown.
pub async fn called(result: Result<JsValue, JsValue>) -> Result<JsValue, JsValue> {
    resolved(result?).await
}

/// Does not wait for a promise, and does not let its rejection be reported as unhandled.
pub fn ignore(promise: Result<JsValue, JsValue>) {
    if let Ok(promise) = promise {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = resolved(promise).await;
        });
    }
}

/// Whether the value is a typed array, a `DataView` or a buffer.
pub fn is_bytes(value: &JsValue) -> bool {
    ArrayBuffer::is_view(value) || value.is_instance_of::<ArrayBuffer>() || value.is_instance_of::<SharedArrayBuffer>()
}

/// The bytes of a typed array, a `DataView` or a buffer, without copying them: `None` for other values, and
/// for those whose memory has been transferred away.
pub fn bytes(value: &JsValue) -> Option<Bytes> {
    if !is_bytes(value) {
        return None;
    }
    // Asked as of any object: members that a caller has given it can throw. A buffer has no `byteOffset`, which counts as 0.
    // Subclasses are not kept: the `slice` of Node's `Buffer` does not copy.
    let part: &Members = value.unchecked_ref();
    let buffer = if ArrayBuffer::is_view(value) { part.get("buffer").ok()? } else { value.clone() };
    Bytes::of_buffer(&buffer, &part.get("byteOffset").ok()?, &part.get("byteLength").ok()?).ok()
}

/// A copy in JavaScript's memory, if there is room for it.
pub fn copied(bytes: &[u8]) -> Result<Bytes, JsValue> {
    let no_memory = |_| too_large(&format!("{} bytes of memory could not be allocated", bytes.len()));
    let copy = Bytes::with_length(bytes.len() as f64).map_err(no_memory)?;
    copy.set_from(bytes, 0.0)?;
    Ok(copy)
}

/// A new array of `f32`s, if there is memory for it.
pub fn new_floats(length: f64) -> Result<Numbers, JsValue> {
    Ok(Float32Array::with_length(length)?.into())
}

/// A new array of `f64`s, if there is memory for it.
pub fn new_doubles(length: f64) -> Result<Numbers, JsValue> {
    Ok(Float64Array::with_length(length)?.into())
}

/// A new array of `i64`s, if there is memory for it.
pub fn new_integers(length: f64) -> Result<Numbers, JsValue> {
    Ok(BigInt64Array::with_length(length)?.into())
}

/// A `Float32Array` over the memory of one, without copying it: `None` for other values, and for one whose memory has
/// been transferred away.
pub fn floats(value: &JsValue) -> Option<Numbers> {
    if !ArrayBuffer::is_view(value) || !value.is_instance_of::<Float32Array>() {
        return None;
    }
    let part = bytes(value)?;
    Float32Array::of_buffer(&part.buffer(), part.byte_offset(), part.byte_length() / 4.0).ok().map(Into::into)
}
