//! A file as new bytes and ranges of old ones.
//!
//! Whoever changes a model changes a few bytes of it. A [`WritePlan`] says which: the rest are ranges that are copied
//! from where they are, and only when the file is written. So planning takes memory for the new bytes alone, however
//! large the file is.

use alloc::vec::Vec;
use core::ops::Range;

use crate::allocation;
use crate::format::ggml_type::GgmlType;
use crate::format::header_bytes::HeaderBytes;

/// The most bytes that a file has: positions up to there are numbers in JavaScript.
pub(crate) const MOST_BYTES: u64 = (1 << 53) - 1;

/// The memory that an allocator may take for a few bytes.
const LEAST_ALLOCATION: usize = 48;

/// How much padding is held in memory: an alignment may be gigabytes.
pub(crate) const MOST_PADDING: u64 = 1 << 26;

/// Bytes of a new file that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Bytes that are in no old file.
    Bytes(Vec<u8>),
    /// Bytes of an old file as they are.
    Copy {
        /// Which old file, where there are several; of a file from nothing, which tensor's data.
        source: usize,
        /// Where in that file.
        range: Range<u64>,
    },
    /// Whole blocks of an old file, turned into the other byte order:
    /// [`GgmlTypeInfo::swap_byte_order`](crate::GgmlTypeInfo::swap_byte_order).
    Swap {
        /// Which old file, where there are several.
        source: usize,
        /// Where in that file.
        range: Range<u64>,
        /// The type of the blocks.
        ggml_type: GgmlType,
    },
}

impl Segment {
    /// How many bytes there are.
    pub fn byte_length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Copy { range, .. } | Self::Swap { range, .. } => range.end - range.start,
        }
    }

    /// Takes the bytes of `next`, if the two are one segment.
    fn join(&mut self, next: &Self) -> bool {
        match (self, next) {
            (Self::Bytes(bytes), Self::Bytes(more)) => {
                bytes.extend_from_slice(more);
                true
            }
            (Self::Copy { source, range }, Self::Copy { source: next_source, range: next }) => {
                let touch = source == next_source && range.end == next.start;
                if touch {
                    range.end = next.end;
                }
                touch
            }
            (
                Self::Swap { source, range, ggml_type },
                Self::Swap { source: next_source, range: next, ggml_type: next_type },
            ) => {
                let touch = source == next_source && range.end == next.start && ggml_type == next_type;
                if touch {
                    range.end = next.end;
                }
                touch
            }
            _ => false,
        }
    }
}

/// What part of a new file is made of: of a [`Segment`], or of part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Bytes that are in no old file.
    Bytes(&'a [u8]),
    /// Bytes of an old file as they are.
    Copy {
        /// Which old file, where there are several; of a file from nothing, which tensor's data.
        source: usize,
        /// Where in that file.
        range: Range<u64>,
    },
    /// Bytes of whole blocks of an old file that are turned into the other byte order.
    Swap {
        /// Which old file, where there are several.
        source: usize,
        /// Where in that file the bytes are: not always whole blocks.
        range: Range<u64>,
        /// Where in that file a block begins: all blocks of the segment follow one another from there on.
        first_block: u64,
        /// The type of the blocks.
        ggml_type: GgmlType,
    },
}

/// A file that is to be written.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{Edit, Segment};
///
#[doc = include_str!("../../doc_example.txt")]
/// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
/// let plan = edit.plan(Some(file.len() as u64))?;
/// assert_eq!(plan.segments(), [Segment::Copy { source: 0, range: 0..file.len() as u64 }]);
///
/// edit.set("llama.block_count", &16u32.into())?;
/// let plan = edit.plan(Some(file.len() as u64))?;
/// assert_eq!(plan.size(), file.len() as u64);
/// assert_eq!(plan.patches().unwrap().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritePlan {
    segments: Vec<Segment>,
    /// Where each segment begins in the new file.
    starts: Vec<u64>,
    size: u64,
    header_size: u64,
    data_offset: u64,
    patches: Option<Vec<Range<u64>>>,
}

impl WritePlan {
    /// What the file is made of, in order. No two neighbours could be one.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Bytes from the start of the file to the end of the tensor infos.
    pub fn header_size(&self) -> u64 {
        self.header_size
    }

    /// Where the tensors' data begins.
    pub fn data_offset(&self) -> u64 {
        self.data_offset
    }

    /// The ranges of the file that have to be written to turn the old file into the new one where it is: `None` if that
    /// cannot be done, because the size changes or the data section moves. All they copy is of the old header.
    pub fn patches(&self) -> Option<&[Range<u64>]> {
        self.patches.as_deref()
    }

    /// The bytes of part of the new header, or of what else has to be written of the old file in place, as slices that
    /// follow one another. `old` are the bytes of the old header.
    ///
    /// # Panics
    ///
    /// If the range is neither within the header nor one of [`patches`](Self::patches).
    pub fn header_pieces<'a>(&'a self, old: &'a HeaderBytes, range: Range<u64>) -> impl Iterator<Item = &'a [u8]> {
        HeaderPieces { parts: self.parts(range), old, copied: 0..0 }
    }

