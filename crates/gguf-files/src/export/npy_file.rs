//! A tensor of an opened file as an `.npy` file, which is made while it is read.

use alloc::{boxed::Box, rc::Rc, vec::Vec};
use core::ops::Range;

use super::npy::{NpyArray, NpyElements};
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::header::TensorInfo;
use gguf_format::format::version::Endian;
use gguf_format::io::{Buffer, BufferBuilder, Chunks, Host, Merge, RequestedRange, Source, Window, WindowLimits};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::blocks::{Blocks, unknown_blocks};
use gguf_format::tensor::converter::{Chunk, Converter, NumberFormat};
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::write::planned_file::swapped;

/// The most bytes of converted elements in a chunk. Blocks of some types become 28 times as long, so a part that is read
/// becomes several chunks.
const CHUNK_BYTES: u64 = 4 << 20;

/// A tensor, and how it becomes an `.npy` file.
pub struct NpyFile<S: Source> {
    file: Rc<OpenedFile<S>>,
    array: NpyArray,
    header: Vec<u8>,
    /// The bytes of the tensor in the file.
    range: Range<u64>,
    /// `None` if the bytes are passed on as they are.
    blocks: Option<Rc<Blocks>>,
    size: u64,
}

impl<S: Source> NpyFile<S> {
    /// An `.npy` file with the values of a tensor, or with its bytes as stored. Nothing is read before its chunks are.
    ///
    /// # Errors
    ///
    /// `unknown-type`, `unexpected-eof`, `size-unknown`, or `too-large`.
    pub fn new(file: Rc<OpenedFile<S>>, tensor: &TensorInfo<'_>, is_stored: bool) -> Result<Self> {
        let blocks = match Blocks::if_known(file.header(), tensor)? {
            None if !is_stored => return Err(unknown_blocks(tensor)),
            blocks => blocks,
        };
        let range = match &blocks {
            Some(blocks) => file.blocks(tensor, blocks, &(0..blocks.element_count))?,
            None => file.extent(tensor)?,
        };
        let stored = range.end - range.start;
        let array = match is_stored {
            true => NpyArray::of_stored(tensor, file.header().format().endian, stored),
            false => NpyArray::of_values(tensor),
        };
        let blocks = blocks.filter(|_| array.elements != NpyElements::Stored).map(Rc::new);
        let data = match (&blocks, array.elements) {
            (Some(blocks), NpyElements::Floats) => blocks.element_count.saturating_mul(4),
            _ => stored,
        };
        let header = array.header();
        let size = data.saturating_add(header.len() as u64);
        if size > MAX_FILE_SIZE {
            return Err(error!(TooLarge: "the .npy file would have 2^53 bytes or more"));
        }
        Ok(Self { file, array, header, range, blocks, size })
    }

    /// The array: its type and its shape.
    pub fn array(&self) -> &NpyArray {
        &self.array
    }

    /// The size of the `.npy` file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The bytes of the `.npy` file, piece by piece. The next parts of the tensor are read while one is converted.
    ///
    /// # Errors
    ///
    /// `too-large` if memory cannot be allocated.
    pub fn chunks(&self) -> Result<NpyChunks<S>> {
        let endian = self.file.header().format().endian;
        let conversion = match (&self.blocks, self.array.elements) {
            (Some(blocks), NpyElements::Floats) => {
                let converter = Converter::new::<S::Host>(blocks.unit, endian, NumberFormat::Float32)?;
                Conversion::Floats(blocks.clone(), Box::new(converter))
            }
            (Some(blocks), NpyElements::LittleEndian) if endian == Endian::Big => Conversion::SwapBytes(blocks.clone()),
            _ => Conversion::None,
        };
        let at_once = self.file.reader().source().bytes_at_once();
        Ok(NpyChunks {
            conversion,
            rest: self.range.clone(),
            part_bytes: self.blocks.as_ref().map_or(at_once, |blocks| blocks.round_up(at_once)),
            window: Window::new(WindowLimits::FEW),
            read: None,
            header: Some(S::Buffer::joined(self.header.len() as u64, core::iter::once(&self.header[..]))?),
            file: self.file.clone(),
        })
    }
}

/// An `.npy` file, piece by piece.
pub struct NpyChunks<S: Source> {
    file: Rc<OpenedFile<S>>,
    conversion: Conversion,
    /// The bytes of the tensor that have not been requested.
    rest: Range<u64>,
    /// The most bytes of a part: whole blocks.
    part_bytes: u64,
    window: Window<RequestedRange<S::Buffer>>,
    /// Bytes that have been read and wait for their conversion.
    read: Option<S::Buffer>,
    /// The bytes before the elements, until they have been passed on.
    header: Option<S::Buffer>,
}

/// What happens to the blocks of a tensor.
enum Conversion {
    None,
    SwapBytes(Rc<Blocks>),
    Floats(Rc<Blocks>, Box<Converter>),
}

impl Conversion {
    /// Converts as many blocks from the start of `bytes` as make a chunk. Returns the chunk, and the bytes that are left.
    fn convert<B: Buffer>(&mut self, bytes: B) -> Result<(B, Option<B>)> {
        match self {
            Self::None => Ok((bytes, None)),
            Self::SwapBytes(blocks) => Ok((swapped(&bytes, GgmlType(blocks.unit.info.id))?, None)),
            Self::Floats(blocks, converter) => {
                let (block_size, type_size) = (blocks.unit.elements, blocks.unit.bytes);
                let end = bytes.len().min((CHUNK_BYTES / (4 * block_size)).max(1) * type_size);
                let mut floats = B::builder(end / type_size * block_size * 4)?;
                let (mut little_endian, mut result) = (Vec::new(), Ok(()));
                converter.convert(&bytes.part(0..end)?, &mut |start, numbers| {
                    if let Chunk::Floats(numbers) = numbers {
                        little_endian.clear();
                        little_endian.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                        result = floats.set(4 * start, &little_endian);
                    }
                })?;
                result?;
                let left = (end < bytes.len()).then(|| bytes.part(end..bytes.len())).transpose()?;
                Ok((floats.finish(), left))
            }
        }
    }
}

impl<S: Source> Chunks for NpyChunks<S> {
    type Buffer = S::Buffer;

    async fn next_chunk(&mut self) -> Result<Option<S::Buffer>> {
        let Self { file, rest, part_bytes, window, .. } = self;
        window.fill(|| {
            let part = rest.start..rest.end.min(rest.start + *part_bytes);
            rest.start = part.end;
            let length = part.end - part.start;
            (length > 0).then(|| (file.reader().request(part, Merge::Never), length))
        });
        if let Some(header) = self.header.take() {
            return Ok(Some(header));
        }
        let bytes = match self.read.take() {
            Some(bytes) => bytes,
            None => match self.window.pop() {
                Some(requested) => requested.bytes().await?,
                None => return Ok(None),
            },
        };
        if let Conversion::Floats(blocks, _) = &self.conversion
            && blocks.unit.info.owner.is_some()
        {
            S::Host::load_foreign().await?;
        }
        let (chunk, left) = self.conversion.convert(bytes)?;
        self.read = left;
        Ok(Some(chunk))
    }
}
