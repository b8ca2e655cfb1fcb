//! Builds a plan segment by segment.

use alloc::vec::Vec;
use core::ops::Range;

use super::segment::Segment;
use super::write_plan::WritePlan;
use crate::allocation;

/// The most bytes of padding that a plan holds in memory. A file can ask for an alignment of gigabytes.
#[doc(hidden)]
pub const MAX_PADDING: u64 = 1 << 26;

/// The memory that the allocator may take for a few bytes.
const SMALL_ALLOCATION: usize = 48;

/// Builds a [`WritePlan`].
#[derive(Default)]
#[doc(hidden)]
pub struct PlanBuilder {
    segments: Vec<Segment>,
    starts: Vec<u64>,
    size: u64,
    padding: u64,
}

impl PlanBuilder {
    /// The number of bytes so far.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reserves memory for more segments, so that the memory grows once. Half of the segments are assumed to be a few new
    /// bytes.
    pub fn reserve(&mut self, segments: usize) {
        let lists = segments * (size_of::<Segment>() + size_of::<u64>());
        allocation::reserve((lists + segments / 2 * SMALL_ALLOCATION) as u64);
        let _ = self.segments.try_reserve_exact(segments);
        let _ = self.starts.try_reserve_exact(segments);
    }

    /// Appends a segment. Joins it with the previous segment if both can be one.
    pub fn push(&mut self, segment: Segment) {
        let length = segment.byte_length();
        if length == 0 {
            return;
        }
        if !self.segments.last_mut().is_some_and(|last| last.append(&segment)) {
            self.segments.push(segment);
            self.starts.push(self.size);
        }
        self.size = self.size.saturating_add(length);
    }

    /// Appends new bytes.
    pub fn push_bytes(&mut self, bytes: Vec<u8>) {
        self.push(Segment::Bytes(bytes));
    }

    /// Copies a range of source 0.
    pub fn push_copy(&mut self, range: Range<u64>) {
        self.push(Segment::Copy { source: 0, range });
    }

    /// Appends zeros up to a position.
    ///
    /// # Errors
    ///
    /// The number of zeros, if they cannot be allocated.
    pub fn pad_to(&mut self, position: u64) -> Result<(), u64> {
        let length = position - self.size;
        let size = match self.padding.checked_add(length) {
            Some(padding) if padding <= MAX_PADDING => length as usize,
            _ => return Err(length),
        };
        self.padding += length;
        self.push_bytes(allocation::zeros(size).ok_or(length)?);
        Ok(())
    }

    /// The plan. The header is everything up to `header_size`. `original` is `(header size, file size)` of the original file,
    /// if the plan edits one.
    pub fn finish(self, header_size: u64, data_offset: u64, original: Option<(u64, u64)>) -> WritePlan {
        let Self { segments, starts, size, .. } = self;
        let patches = original
            .filter(|(_, original_size)| *original_size == size)
            .and_then(|(original_header_size, _)| patches(&segments, original_header_size, data_offset));
        WritePlan { segments, starts, size, header_size, data_offset, patches }
    }
}

/// The ranges of the planned file that differ from the original file. `None` if the original file cannot be changed in
/// place: if such a range reaches into the data section, or copies bytes that are not in the original header.
fn patches(segments: &[Segment], original_header_size: u64, data_offset: u64) -> Option<Vec<Range<u64>>> {
    let mut patches: Vec<Range<u64>> = Vec::new();
    let mut position = 0;
    for segment in segments {
        let start = position;
        position += segment.byte_length();
        match segment {
            Segment::Copy { range, .. } if range.start == start => continue,
            Segment::Copy { range, .. } if range.end > original_header_size => return None,
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
