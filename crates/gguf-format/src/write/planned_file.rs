//! A planned file, whose bytes are read from one or several original files.

use alloc::{rc::Rc, vec::Vec};
use core::ops::Range;

use crate::error::Result;
use crate::format::ggml_type::GgmlType;
use crate::io::{Buffer, BufferBuilder, Merge, RequestedRange, Source};
use crate::tensor::opened_file::OpenedFile;
use crate::write::plan::{Part, WritePlan};

/// The largest gap between two ranges of one original file that are read together, in bytes.
const MAX_GAP: u64 = 64 << 10;

/// The memory in which blocks are converted to the other byte order, in bytes.
const SWAP_BUFFER_BYTES: usize = 1 << 16;

/// A planned file and the files that it copies from. It is a [`Source`]: it can be opened without being written.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
/// use gguf_format::{Limits, OpenedFile, edit::Edit, io::{FileSource, Source, block_on}, write::PlannedFile};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-planned-file.gguf");
/// # let file = gguf_format::example_file();
/// # std::fs::write(&path, &file).unwrap();
/// let original = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
/// let mut edit = Edit::new(original.header().clone());
/// edit.add(None, b"general.name", &"Another name".into())?;
/// let plan = edit.plan(original.file_size())?;
/// let planned = PlannedFile::new(vec![Rc::new(original)], plan);
/// let bytes = block_on(planned.read(0..planned.plan().size()))?; // std::fs::write("new.gguf", bytes.as_slice())
/// assert_eq!(gguf_format::parse(bytes.as_slice())?.name().unwrap(), "Another name");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct PlannedFile<S: Source>(Rc<Planned<S>>);

struct Planned<S: Source> {
    originals: Vec<Rc<OpenedFile<S>>>,
    plan: WritePlan,
}

/// A range of an original file.
#[derive(Clone)]
struct OriginalRange {
    source: usize,
    range: Range<u64>,
}

impl<S: Source> PlannedFile<S> {
    /// A planned file. `originals` are the sources of the plan; there is at least one. The header of the planned file copies
    /// bytes of the first one only.
    ///
    /// # Panics
    ///
    /// If there is no original.
    pub fn new(originals: Vec<Rc<OpenedFile<S>>>, plan: WritePlan) -> Self {
        assert!(!originals.is_empty(), "a planned file has at least one original");
        Self(Rc::new(Planned { originals, plan }))
    }

    /// The plan.
    pub fn plan(&self) -> &WritePlan {
        &self.0.plan
    }

    /// The files that the plan copies from.
    pub fn originals(&self) -> &[Rc<OpenedFile<S>>] {
        &self.0.originals
    }

    /// The first original file: the edited file, the file that is split, or the first shard that is merged.
    pub fn original(&self) -> &Rc<OpenedFile<S>> {
        &self.0.originals[0]
    }

    /// The bytes of a range of the header, or of one of the patches.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    pub fn header_bytes(&self, range: Range<u64>) -> Result<S::Buffer> {
        let length = range.end - range.start;
        S::Buffer::joined(length, self.plan().header_pieces(self.original().header().bytes(), range))
    }

    /// Starts to read a range. The original headers are in memory and are not read. Close ranges are read together.
    pub(crate) fn start_read(&self, range: Range<u64>) -> PlannedRead<S> {
        let mut needed: Vec<OriginalRange> = Vec::new();
        for part in self.plan().parts(range.clone()) {
            let Some(OriginalRange { source, range: next }) = self.original_range(&part) else { continue };
            match needed.last_mut().filter(|last| last.source == source).map(|last| &mut last.range) {
                Some(last) if last.start <= next.start && next.start <= last.end.saturating_add(MAX_GAP) => {
                    last.end = last.end.max(next.end);
                }
                _ => needed.push(OriginalRange { source, range: next }),
            }
        }
        let request = |needed: OriginalRange| {
            let request = self.originals()[needed.source].reader().request(needed.range.clone(), Merge::Never);
            (needed, request)
        };
        PlannedRead { file: self.clone(), range, requests: needed.into_iter().map(request).collect() }
    }

    /// The range of an original file that must be read for a part. `None` for new bytes and for the original header.
    fn original_range(&self, part: &Part<'_>) -> Option<OriginalRange> {
        let (source, range) = match part {
            Part::Bytes(_) => return None,
            Part::Copy { source, range } if range.end > self.originals()[*source].header().header_size() => {
                (*source, range.clone())
            }
            Part::Copy { .. } => return None,
            Part::Swap { source, range, first_block, ggml_type } => {
                (*source, whole_blocks(range, *first_block, *ggml_type))
            }
        };
        Some(OriginalRange { source, range })
    }
}

/// A read in flight of a range of a planned file.
pub(crate) struct PlannedRead<S: Source> {
    file: PlannedFile<S>,
    range: Range<u64>,
    requests: Vec<(OriginalRange, RequestedRange<S::Buffer>)>,
}

