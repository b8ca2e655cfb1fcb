//! Bytes in JavaScript's memory.

use alloc::vec::Vec;
use core::ops::Range;

use js_sys::ArrayBuffer;
use wasm_bindgen::prelude::*;

use crate::interop::error::{failure, no_memory};
use crate::interop::objects::AnyObject;
use crate::interop::thrown::Thrown;
use gguf_format::error::Result as CoreResult;
use gguf_format::io::{Buffer, BufferBuilder};

#[wasm_bindgen]
extern "C" {
    /// A `Uint8Array`. In contrast to the type of js-sys, its length may be beyond 2^32, and methods that can throw say so:
    /// they do if the memory cannot be allocated, has been transferred away, or has shrunk.
    #[wasm_bindgen(js_name = Uint8Array)]
    #[derive(Clone)]
    pub type Bytes;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn with_length(length: f64) -> Result<Bytes, Thrown>;
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn of_buffer(buffer: &JsValue, offset: &JsValue, length: &JsValue) -> Result<Bytes, Thrown>;
    #[wasm_bindgen(method, getter, js_name = byteLength)]
    pub fn byte_length(this: &Bytes) -> f64;
    #[wasm_bindgen(method, getter, js_name = byteOffset)]
    pub fn byte_offset(this: &Bytes) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn buffer(this: &Bytes) -> JsValue;
    #[wasm_bindgen(method, catch)]
    pub fn subarray(this: &Bytes, start: f64, end: f64) -> Result<Bytes, Thrown>;
    #[wasm_bindgen(method, catch)]
    pub fn slice(this: &Bytes, start: f64, end: f64) -> Result<Bytes, Thrown>;
    #[wasm_bindgen(method, catch)]
    pub fn set(this: &Bytes, part: &Bytes, offset: f64) -> Result<(), Thrown>;
    #[wasm_bindgen(method, catch, js_name = set)]
    pub fn set_from(this: &Bytes, part: &[u8], offset: f64) -> Result<(), Thrown>;
    #[wasm_bindgen(catch, js_namespace = ["Uint8Array", "prototype", "set"], js_name = call)]
    fn copy_into(memory: &mut [u8], bytes: &Bytes) -> Result<(), Thrown>;
}

#[wasm_bindgen(raw_module = "glue/sources.js")]
extern "C" {
    /// Whether a value is an `ArrayBuffer` or a `SharedArrayBuffer`.
    #[wasm_bindgen(js_name = isBuffer)]
    fn is_buffer(value: &JsValue) -> bool;
}

/// Whether a value is a typed array, a `DataView` or a buffer.
pub(crate) fn is_bytes(value: &JsValue) -> bool {
    ArrayBuffer::is_view(value) || is_buffer(value)
}

impl Bytes {
    /// New bytes, all zero.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    pub fn zeroed(length: u64) -> Result<Self, Thrown> {
        Self::with_length(length as f64).map_err(|_| no_memory(length))
    }

    /// The bytes of a typed array, a `DataView` or a buffer, without copying them. Returns `None` for other values, and for
    /// those whose memory has been transferred away.
    pub fn of(value: &JsValue) -> Option<Self> {
        if !is_bytes(value) {
            return None;
        }
        // A caller may have given the object members that throw. A buffer has no `byteOffset`, which counts as 0. A new
        // `Uint8Array` is made because subclasses behave differently: `slice` of Node's `Buffer` does not copy.
        let part: &AnyObject = value.unchecked_ref();
        let buffer = if ArrayBuffer::is_view(value) { part.get("buffer").ok()? } else { value.clone() };
        Self::of_buffer(&buffer, &part.get("byteOffset").ok()?, &part.get("byteLength").ok()?).ok()
    }

    /// Whether these are all bytes of an `ArrayBuffer`, which can be transferred.
    pub fn is_whole_buffer(&self) -> bool {
        let buffer = self.buffer();
        buffer.dyn_ref::<ArrayBuffer>().is_some_and(|buffer| f64::from(buffer.byte_length()) == self.byte_length())
    }

    /// A copy of bytes of the module's memory.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    pub fn copy_of(bytes: &[u8]) -> Result<Self, Thrown> {
        Self::joined(bytes.len() as u64, [bytes].into_iter())
    }

    /// The pieces one after the other, `length` bytes in all.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    pub fn joined<'a>(length: u64, pieces: impl Iterator<Item = &'a [u8]>) -> Result<Self, Thrown> {
        let bytes = Self::zeroed(length)?;
        bytes.set_pieces(pieces)?;
        Ok(bytes)
    }

    /// Copies pieces one after the other to the beginning of these bytes.
    pub fn set_pieces<'a>(&self, pieces: impl Iterator<Item = &'a [u8]>) -> Result<(), Thrown> {
        let mut offset = 0.0;
        for piece in pieces {
            self.set_from(piece, offset)?;
            offset += piece.len() as f64;
        }
        Ok(())
    }

    /// Copies all bytes into `memory`, which has the same length.
    ///
    /// # Errors
    ///
    /// `read-failed` if the length differs, because the owner of the bytes has changed their memory.
    pub fn copy_to(&self, memory: &mut [u8]) -> Result<(), Thrown> {
        if self.byte_length() != memory.len() as f64 {
            return Err(failure!(ReadFailed:
                "the bytes could not be read: their memory was changed during the call. Do not transfer or resize the \
                 memory of a source while it is in use"));
        }
        copy_into(memory, self)
    }

    /// A copy in the module's memory, which must have room for it.
    pub fn to_vec(&self) -> Result<Vec<u8>, Thrown> {
        let mut copy = vec![0; self.byte_length() as usize];
        self.copy_to(&mut copy)?;
        Ok(copy)
    }
}

impl Buffer for Bytes {
    type Builder = Self;

    fn len(&self) -> u64 {
        self.byte_length() as u64
    }

    fn part(&self, range: Range<u64>) -> CoreResult<Self> {
        Ok(self.subarray(range.start as f64, range.end as f64)?)
    }

    fn copy_of(&self, range: Range<u64>) -> CoreResult<Self> {
        Ok(self.slice(range.start as f64, range.end as f64)?)
    }

    fn copy_to(&self, memory: &mut [u8]) -> CoreResult<()> {
        Ok(Self::copy_to(self, memory)?)
    }

    fn builder(length: u64) -> CoreResult<Self> {
        Ok(Self::zeroed(length)?)
    }
}

impl BufferBuilder for Bytes {
    type Buffer = Self;

    fn set(&mut self, offset: u64, bytes: &[u8]) -> CoreResult<()> {
        Ok(self.set_from(bytes, offset as f64)?)
    }

    fn set_buffer(&mut self, offset: u64, bytes: &Self) -> CoreResult<()> {
        Ok(Self::set(self, bytes, offset as f64)?)
    }

    fn finish(self) -> Self {
        self
    }
}
