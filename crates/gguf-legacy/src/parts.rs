//! A model in several files: `name`, `name.1`, …, as the LLaMA converters until April 2023 wrote them.
//!
//! Every part has the whole header and vocabulary, and a share of each matrix. Vectors are repeated. llama.cpp joined
//!
//! - `tok_embeddings`, `attention.wo` and `feed_forward.w2` by columns: row i is row i of the first part, then that of the second, …
//! - other matrices by rows: all rows of the first part, then those of the second, …

use alloc::{rc::Rc, vec::Vec};
use core::ops::Range;

use super::family::Family;
use super::header::LegacyHeader;
use super::tensor::LegacyTensor;
use gguf_declare::names;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::io::memory::zeros;
use gguf_format::io::{Buffer, BufferBuilder, Source};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::block_types::block_type_info;

names! {
    /// How the shares of a tensor are joined.
    #[typescript("LegacyJoin")]
    pub enum Join {
        /// The tensor is in one piece: the model has one part, or every part repeats it.
        FirstPart = "first part",
        /// One share after the other.
        Rows = "rows",
        /// Row by row, one share after the other.
        Columns = "columns",
    }
}

/// A tensor of a model, whose shares are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JoinedTensor {
    /// The name, which should be UTF-8.
    pub name: Vec<u8>,
    /// The number of elements in each dimension, fastest first.
    pub dimensions: Vec<u64>,
    /// The type: one of [`BLOCK_TYPES`](gguf_format::tensor::block_types::BLOCK_TYPES), or of GGUF.
    pub ggml_type: GgmlType,
    /// How the shares are joined.
    pub join: Join,
    /// The position of the data in the [joined file](PartsSource).
    pub offset: u64,
    /// The size of the data in bytes.
    pub byte_length: u64,
}

impl Join {
    fn of(tensor: &LegacyTensor, part_count: usize) -> Self {
        let name = &tensor.name;
        let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
        if part_count == 1 || tensor.dimensions.len() < 2 {
            Self::FirstPart
        } else if name.starts_with(b"tok_embeddings.")
            || has(b".attention.wo.weight")
            || has(b".feed_forward.w2.weight")
        {
            Self::Columns
        } else {
            Self::Rows
        }
    }
}

/// The most parts of a model. LLaMA 65B had 8.
const MOST_PARTS: u64 = 64;

impl LegacyHeader {
    /// The number of parts of the model: `n_embd` divided by the width of the embeddings in this part. 1 if that is not a whole number.
    pub fn part_count(&self) -> usize {
        let embeddings = self.tensors.iter().find(|tensor| tensor.name == b"tok_embeddings.weight");
        let width = embeddings.filter(|_| self.family == Family::Llama).and_then(|tensor| tensor.dimensions.first());
        let whole = u64::from(self.integer("n_embd"));
        match width {
            Some(&width) if whole.is_multiple_of(width) && (1..=MOST_PARTS).contains(&(whole / width)) => {
                (whole / width) as usize
            }
            _ => 1,
        }
    }
}

/// Joins the tensors of parts. The first parameter has the headers of all parts, in order.
pub(super) fn join(parts: &[LegacyHeader]) -> Result<Vec<JoinedTensor>> {
    let [first, others @ ..] = parts else { return Ok(Vec::new()) };
    for (index, other) in others.iter().enumerate() {
        check_part(first, other, index + 2)?;
    }
    let count = parts.len() as u64;
    let mut end = first.end;
    let tensors = first.tensors.iter().map(|tensor| {
        let join = Join::of(tensor, parts.len());
        let mut dimensions = tensor.dimensions.clone();
        let (mut offset, mut byte_length) = (tensor.offset, tensor.byte_length);
        let joined = match join {
            Join::FirstPart => None,
            Join::Rows => dimensions.last_mut(),
            Join::Columns => dimensions.first_mut(),
        };
        if let Some(dimension) = joined {
            *dimension = dimension.saturating_mul(count);
            byte_length = byte_length.saturating_mul(count);
            offset = end;
            end = end.saturating_add(byte_length);
        }
        JoinedTensor { name: tensor.name.clone(), dimensions, ggml_type: tensor.ggml_type, join, offset, byte_length }
    });
    let tensors = tensors.collect();
    match end <= MAX_FILE_SIZE {
        true => Ok(tensors),
        false => Err(error!(LimitExceeded: "the parts of the model have more than {MAX_FILE_SIZE} bytes together")),
    }
}

