//! The data that a caller gives for a tensor of a new file.

use alloc::string::String;

use js_sys::SharedArrayBuffer;
use wasm_bindgen::prelude::*;
use web_sys::Blob;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, blobs, describe, failure, shown_number};

#[derive(Clone)]
pub(super) struct TensorData {
    /// The name of the tensor.
    pub name: String,
    /// The size in bytes that the data must have.
    pub byte_length: u64,
    /// Bytes, a `Blob` or a function. `undefined` if none was given.
    pub given: JsValue,
}

impl TensorData {
    /// # Errors
    ///
    /// `does-not-fit`, `invalid-argument` if bytes or a `Blob` are given that cannot be the data.
    pub fn new(name: String, byte_length: u64, given: JsValue) -> Result<Self, Thrown> {
        let data = Self { name, byte_length, given };
        if !data.given.is_undefined() && !data.given.is_function() {
            data.check(&data.given)?;
        }
        Ok(data)
    }

    /// Checks that data is given, and that bytes or a `Blob` have the right size. `allows_functions`: a function may give the
    /// data later.
    pub fn check_given(&self, allows_functions: bool) -> Result<(), Thrown> {
        if self.given.is_undefined() {
            return Err(failure!(Truncated:
                "the file is not complete: no data was given for the tensor \"{}\"; add it with data", self.name));
        }
        if allows_functions && self.given.is_function() { Ok(()) } else { self.check(&self.given) }
    }

    /// Checks that a value is bytes or a `Blob` of the right size.
    pub fn check(&self, given: &JsValue) -> Result<(), Thrown> {
        let Self { name, byte_length, .. } = self;
        let length = match given.dyn_ref::<Blob>() {
            Some(blob) => Some(blobs::size(blob)?),
            None => Bytes::of(given).map(|bytes| bytes.byte_length()),
        };
        match length {
            Some(length) if length == *byte_length as f64 => Ok(()),
            Some(length) => Err(failure!(DoesNotFit:
                "the data of the tensor \"{name}\" has {} bytes, expected {byte_length} bytes", shown_number(length))),
            None => Err(failure!(InvalidArgument:
                "the data of the tensor \"{name}\" is {}, expected bytes or a Blob; only stream() accepts a function",
                describe(given))),
        }
    }

    /// The data as a part of a `Blob`. A `Blob` does not accept shared memory, so that is copied.
    pub fn blob_part(&self) -> Result<JsValue, Thrown> {
        match Bytes::of(&self.given) {
            Some(bytes) if bytes.buffer().is_instance_of::<SharedArrayBuffer>() => {
                Ok(bytes.slice(0.0, self.byte_length as f64)?.into())
            }
            _ => Ok(self.given.clone()),
        }
    }
}
