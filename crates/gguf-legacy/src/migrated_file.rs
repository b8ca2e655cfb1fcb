//! The migrated model as a file that is computed when it is read.

use alloc::{rc::Rc, vec::Vec};
use core::ops::Range;

use super::conversion::{Conversion, transposed};
use super::parts::PartsSource;
use gguf_convert::computed::{ComputedFile, Part, Placed};
use gguf_format::error::{Result, error};
use gguf_format::io::memory::zeros;
use gguf_format::io::{Buffer, BufferBuilder, Source, SourceChunks};

/// The GGUF file of a [migration](super::Migration). It is a [`Source`]: every range can be read without writing the file, and
/// reads from the old file only what the range needs.
pub struct MigratedFile<S: Source>(Rc<Inner<S>>);

struct Inner<S: Source> {
    /// The old model.
    source: PartsSource<S>,
    made: ComputedFile<TensorData>,
}

/// Where the data of a tensor lies, and how it is made.
#[doc(hidden)]
pub struct TensorData {
    /// The place in the migrated file.
    pub range: Range<u64>,
    /// The place in the old file.
    pub stored: Range<u64>,
    pub method: DataMethod,
}

impl Placed for TensorData {
    fn range(&self) -> &Range<u64> {
        &self.range
    }
}

#[doc(hidden)]
pub enum DataMethod {
    Copy,
    Convert(Conversion),
    /// A matrix with rows of `row_length` numbers of `width` bytes is transposed.
    Transpose {
        row_length: usize,
        width: usize,
    },
}

impl<S: Source> MigratedFile<S> {
    pub(super) fn new(source: PartsSource<S>, header: Vec<u8>, tensors: Vec<TensorData>, size: u64) -> Self {
        Self(Rc::new(Inner { source, made: ComputedFile { header, tensors, size } }))
    }

    #[doc(hidden)]
    pub fn tensors(&self) -> &[TensorData] {
        &self.0.made.tensors
    }

    /// The old model.
    pub fn source(&self) -> &PartsSource<S> {
        &self.0.source
    }

    /// The bytes of the header, with the padding after it.
    pub fn header_bytes(&self) -> &[u8] {
        &self.0.made.header
    }

    /// The bytes of the file from `start` on, piece by piece.
    pub fn chunks(&self, start: u64) -> SourceChunks<Self> {
        SourceChunks::new(self.clone(), self.0.made.size, start)
    }

    /// Reads a range of the old model.
    pub(super) async fn read_stored(&self, range: Range<u64>) -> Result<S::Buffer> {
        let length = range.end - range.start;
        let bytes = self.0.source.read(range.clone()).await?;
        match bytes.len() == length {
            true => Ok(bytes),
            false => Err(error!(UnexpectedEof:
                "the old model ends before offset {:#x}. It has changed since it was opened: open it again", range.end)
            .at(range.start)),
        }
    }

    /// Reads a range of a tensor's data, counted from its start.
    async fn read_tensor(&self, tensor: &TensorData, range: Range<u64>) -> Result<TensorBytes<S::Buffer>> {
        let stored = &tensor.stored;
        match &tensor.method {
            DataMethod::Copy => {
                let bytes = self.read_stored(stored.start + range.start..stored.start + range.end).await?;
                Ok(TensorBytes::Copied(bytes))
            }
            DataMethod::Convert(conversion) => {
                let (old, new) = conversion.unit_bytes();
                let units = range.start / new..range.end.div_ceil(new);
                let blocks =
                    copied(&self.read_stored(stored.start + units.start * old..stored.start + units.end * old).await?)?;
                let mut converted = zeros((units.end - units.start) * new)?;
                conversion.convert(&blocks, &mut converted)?;
                let first = range.start - units.start * new;
                Ok(TensorBytes::Made(converted, first as usize..(first + range.end - range.start) as usize))
            }
            DataMethod::Transpose { row_length, width } => {
                let matrix = copied(&self.read_stored(stored.clone()).await?)?;
                let made = transposed(&matrix, *row_length, *width);
                Ok(TensorBytes::Made(made, range.start as usize..range.end as usize))
            }
        }
    }
}

/// Bytes of a tensor.
enum TensorBytes<B> {
    /// Bytes of the old file.
    Copied(B),
    /// A range of new bytes.
    Made(Vec<u8>, Range<usize>),
}

/// The bytes of a buffer in the memory of the program.
pub(super) fn copied(buffer: &impl Buffer) -> Result<Vec<u8>> {
    let mut bytes = zeros(buffer.len())?;
    buffer.copy_to(&mut bytes)?;
    Ok(bytes)
}

impl<S: Source> Clone for MigratedFile<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Source for MigratedFile<S> {
    type Buffer = S::Buffer;
    type Host = S::Host;

    fn size(&self) -> Option<u64> {
        Some(self.0.made.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        let made = &self.0.made;
        let range = made.cut(range);
        let mut parts = Vec::new();
        for Part { tensor, data, place, .. } in made.parts(&range) {
            let length = data.end - data.start;
            match self.read_tensor(tensor, data).await? {
                TensorBytes::Copied(bytes) if length == range.end - range.start => return Ok(bytes),
                bytes => parts.push((place, bytes)),
            }
        }
        let mut target = made.begin::<S::Buffer>(&range)?;
        for (offset, bytes) in parts {
            match bytes {
                TensorBytes::Copied(bytes) => target.set_buffer(offset, &bytes)?,
                TensorBytes::Made(bytes, range) => target.set(offset, &bytes[range])?,
            }
        }
        Ok(target.finish())
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        (Rc::as_ptr(&self.0).addr(), range.start)
    }

    fn bytes_at_once(&self) -> u64 {
        self.0.source.bytes_at_once()
    }
}