/// Bytes of an original file.
struct OriginalBytes<B> {
    range: OriginalRange,
    bytes: B,
}

impl<S: Source> PlannedRead<S> {
    /// Waits for the bytes of the range.
    pub async fn bytes(self) -> Result<S::Buffer> {
        let Self { file, range, requests } = self;
        let mut read = Vec::new();
        for (range, request) in requests {
            read.push(OriginalBytes { range, bytes: request.bytes().await? });
        }
        let mut parts = file.plan().parts(range.clone());
        if let (Some(Part::Copy { .. }), None, [only]) = (parts.next(), parts.next(), &read[..]) {
            return Ok(only.bytes.clone());
        }
        let mut bytes = S::Buffer::builder(range.end - range.start)?;
        let mut position = 0;
        for part in file.plan().parts(range) {
            let length = length_of(&part);
            file.write_part(part, &read, &mut bytes, position)?;
            position += length;
        }
        Ok(bytes.finish())
    }
}

impl<S: Source> PlannedFile<S> {
    /// Writes the bytes of a part to the place `position` of `target`. `read` has the bytes of the original files.
    fn write_part(
        &self,
        part: Part<'_>,
        read: &[OriginalBytes<S::Buffer>],
        target: &mut <S::Buffer as Buffer>::Builder,
        position: u64,
    ) -> Result<()> {
        let needed = self.original_range(&part);
        let original = needed.as_ref().and_then(|range| read.iter().find_map(|read| read.subrange(range)));
        match (part, original) {
            (Part::Bytes(new), _) => target.set(position, new),
            (Part::Copy { range, .. }, None) => {
                target.set_pieces(position, self.original().header().bytes().pieces(range))
            }
            (Part::Copy { .. }, Some(original)) => target.set_buffer(position, &original?),
            (Part::Swap { range, ggml_type, .. }, Some(original)) => {
                let blocks = swapped(&original?, ggml_type)?;
                let skipped = needed.map_or(0, |needed| range.start - needed.range.start);
                target.set_buffer(position, &blocks.part(skipped..skipped + (range.end - range.start))?)
            }
            (Part::Swap { .. }, None) => Ok(()),
        }
    }
}

impl<B: Buffer> OriginalBytes<B> {
    /// The bytes of a range of an original file, if these bytes include it.
    fn subrange(&self, needed: &OriginalRange) -> Option<Result<B>> {
        let (own, range) = (&self.range.range, &needed.range);
        let is_included = self.range.source == needed.source && own.start <= range.start && range.end <= own.end;
        is_included.then(|| self.bytes.part(range.start - own.start..range.end - own.start))
    }
}

fn length_of(part: &Part<'_>) -> u64 {
    match part {
        Part::Bytes(bytes) => bytes.len() as u64,
        Part::Copy { range, .. } | Part::Swap { range, .. } => range.end - range.start,
    }
}

/// The range of the whole blocks that a range touches.
fn whole_blocks(range: &Range<u64>, first_block: u64, ggml_type: GgmlType) -> Range<u64> {
    let size = ggml_type.info().map_or(1, |info| u64::from(info.type_size).max(1));
    let start = range.start - (range.start - first_block) % size;
    start..first_block + (range.end - first_block).next_multiple_of(size)
}

/// A copy of whole blocks in the other byte order.
#[doc(hidden)]
pub fn swapped<B: Buffer>(blocks: &B, ggml_type: GgmlType) -> Result<B> {
    let Some(info) = ggml_type.info() else { return Ok(blocks.clone()) };
    let mut target = B::builder(blocks.len())?;
    let block_size = info.type_size.max(1) as usize;
    let mut buffer = vec![0; SWAP_BUFFER_BYTES / block_size * block_size];
    let mut start = 0;
    while start < blocks.len() {
        let end = blocks.len().min(start + buffer.len() as u64);
        let part = &mut buffer[..(end - start) as usize];
        blocks.part(start..end)?.copy_to(part)?;
        info.swap_byte_order(part);
        target.set(start, part)?;
        start = end;
    }
    Ok(target.finish())
}

impl<S: Source> Clone for PlannedFile<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> Source for PlannedFile<S> {
    type Buffer = S::Buffer;
    type Host = S::Host;

    fn size(&self) -> Option<u64> {
        Some(self.plan().size())
    }

    async fn read(&self, range: Range<u64>) -> Result<S::Buffer> {
        self.start_read(range.start..range.end.min(self.plan().size())).bytes().await
    }

    fn origin(&self, range: Range<u64>) -> (usize, u64) {
        let mut parts = self.plan().parts(range.clone());
        match (parts.next(), parts.next()) {
            (Some(Part::Copy { source, range }), None) => self.originals()[source].reader().source().origin(range),
            _ => (Rc::as_ptr(&self.0).addr(), range.start),
        }
    }

    fn bytes_at_once(&self) -> u64 {
        self.original().reader().source().bytes_at_once()
    }
}
