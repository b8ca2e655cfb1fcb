//! Elements of a tensor as an array of numbers.

use alloc::boxed::Box;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::options::Options;
use crate::web::interop::typed_arrays::Numbers;
use crate::web::reader::blocks::Blocks;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::tensor_task::{BlockProcessor, TensorTask, split};
use crate::web::values::converter::Converter;
use crate::web::values::number_format::NumberFormat;

/// Bytes that are read at once.
const READ_BYTES: u64 = 4 << 20;

struct NumberReader {
    converter: Converter,
    blocks: Blocks,
    wanted: Range<u64>,
    out: Numbers,
}

/// Reads the elements that the options select, in the format that they name.
pub(crate) fn task(file: &OpenedFile, tensor: &TensorInfo<'_>, options: &Options) -> Result<TensorTask, JsValue> {
    let header = &file.header;
    let blocks = Blocks::of(header, tensor)?;
    let format = NumberFormat::of(options)?;
    let wanted = blocks.elements(tensor, options)?;
    let range = blocks.bytes(header, tensor, &wanted, file.file_size.get())?;
    let converter = Converter::new(blocks.info, header.format().endian, format)?;
    let out = format.new_array(wanted.end - wanted.start)?;
    Ok(TensorTask {
        total_bytes: range.end - range.start,
        parts: split(range, blocks.round_up(READ_BYTES)),
        processor: Box::new(NumberReader { converter, blocks, wanted, out }),
        on_progress: None,
    })
}

impl BlockProcessor for NumberReader {
    fn process(&mut self, position: u64, blocks: &Bytes) -> Result<(), JsValue> {
        self.converter.fill(blocks, self.blocks.element_at(position), &self.wanted, &self.out)
    }

    fn finish(self: Box<Self>) -> JsValue {
        self.out.into()
    }
}
