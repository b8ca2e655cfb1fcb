//! Which bytes of the file an `.npy` file is made of.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::files::export::npy::{NpyArray, NpyElements};
use crate::tensor::blocks::{self, Blocks};
use crate::web::interop::error::too_large;
use crate::web::interop::numbers::POSITION_END;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::tensor_info::{self, TensorOrName};

/// A tensor, and how it becomes an `.npy` file.
pub(super) struct NpyTensor {
    pub array: NpyArray,
    pub header: Vec<u8>,
    /// The bytes of the tensor in the file.
    pub range: Range<u64>,
    /// The number and the size of the blocks. `None` if the bytes are passed on as they are.
    pub blocks: Option<Rc<Blocks>>,
    /// The size of the `.npy` file.
    pub size: u64,
}

impl NpyTensor {
    pub fn new(file: &OpenedFile, given: &TensorOrName, is_stored: bool) -> Result<Self, JsValue> {
        let (header, file_size) = (&file.header, file.file_size());
        let tensor = tensor_info::find(header, given)?;
        let blocks = match Blocks::if_known(header, &tensor)? {
            None if !is_stored => return Err(blocks::unknown_blocks(&tensor).into()),
            blocks => blocks,
        };
        let range = match &blocks {
            Some(blocks) => blocks.bytes(header, &tensor, &(0..blocks.element_count), file_size)?,
            None => file.extent(&tensor)?,
        };
        let stored = range.end - range.start;
        let array = match is_stored {
            true => NpyArray::of_stored(&tensor, header.format().endian, stored),
            false => NpyArray::of_values(&tensor),
        };
        let blocks = blocks.filter(|_| array.elements != NpyElements::Stored).map(Rc::new);
        let data = match (&blocks, array.elements) {
            (Some(blocks), NpyElements::Floats) => blocks.element_count.saturating_mul(4),
            _ => stored,
        };
        let npy_header = array.header();
        let size = data.saturating_add(npy_header.len() as u64);
        if size >= POSITION_END {
            return Err(too_large("the .npy file would have 2^53 bytes or more"));
        }
        Ok(Self { array, header: npy_header, range, blocks, size })
    }
}