/// Checks that a part has the same header as the first part, and an equally large share of each tensor.
fn check_part(first: &LegacyHeader, other: &LegacyHeader, number: usize) -> Result<()> {
    if first.family != Family::Llama {
        return Err(error!(BadStructure:
            "cannot join {number} files: only LLaMA models were written in several parts, this is one of the family {}. Open one file",
            first.family.name()));
    }
    if (first.container, first.version) != (other.container, other.version) {
        return Err(mismatch(number, 0, "its container is another one"));
    }
    for (index, (ours, theirs)) in first.fields.iter().zip(&other.fields).enumerate() {
        if ours != theirs {
            let found = format!("its {} is another one: {}, expected {}", ours.0, theirs.1, ours.1);
            return Err(mismatch(number, other.fields_offset + 4 * index as u64, &found));
        }
    }
    if first.vocabulary != other.vocabulary {
        let at = other.vocabulary.as_ref().map_or(0, |vocabulary| vocabulary.offset());
        return Err(mismatch(number, at, "its vocabulary is another one"));
    }
    for (ours, theirs) in first.tensors.iter().zip(&other.tensors) {
        if (&ours.name, &ours.dimensions, ours.ggml_type) != (&theirs.name, &theirs.dimensions, theirs.ggml_type) {
            let (name, at) = (Shown(&theirs.name), theirs.header_offset);
            return Err(mismatch(number, at, &format!("its tensor \"{name}\" has another name, shape or type")));
        }
    }
    match first.tensors.len() == other.tensors.len() {
        true => Ok(()),
        false => {
            let found = format!("it has {} tensors, expected {}", other.tensors.len(), first.tensors.len());
            Err(mismatch(number, other.end, &found))
        }
    }
}

#[cold]
fn mismatch(number: usize, at: u64, found: &str) -> Error {
    error!(BadStructure:
        "part {number} does not belong to the first one (offset {at:#x} of the part): {found}. Open the parts of one model")
    .at(at)
}

/// The parts of a model as one file: the bytes of the first part, and after them the joined tensors. A model in one part is
/// that part.
pub struct PartsSource<S: Source>(Rc<Parts<S>>);

struct Parts<S: Source> {
    sources: Vec<S>,
    /// The size of the first part.
    first_size: u64,
    size: u64,
    /// The joined tensors, in the order of their offsets.
    joined: Vec<JoinedData>,
}

/// The place of a joined tensor's shares.
struct JoinedData {
    join: Join,
    /// The place in the joined file.
    range: Range<u64>,
    /// The offset of the share in each part.
    shares: Vec<u64>,
    /// The size of a share, and of a row in it, in bytes.
    share_size: u64,
    row_size: u64,
}

impl<S: Source> PartsSource<S> {
    pub(super) fn new(sources: Vec<S>, parts: &[LegacyHeader], tensors: &[JoinedTensor]) -> Self {
        let first_size = parts.first().map_or(0, |part| part.end);
        let mut joined = Vec::new();
        for (index, tensor) in tensors.iter().enumerate() {
            let share = &parts[0].tensors[index];
            let row_size = block_type_info(tensor.ggml_type)
                .and_then(|info| info.byte_length(share.dimensions[0], share.dimensions[0]))
                .unwrap_or(share.byte_length);
            if tensor.join != Join::FirstPart {
                joined.push(JoinedData {
                    join: tensor.join,
                    range: tensor.offset..tensor.offset + tensor.byte_length,
                    shares: parts.iter().map(|part| part.tensors[index].offset).collect(),
                    share_size: share.byte_length,
                    row_size,
                });
            }
        }
        let size = joined.last().map_or(first_size, |last| last.range.end);
        Self(Rc::new(Parts { sources, first_size, size, joined }))
    }

