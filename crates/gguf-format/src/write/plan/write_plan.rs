//! The plan of a whole file.

use alloc::vec::Vec;
use core::ops::Range;

use super::segment::{Part, Segment};
use crate::decode::decoder::decode_known;
use crate::error::HeaderResult;
use crate::format::header::Header;
use crate::format::header_bytes::HeaderBytes;

/// A file that is to be written.
///
/// # Examples
///
/// ```
/// use gguf_format::{edit::Edit, write::Segment};
///
/// # let file = gguf_format::example_file();
/// let mut edit = Edit::new(gguf_format::parse(&file)?);
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
    pub(super) segments: Vec<Segment>,
    /// The position of each segment in the planned file.
    pub(super) starts: Vec<u64>,
    pub(super) size: u64,
    pub(super) header_size: u64,
    pub(super) data_offset: u64,
    pub(super) patches: Option<Vec<Range<u64>>>,
}

impl WritePlan {
    /// The segments of the file, in order. Two neighbours that could be one segment are one.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    pub fn header_size(&self) -> u64 {
        self.header_size
    }

    /// The offset of the data section, in bytes from the start of the file.
    pub fn data_offset(&self) -> u64 {
        self.data_offset
    }

    /// The ranges of the file that must be written to turn the original file into the planned one in place. They contain new
    /// bytes and copies of the original header only. `None` if the size of the file changes or the data section moves.
    pub fn patches(&self) -> Option<&[Range<u64>]> {
        self.patches.as_deref()
    }

    /// The bytes of a range of the header, or of one of the [`patches`](Self::patches), as consecutive slices. `original` are
    /// the bytes of the original header.
    ///
    /// # Panics
    ///
    /// If the range is neither within the header nor one of the patches.
    pub fn header_pieces<'a>(&'a self, original: &'a HeaderBytes, range: Range<u64>) -> impl Iterator<Item = &'a [u8]> {
        HeaderPieces { parts: self.parts(range), original, copied: 0..0 }
    }

    /// The header of the planned file. `original` are the bytes of the original header.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory cannot be allocated.
    pub fn decoded_header(&self, original: &HeaderBytes) -> HeaderResult<Header> {
        decode_known(self.header_size, &mut self.header_pieces(original, 0..self.header_size))
    }

    /// The parts of a range of the file, in order. Positions after the end of the file have no part.
    pub fn parts(&self, range: Range<u64>) -> Parts<'_> {
        let next = self.starts.partition_point(|start| *start <= range.start).saturating_sub(1);
        Parts { plan: self, range, next }
    }
}

/// Iterator over the parts of a range of a planned file: [`WritePlan::parts`].
#[derive(Clone)]
pub struct Parts<'a> {
    plan: &'a WritePlan,
    range: Range<u64>,
    next: usize,
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        let (segment, position) = (self.plan.segments.get(self.next)?, *self.plan.starts.get(self.next)?);
        let start = self.range.start.saturating_sub(position);
        let end = self.range.end.saturating_sub(position).min(segment.byte_length());
        if start >= end {
            return None;
        }
        self.next += 1;
        Some(segment.part(start, end))
    }
}

struct HeaderPieces<'a> {
    parts: Parts<'a>,
    original: &'a HeaderBytes,
    /// The rest of a part that is copied from the original header.
    copied: Range<u64>,
}

impl<'a> Iterator for HeaderPieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.copied.is_empty() {
            match self.parts.next()? {
                Part::Bytes(bytes) => return Some(bytes),
                Part::Copy { range, .. } => self.copied = range,
                Part::Swap { .. } => panic!("a header has no blocks of a tensor"),
            }
        }
        let piece = self.original.pieces(self.copied.clone()).next()?;
        self.copied.start += piece.len() as u64;
        Some(piece)
    }
}
