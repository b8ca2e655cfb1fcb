//! The parts of a planned file.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::ggml_type::GgmlType;

/// Consecutive bytes of a planned file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// New bytes.
    Bytes(Vec<u8>),
    /// Bytes that are copied from a source.
    Copy {
        /// The source. An [`Edit`](crate::edit::Edit) has one source, 0: the original file. A [`Writer`](crate::write::Writer) has one
        /// source for each tensor: its data.
        source: usize,
        /// The range in the source.
        range: Range<u64>,
    },
    /// Whole blocks that are copied from a source and converted to the other byte order:
    /// [`GgmlTypeInfo::swap_byte_order`](crate::format::GgmlTypeInfo::swap_byte_order).
    Swap {
        /// The source.
        source: usize,
        /// The range in the source.
        range: Range<u64>,
        /// The type of the blocks.
        ggml_type: GgmlType,
    },
}

/// A [`Segment`], or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// New bytes.
    Bytes(&'a [u8]),
    /// Bytes that are copied from a source.
    Copy {
        /// The source: see [`Segment::Copy`].
        source: usize,
        /// The range in the source.
        range: Range<u64>,
    },
    /// Bytes of blocks that are copied from a source and converted to the other byte order.
    Swap {
        /// The source.
        source: usize,
        /// The range in the source. It can begin and end inside a block.
        range: Range<u64>,
        /// The start of the segment's first block in the source. The other blocks follow it without gaps.
        first_block: u64,
        /// The type of the blocks.
        ggml_type: GgmlType,
    },
}

impl Segment {
    /// The number of bytes.
    pub fn byte_length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Copy { range, .. } | Self::Swap { range, .. } => range.end - range.start,
        }
    }

    /// Appends the next segment if both can be one segment. Returns whether it did.
    pub(super) fn append(&mut self, next: &Self) -> bool {
        match (self, next) {
            (Self::Bytes(bytes), Self::Bytes(more)) => {
                bytes.extend_from_slice(more);
                true
            }
            (Self::Copy { source, range }, Self::Copy { source: next_source, range: next }) => {
                source == next_source && extend(range, next)
            }
            (
                Self::Swap { source, range, ggml_type },
                Self::Swap { source: next_source, range: next, ggml_type: next_type },
            ) => source == next_source && ggml_type == next_type && extend(range, next),
            _ => false,
        }
    }

    /// The bytes from `start` to before `end`, counted from the start of the segment.
    pub(super) fn part(&self, start: u64, end: u64) -> Part<'_> {
        let within = |range: &Range<u64>| range.start + start..range.start + end;
        match self {
            Self::Bytes(bytes) => Part::Bytes(&bytes[start as usize..end as usize]),
            Self::Copy { source, range } => Part::Copy { source: *source, range: within(range) },
            Self::Swap { source, range, ggml_type } => {
                Part::Swap { source: *source, range: within(range), first_block: range.start, ggml_type: *ggml_type }
            }
        }
    }
}

/// Extends a range by the next one if that begins where the range ends. Returns whether it did.
fn extend(range: &mut Range<u64>, next: &Range<u64>) -> bool {
    let is_adjacent = range.end == next.start;
    if is_adjacent {
        range.end = next.end;
    }
    is_adjacent
}