    /// A file in one part that is no model before GGUF.
    pub(super) fn of_one(source: S) -> Self {
        let size = source.size().unwrap_or(MAX_FILE_SIZE);
        Self(Rc::new(Parts { sources: vec![source], first_size: size, size, joined: Vec::new() }))
    }

    /// The sources of the parts.
    pub fn parts(&self) -> &[S] {
        &self.0.sources
    }
}

impl<S: Source> Parts<S> {
    /// Reads a range of a part, which must have all of it.
    async fn read_part(&self, part: usize, range: Range<u64>) -> Result<S::Buffer> {
        let length = range.end - range.start;
        let bytes = self.sources[part].read(range.clone()).await?;
        match bytes.len() == length {
            true => Ok(bytes),
            false => Err(error!(ReadFailed:
                "part {} could not be read: it returned {} bytes for the range from {} to {}",
                part + 1, bytes.len(), range.start, range.end)),
        }
    }

    /// Writes bytes of a joined tensor to the start of `target`. `range` counts from the start of the tensor.
    async fn read_joined(&self, data: &JoinedData, range: Range<u64>) -> Result<Vec<u8>> {
        let mut target = zeros(range.end - range.start)?;
        match data.join {
            Join::FirstPart => {}
            Join::Rows => {
                for (part, share) in data.shares.iter().enumerate() {
                    let start = part as u64 * data.share_size;
                    let (from, to) = (range.start.max(start), range.end.min(start + data.share_size));
                    if from < to {
                        let bytes = self.read_part(part, share + from - start..share + to - start).await?;
                        bytes.copy_to(&mut target[(from - range.start) as usize..(to - range.start) as usize])?;
                    }
                }
            }
            Join::Columns => {
                let joined_row = data.row_size * data.shares.len() as u64;
                let rows = range.start / joined_row..range.end.div_ceil(joined_row);
                for (part, share) in data.shares.iter().enumerate() {
                    let shares = share + rows.start * data.row_size..share + rows.end * data.row_size;
                    let bytes = self.read_part(part, shares.clone()).await?;
                    let mut stored = zeros(shares.end - shares.start)?;
                    bytes.copy_to(&mut stored)?;
                    for (row, stored) in rows.clone().zip(stored.chunks_exact(data.row_size as usize)) {
                        let start = row * joined_row + part as u64 * data.row_size;
                        let (from, to) = (range.start.max(start), range.end.min(start + data.row_size));
                        if from < to {
                            target[(from - range.start) as usize..(to - range.start) as usize]
                                .copy_from_slice(&stored[(from - start) as usize..(to - start) as usize]);
                        }
                    }
                }
            }
        }
        Ok(target)
    }
}

impl<S: Source> Clone for PartsSource<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Source for PartsSource<S> {
    type Buffer = S::Buffer;
    type Host = S::Host;

    fn size(&self) -> Option<u64> {
        Some(self.0.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        let parts = &*self.0;
        let range = range.start.min(parts.size)..range.end.min(parts.size);
        if range.end <= parts.first_size || range.is_empty() {
            return parts.sources[0].read(range).await;
        }
        let mut target = S::Buffer::builder(range.end - range.start)?;
        if range.start < parts.first_size {
            target.set_buffer(0, &parts.read_part(0, range.start..parts.first_size).await?)?;
        }
        let first = parts.joined.partition_point(|data| data.range.end <= range.start);
        for data in parts.joined[first..].iter().take_while(|data| data.range.start < range.end) {
            let (from, to) = (range.start.max(data.range.start), range.end.min(data.range.end));
            let bytes = parts.read_joined(data, from - data.range.start..to - data.range.start).await?;
            target.set(from - range.start, &bytes)?;
        }
        Ok(target.finish())
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        match range.end <= self.0.first_size {
            true => self.0.sources[0].origin(range),
            false => (Rc::as_ptr(&self.0).addr(), range.start),
        }
    }

    fn bytes_at_once(&self) -> u64 {
        self.0.sources[0].bytes_at_once()
    }
}
