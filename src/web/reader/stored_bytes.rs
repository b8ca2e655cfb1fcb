//! A tensor's data as stored.

use alloc::boxed::Box;
use core::ops::Range;

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::options::Options;
use crate::web::reader::blocks::{self, Blocks};
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::tensor_task::{BlockProcessor, TensorTask};

/// The bytes that have been read.
struct StoredBytes(JsValue);

/// Reads the blocks that hold the elements of the options, or the whole extent of a tensor without known blocks.
pub(crate) fn task(file: &OpenedFile, tensor: &TensorInfo<'_>, options: &Options) -> Result<TensorTask, JsValue> {
    let (header, file_size) = (&file.header, file.file_size.get());
    let range = match Blocks::if_known(header, tensor)? {
        Some(blocks) => blocks.bytes(header, tensor, &blocks.elements(tensor, options)?, file_size)?,
        None if blocks::selects_part(options)? => return Err(blocks::unknown_blocks(tensor)),
        None => blocks::extent(file, tensor)?,
    };
    let part = Some(range.clone()).filter(|range: &Range<u64>| !range.is_empty());
    Ok(TensorTask {
        total_bytes: range.end - range.start,
        parts: Box::new(part.into_iter()),
        processor: Box::new(StoredBytes(Uint8Array::new_with_length(0).into())),
        on_progress: None,
    })
}

impl BlockProcessor for StoredBytes {
    fn process(&mut self, _: u64, blocks: &Bytes) -> Result<(), JsValue> {
        self.0 = blocks.clone().into();
        Ok(())
    }

    fn finish(self: Box<Self>) -> JsValue {
        self.0
    }
}
