//! A tensor's data as they are stored.

use alloc::boxed::Box;
use core::ops::Range;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::web::interop::js::{Bytes, Members};
use crate::web::reader::blocks::{self, Blocks};
use crate::web::reader::opened::Opened;
use crate::web::source::stream::{Sink, Task};

struct Stored(JsValue);

/// Reads the blocks that hold the elements of the options, or the whole extent of a tensor without known blocks.
#[inline(never)]
pub(crate) fn task(opened: &Opened, tensor: &TensorInfo<'_>, options: Option<&Members>) -> Result<Task, JsValue> {
    let (header, file_size) = (&opened.file, opened.file_size.get());
    let range = match Blocks::if_any(header, tensor)? {
        Some(blocks) => blocks.bytes(header, tensor, &blocks.elements(tensor, options)?, file_size)?,
        None if blocks::is_part(options)? => return Err(blocks::none(tensor)),
        None => blocks::extent(opened, tensor)?,
    };
    let piece = Some(range.clone()).filter(|range: &Range<u64>| !range.is_empty());
    Ok(Task {
        total: range.end - range.start,
        pieces: Box::new(piece.into_iter()),
        sink: Box::new(Stored(Uint8Array::new_with_length(0).into())),
    })
}

impl Sink for Stored {
    fn take(&mut self, _: u64, blocks: &Bytes) -> Result<(), JsValue> {
        self.0 = blocks.clone().into();
        Ok(())
    }

    fn done(self: Box<Self>) -> JsValue {
        self.0
    }
}