    /// What a range of the file is made of, in order; what is beyond the file's end is left out.
    pub fn parts(&self, range: Range<u64>) -> Parts<'_> {
        let next = self.starts.partition_point(|start| *start <= range.start).saturating_sub(1);
        Parts { plan: self, range, next }
    }
}

/// Iterator over what a range of a planned file is made of: [`WritePlan::parts`].
#[derive(Clone)]
pub struct Parts<'a> {
    plan: &'a WritePlan,
    range: Range<u64>,
    next: usize,
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Part<'a>> {
        let (segment, start) = (self.plan.segments.get(self.next)?, *self.plan.starts.get(self.next)?);
        let from = self.range.start.saturating_sub(start);
        let to = self.range.end.saturating_sub(start).min(segment.byte_length());
        if from >= to {
            return None;
        }
        self.next += 1;
        let within = |old: &Range<u64>| old.start + from..old.start + to;
        Some(match segment {
            Segment::Bytes(bytes) => Part::Bytes(&bytes[from as usize..to as usize]),
            Segment::Copy { source, range } => Part::Copy { source: *source, range: within(range) },
            Segment::Swap { source, range, ggml_type } => {
                Part::Swap { source: *source, range: within(range), first_block: range.start, ggml_type: *ggml_type }
            }
        })
    }
}

struct HeaderPieces<'a> {
    parts: Parts<'a>,
    old: &'a HeaderBytes,
    /// What is left of a part that is copied.
    copied: Range<u64>,
}

impl<'a> Iterator for HeaderPieces<'a> {
    type Item = &'a [u8];

    #[inline(never)]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.copied.is_empty() {
            match self.parts.next()? {
                Part::Bytes(bytes) => return Some(bytes),
                Part::Copy { range, .. } => self.copied = range,
                Part::Swap { .. } => panic!("blocks of a tensor are not in the header"),
            }
        }
        let piece = self.old.pieces(self.copied.clone()).next()?;
        self.copied.start += piece.len() as u64;
        Some(piece)
    }
}

/// Puts a [`WritePlan`] together.
#[derive(Default)]
pub(crate) struct Layout {
    segments: Vec<Segment>,
    starts: Vec<u64>,
    size: u64,
    padding: u64,
}

impl Layout {
    /// How many bytes there are so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Makes room for more segments, of which half are a few new bytes.
    pub fn make_room(&mut self, segments: usize) {
        let lists = segments * (size_of::<Segment>() + size_of::<u64>());
        allocation::reserve((lists + segments / 2 * LEAST_ALLOCATION) as u64);
        let _ = self.segments.try_reserve_exact(segments);
        let _ = self.starts.try_reserve_exact(segments);
    }

    pub fn push(&mut self, segment: Segment) {
        let length = segment.byte_length();
        if length == 0 {
            return;
        }
        if !self.segments.last_mut().is_some_and(|last| last.join(&segment)) {
            self.segments.push(segment);
            self.starts.push(self.size);
        }
        self.size = self.size.saturating_add(length);
    }

    pub fn bytes(&mut self, bytes: Vec<u8>) {
        self.push(Segment::Bytes(bytes));
    }

    /// Copies from the one old file there is.
    pub fn copy(&mut self, range: Range<u64>) {
        self.push(Segment::Copy { source: 0, range });
    }

    /// Adds zeros up to a position; the bytes there was no memory for, if so.
    pub fn pad_to(&mut self, position: u64) -> Result<(), u64> {
        let length = position - self.size;
        let mut zeros = Vec::new();
        let size = match self.padding.checked_add(length) {
            Some(padding) if padding <= MOST_PADDING => length as usize,
            _ => return Err(length),
        };
        self.padding += length;
        zeros.try_reserve_exact(size).map_err(|_| length)?;
        zeros.resize(size, 0);
        self.bytes(zeros);
        Ok(())
    }

    /// The plan, the header being all up to `header_size`. `old` is the old file's header size and size, if there is
    /// one old file.
    pub fn finish(self, header_size: u64, data_offset: u64, old: Option<(u64, u64)>) -> WritePlan {
        let Self { segments, starts, size, .. } = self;
        let patches = old
            .filter(|(_, old_size)| *old_size == size)
            .and_then(|(old_header_size, _)| patches(&segments, old_header_size, data_offset));
        WritePlan { segments, starts, size, header_size, data_offset, patches }
    }
}

/// The ranges that are not already where they are to be. `None` if others than those before the data are among them, or
/// if what is copied there is not of the old header.
fn patches(segments: &[Segment], old_header_size: u64, data_offset: u64) -> Option<Vec<Range<u64>>> {
    let mut patches: Vec<Range<u64>> = Vec::new();
    let mut position = 0;
    for segment in segments {
        let start = position;
        position += segment.byte_length();
        match segment {
            Segment::Copy { range, .. } if range.start == start => continue,
            Segment::Copy { range, .. } if range.end > old_header_size => return None,
            Segment::Swap { .. } => return None,
            Segment::Bytes(_) | Segment::Copy { .. } if position > data_offset => return None,
            Segment::Bytes(_) | Segment::Copy { .. } => {}
        }
        match patches.last_mut().filter(|last| last.end == start) {
            Some(last) => last.end = position,
            None => patches.push(start..position),
        }
    }
    Some(patches)
}
