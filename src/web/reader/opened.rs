//! An opened file, shared by all that look at it.

use alloc::rc::Rc;
use alloc::sync::Arc;
use core::cell::{Cell, OnceCell};

use wasm_bindgen::prelude::*;

use crate::decode::decoder::Decoder;
use crate::format::header::Header;
use crate::tensor::extents::Extents;
use crate::web::reader::file::File;
use crate::web::source::ranges::Ranges;
use crate::write::error::no_memory;
use crate::write::plan::WritePlan;

/// An opened file: its header, and where the rest is.
pub(crate) struct Opened {
    pub file: Rc<File>,
    pub ranges: Rc<Ranges>,
    /// The size in bytes, if it is known.
    pub file_size: Cell<Option<u64>>,
    /// Made when they are first needed.
    pub extents: OnceCell<Extents>,
}

impl Opened {
    /// Where the data of each tensor lies.
    pub fn extents(&self) -> Result<&Extents, JsValue> {
        if let Some(extents) = self.extents.get() {
            return Ok(extents);
        }
        let extents = Extents::new(&self.file).map_err(no_memory)?;
        Ok(self.extents.get_or_init(|| extents))
    }

    /// The header that a plan makes of the file's.
    pub fn header_of(&self, plan: &WritePlan) -> Result<Arc<Header>, JsValue> {
        let size = plan.header_size();
        parsed(size, &mut plan.header_pieces(self.file.bytes(), 0..size)).map(Arc::new)
    }
}

/// The header that has these bytes, `size` in all, however large it is.
pub(crate) fn parsed(size: u64, pieces: &mut dyn Iterator<Item = &[u8]>) -> Result<Header, JsValue> {
    let mut decoder = Decoder::with_known_size(size);
    for piece in pieces {
        decoder.push(piece)?;
    }
    Ok(decoder.into_header()?)
}
