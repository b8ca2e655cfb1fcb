//! The bytes of an original file that the planned file, which has replaced it, still contains.

use alloc::vec::Vec;
use core::ops::Range;

use super::plan::{Segment, WritePlan};
use crate::format::header::Header;
use crate::order::sort_by;
use crate::tensor::extents::Extents;

/// Bytes of the original file, and their position in the file that has replaced it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptRange {
    /// The range in the original file, after its header.
    pub range: Range<u64>,
    /// The position in the new file.
    pub at: u64,
}

/// The positions in the new file of the data of an original file, in the order of the original. `size` is the size of the original in
/// bytes. `None` if the new file lacks data of a tensor, or has it in the other byte order.
pub fn kept_ranges(plan: &WritePlan, header: &Header, size: u64) -> Option<Vec<KeptRange>> {
    let (mut kept, mut at) = (Vec::new(), 0);
    for segment in plan.segments() {
        if let Segment::Copy { source: 0, range } = segment {
            let start = range.start.max(header.header_size());
            if start < range.end {
                kept.push(KeptRange { range: start..range.end, at: at + (start - range.start) });
            }
        }
        at += segment.byte_length();
    }
    let mut order: Vec<usize> = (0..kept.len()).collect();
    sort_by(&mut order, &|a, b| (kept[a].range.start, a).cmp(&(kept[b].range.start, b)));
    let kept: Vec<_> = order.into_iter().map(|index| kept[index].clone()).collect();
    let extents = Extents::new(header).ok()?;
    let is_kept = |extent: Range<u64>| {
        let mut position = extent.start;
        let first = kept.partition_point(|kept| kept.range.end <= position);
        for KeptRange { range, .. } in &kept[first..] {
            if position >= extent.end || range.start > position {
                break;
            }
            position = range.end;
        }
        position >= extent.end
    };
    header.tensors().all(|tensor| extents.of(&tensor, Some(size)).is_ok_and(is_kept)).then_some(kept)
}
