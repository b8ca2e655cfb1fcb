//! A new file as chunks: the header, and the data of each tensor with its padding.

use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::cell::{Cell, RefCell};

use wasm_bindgen::prelude::*;
use web_sys::Blob;

use super::tensor_data::TensorData;
use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, Function, blobs, called, failure, read_failed};
use crate::write::chunk_stream::{Chunks, NextChunk};

/// The most bytes of a chunk.
const CHUNK_BYTES: u64 = 1 << 20;

/// How many functions in a row may return functions.
const MAX_NESTED_FUNCTIONS: u32 = 16;

pub(super) struct NewFile {
    pub header: Bytes,
    /// The data of each tensor that has any.
    pub data: Vec<PaddedData>,
    pub size: u64,
    pub next: Cell<NextPart>,
    /// The data of the current tensor, after functions were called.
    pub current: RefCell<JsValue>,
}

pub(super) struct PaddedData {
    pub data: TensorData,
    /// The number of zeros after the data.
    pub padding: u64,
}

/// The next part of a new file.
#[derive(Clone, Copy, Default)]
pub(super) enum NextPart {
    #[default]
    Header,
    /// The data of a tensor from a position on. At its end, the padding.
    Data { index: usize, start: u64 },
}

impl NewFile {
    async fn next(&self) -> Result<Option<Bytes>, Thrown> {
        let NextPart::Data { index, start } = self.next.get() else {
            self.next.set(NextPart::Data { index: 0, start: 0 });
            return Ok(Some(self.header.clone()));
        };
        let Some(PaddedData { data, padding }) = self.data.get(index) else { return Ok(None) };
        let after_tensor = NextPart::Data { index: index + 1, start: 0 };
        if start == data.byte_length {
            self.next.set(after_tensor);
            return Bytes::zeroed(*padding).map(Some);
        }
        let end = data.byte_length.min(start + CHUNK_BYTES);
        let given = if start == 0 { resolve(data).await? } else { self.current.borrow().clone() };
        let bytes = read_given(&given, start, end).await?;
        let is_last = end == data.byte_length && *padding == 0;
        self.next.set(if is_last { after_tensor } else { NextPart::Data { index, start: end } });
        self.current.replace(given);
        match bytes.filter(|bytes| bytes.byte_length() == (end - start) as f64) {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(failure!(ReadFailed:
                "the data of the tensor \"{}\" can no longer be read: its memory was transferred or has shrunk",
                data.name)),
        }
    }
}

/// The bytes or the `Blob` of a tensor: what was given, or the result of the given function, checked.
async fn resolve(data: &TensorData) -> Result<JsValue, Thrown> {
    let mut given = data.given.clone();
    let mut calls = 0;
    while let Some(function) = given.dyn_ref::<Function>() {
        let result = called(function.call0(&JsValue::UNDEFINED)).await?;
        given = result;
        calls += 1;
        // A function that returns functions for too long is refused here, because it is neither bytes nor a `Blob`.
        if !given.is_function() || calls > MAX_NESTED_FUNCTIONS {
            data.check(&given)?;
        }
    }
    Ok(given)
}

/// Reads a range of bytes or of a `Blob`. `None` if it does not have these bytes any more.
async fn read_given(given: &JsValue, start: u64, end: u64) -> Result<Option<Bytes>, Thrown> {
    match given.dyn_ref::<Blob>() {
        Some(blob) => {
            let read = blobs::read(blob, start, end).await;
            Ok(Bytes::of(&read.map_err(|error| read_failed(&error))?))
        }
        None => Ok(Bytes::of(given).and_then(|bytes| bytes.slice(start as f64, end as f64).ok())),
    }
}

impl Chunks for NewFile {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        Box::pin(async move { Ok(self.next().await?.map(Into::into)) })
    }

    fn stop(&self) {
        self.next.set(NextPart::Data { index: self.data.len(), start: 0 });
        self.current.take();
    }
}
