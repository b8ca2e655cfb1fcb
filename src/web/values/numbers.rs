//! Elements of a tensor as an array of numbers.

use alloc::boxed::Box;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::web::interop::js::{Bytes, Members, Numbers};
use crate::web::reader::blocks::Blocks;
use crate::web::reader::opened::Opened;
use crate::web::source::stream::{Sink, Task, pieces};
use crate::web::values::dequantize::{Converter, NumberFormat};

/// Bytes that are read at once, where more are.
const PIECE: u64 = 4 << 20;

struct Elements {
    converter: Converter,
    blocks: Blocks,
    wanted: Range<u64>,
    out: Numbers,
}

/// Reads the elements that the options say, as what they say.
#[inline(never)]
pub(crate) fn task(opened: &Opened, tensor: &TensorInfo<'_>, options: Option<&Members>) -> Result<Task, JsValue> {
    let (header, file_size) = (&opened.file, opened.file_size.get());
    let blocks = Blocks::of(header, tensor)?;
    let format = NumberFormat::of(options)?;
    let wanted = blocks.elements(tensor, options)?;
    let range = blocks.bytes(header, tensor, &wanted, file_size)?;
    let converter = Converter::new(blocks.info, header.format().endian, format)?;
    let out = format.array(wanted.end - wanted.start)?;
    Ok(Task {
        total: range.end - range.start,
        pieces: pieces(range, blocks.whole(PIECE)),
        sink: Box::new(Elements { converter, blocks, wanted, out }),
    })
}

impl Sink for Elements {
    fn take(&mut self, start: u64, blocks: &Bytes) -> Result<(), JsValue> {
        self.converter.fill(blocks, self.blocks.element_at(start), &self.wanted, &self.out)
    }

    fn done(self: Box<Self>) -> JsValue {
        self.out.into()
    }
}
