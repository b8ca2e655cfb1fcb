//! An opened file: its header, and the means to read its data.

use alloc::rc::Rc;
use alloc::sync::Arc;
use core::cell::{Cell, OnceCell};

use wasm_bindgen::prelude::*;

use crate::decode::decoder::Decoder;
use crate::format::header::{Header, TensorInfo};
use crate::tensor::extents::Extents;
use crate::web::reader::decoded_header::DecodedHeader;
use crate::web::reader::tensor_task::TensorTask;
use crate::web::source::range_reader::RangeReader;
use crate::write::error::no_memory;
use crate::write::plan::WritePlan;

pub(crate) struct OpenedFile {
    pub header: Rc<DecodedHeader>,
    pub ranges: Rc<RangeReader>,
    /// The size in bytes, if it is known.
    pub file_size: Cell<Option<u64>>,
    /// What the file is, as a JavaScript object. Made when a caller first asks for it.
    #[cfg(feature = "know")]
    pub classification: OnceCell<JsValue>,
    /// The file type, as a JavaScript object. Made when a caller first asks for it.
    #[cfg(feature = "know")]
    pub file_type: OnceCell<JsValue>,
    extents: OnceCell<Extents>,
}

impl OpenedFile {
    pub fn new(header: Rc<DecodedHeader>, ranges: Rc<RangeReader>, file_size: Option<u64>) -> Self {
        Self {
            header,
            ranges,
            file_size: Cell::new(file_size),
            #[cfg(feature = "know")]
            classification: OnceCell::new(),
            #[cfg(feature = "know")]
            file_type: OnceCell::new(),
            extents: OnceCell::new(),
        }
    }

    /// Where the data of each tensor lies.
    pub fn extents(&self) -> Result<&Extents, JsValue> {
        if let Some(extents) = self.extents.get() {
            return Ok(extents);
        }
        let extents = Extents::new(&self.header).map_err(no_memory)?;
        Ok(self.extents.get_or_init(|| extents))
    }

    /// Runs the task of a tensor, and returns its result.
    pub async fn run(&self, task: TensorTask) -> Result<JsValue, JsValue> {
        let result = task.run(&self.ranges).await?;
        self.file_size.set(self.file_size.get().or(self.ranges.file_size()));
        Ok(result)
    }

    /// Asks the server for the size of the file, if the extent of a tensor may depend on it.
    pub async fn learn_size_for(&self, tensor: &TensorInfo<'_>) -> Result<(), JsValue> {
        if self.file_size.get().is_none() && tensor.byte_length().is_none() {
            self.learn_size_beyond(self.header.data_offset()).await?;
        }
        Ok(())
    }

    /// Asks the server for the size of the file.
    #[cfg(feature = "files")]
    pub async fn learn_size(&self) -> Result<(), JsValue> {
        self.learn_size_beyond(self.header.header_size() - 1).await
    }

    /// Asks the server for the size of the file, which is longer than `start`.
    async fn learn_size_beyond(&self, start: u64) -> Result<(), JsValue> {
        self.ranges.learn_file_size(start).await?;
        self.file_size.set(self.ranges.file_size());
        Ok(())
    }

    /// The header of the file that a plan writes.
    pub fn planned_header(&self, plan: &WritePlan) -> Result<Arc<Header>, JsValue> {
        let size = plan.header_size();
        decode(size, &mut plan.header_pieces(self.header.bytes(), 0..size)).map(Arc::new)
    }
}

/// Decodes a header of `size` bytes that this crate has encoded.
pub(crate) fn decode(size: u64, pieces: &mut dyn Iterator<Item = &[u8]>) -> Result<Header, JsValue> {
    let mut decoder = Decoder::with_known_size(size);
    for piece in pieces {
        decoder.push(piece)?;
    }
    Ok(decoder.into_header()?)
}
