//! An `.npy` file as chunks. The next parts of the tensor are read while one is converted.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::cell::RefCell;
use core::ops::Range;

use wasm_bindgen::prelude::*;

use crate::files::export::npy::NpyElements;
use crate::format::ggml_type::GgmlType;
use crate::format::version::Endian;
use crate::io::{Merge, RequestedRange, Source as _};
use crate::tensor::blocks::Blocks;
use crate::tensor::converter::{Chunk, Converter, NumberFormat};
use crate::web::edit::chunk_stream::{Chunks, NextChunk};
use crate::web::files::export::npy_tensor::NpyTensor;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::read_failed;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::values::number_format::{copy_into, new_array};
use crate::write::planned_file::swapped;

/// Parts that are in flight at once.
const PARTS_IN_FLIGHT: usize = 6;

/// The most bytes of converted elements in a chunk. Blocks of some types become 28 times as long, so a part that is read
/// becomes several chunks.
const CHUNK_BYTES: u64 = 4 << 20;

pub(super) struct NpyChunks {
    file: Rc<OpenedFile>,
    conversion: Conversion,
    /// The bytes of the tensor that have not been requested.
    rest: RefCell<Range<u64>>,
    /// The most bytes of a part: whole blocks.
    part_bytes: u64,
    in_flight: RefCell<VecDeque<RequestedRange<Bytes>>>,
    /// Bytes that have been read and wait for their conversion.
    read: RefCell<Option<Bytes>>,
    /// The bytes before the elements, until they have been passed on.
    header: RefCell<Option<Bytes>>,
}

/// What happens to the blocks of a tensor.
enum Conversion {
    None,
    SwapBytes(Rc<Blocks>),
    Floats(Rc<Blocks>, Box<RefCell<Converter>>),
}

impl NpyChunks {
    pub fn new(file: Rc<OpenedFile>, tensor: &NpyTensor) -> Result<Rc<Self>, JsValue> {
        let endian = file.header.format().endian;
        let conversion = match (&tensor.blocks, tensor.array.elements) {
            (Some(blocks), NpyElements::Floats) => {
                let converter = Converter::new(blocks.info, endian, NumberFormat::Float32)?;
                Conversion::Floats(blocks.clone(), Box::new(RefCell::new(converter)))
            }
            (Some(blocks), NpyElements::LittleEndian) if endian == Endian::Big => Conversion::SwapBytes(blocks.clone()),
            _ => Conversion::None,
        };
        let at_once = file.reader().source().bytes_at_once();
        let part_bytes = tensor.blocks.as_ref().map_or(at_once, |blocks| blocks.round_up(at_once));
        Ok(Rc::new(Self {
            conversion,
            rest: RefCell::new(tensor.range.clone()),
            part_bytes,
            in_flight: RefCell::default(),
            read: RefCell::default(),
            header: RefCell::new(Some(Bytes::copy_of(&tensor.header)?)),
            file,
        }))
    }

    /// Requests parts, as many as may be in flight.
    fn request(&self) {
        let (mut rest, mut in_flight) = (self.rest.borrow_mut(), self.in_flight.borrow_mut());
        while in_flight.len() < PARTS_IN_FLIGHT && !rest.is_empty() {
            let part = rest.start..rest.end.min(rest.start + self.part_bytes);
            rest.start = part.end;
            in_flight.push_back(self.file.reader().request(part, Merge::Never));
        }
    }

    /// Converts as many blocks from the start of `bytes` as make a chunk. Returns the chunk, and the bytes that are left.
    fn convert(&self, bytes: Bytes) -> Result<(Bytes, Option<Bytes>), JsValue> {
        match &self.conversion {
            Conversion::None => Ok((bytes, None)),
            Conversion::SwapBytes(blocks) => Ok((swapped(&bytes, GgmlType(blocks.info.id))?, None)),
            Conversion::Floats(blocks, converter) => {
                let (block_size, type_size) = (u64::from(blocks.info.block_size), u64::from(blocks.info.type_size));
                let length = bytes.byte_length();
                let most = (CHUNK_BYTES / (4 * block_size) * type_size) as f64;
                let end = length.min(most);
                let count = end as u64 / type_size * block_size;
                let floats = new_array(NumberFormat::Float32, count)?;
                let mut take = |start, numbers: Chunk<'_>| copy_into(&floats, start, numbers);
                converter.borrow_mut().convert(&bytes.subarray(0.0, end)?, &mut take)?;
                let left = (end < length).then(|| bytes.subarray(end, length)).transpose()?;
                let chunk = Bytes::of(&floats).ok_or_else(|| read_failed(&floats))?;
                Ok((chunk, left))
            }
        }
    }
}

impl Chunks for NpyChunks {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        Box::pin(async move {
            self.request();
            if let Some(header) = self.header.take() {
                return Ok(Some(header.into()));
            }
            let read = self.read.take();
            let bytes = match read {
                Some(bytes) => bytes,
                None => {
                    let requested = self.in_flight.borrow_mut().pop_front();
                    let Some(requested) = requested else { return Ok(None) };
                    requested.bytes().await?
                }
            };
            let (chunk, left) = self.convert(bytes)?;
            self.read.replace(left);
            Ok(Some(chunk.into()))
        })
    }

    fn stop(&self) {
        self.rest.replace(0..0);
        self.in_flight.take();
        self.read.take();
    }
}
