//! The plan of an edited header without the data of the tensors.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use crate::format::header::Header;
use crate::write::plan::WritePlan;

/// The plan of an edited header alone: see [`Edit::plan_header`](crate::edit::Edit::plan_header).
#[derive(Clone, Debug)]
pub struct HeaderPlan {
    pub(super) original: Arc<Header>,
    pub(super) plan: WritePlan,
    pub(super) value_ranges: Vec<Range<u64>>,
    /// The offset of each tensor. `None` if the edited header has the tensors of the original header at the same offsets.
    pub(super) offsets: Option<Vec<u64>>,
    pub(super) has_final_offsets: bool,
}

impl HeaderPlan {
    /// The size of the header in bytes: from the start of the file to the end of the tensor infos.
    pub fn header_size(&self) -> u64 {
        self.plan.header_size()
    }

    /// The offset of the data section, in bytes from the start of the file.
    pub fn data_offset(&self) -> u64 {
        self.plan.data_offset()
    }

    /// The range of the value of the entry at a position, in bytes from the start of the file. It begins after the value
    /// type. A string's range includes its length, an array's its element type and length.
    pub fn value_range(&self, position: usize) -> Option<Range<u64>> {
        self.value_ranges.get(position).cloned()
    }

    /// The offset of the data of the tensor at a position, in bytes from the start of the data section.
    pub fn tensor_offset(&self, position: usize) -> Option<u64> {
        match &self.offsets {
            Some(offsets) => offsets.get(position).copied(),
            None => self.original.tensor_at(position).map(|tensor| tensor.offset()),
        }
    }

    /// The offset of the data of each tensor, in bytes from the start of the data section.
    pub fn tensor_offsets(&self) -> impl Iterator<Item = u64> {
        (0..).map_while(|position| self.tensor_offset(position))
    }

    /// Whether the header has the offsets of the edited file. It has the offsets of the original file if the data must be
    /// moved, and the size of some data is not known.
    pub fn has_final_offsets(&self) -> bool {
        self.has_final_offsets
    }

    /// The bytes of a range of the header, as consecutive slices.
    ///
    /// # Panics
    ///
    /// If the range is not within the header.
    pub fn header_pieces(&self, range: Range<u64>) -> impl Iterator<Item = &[u8]> {
        self.plan.header_pieces(self.original.bytes(), range)
    }
}
