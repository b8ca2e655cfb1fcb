//! The least part of a tensor that can be converted to numbers alone.

use crate::format::ggml_type::{GgmlTypeInfo, Layout};
use crate::format::header::TensorInfo;

/// The least part of a tensor that can be converted alone: a block, or, if rows have heads or are interleaved, a group of rows.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Unit {
    pub info: &'static GgmlTypeInfo,
    /// The number of elements. They are consecutive, and the first one is at a multiple of this number.
    pub elements: u64,
    pub bytes: u64,
    /// The whole rows of the unit; 0 for a block.
    pub rows: u64,
}

impl Unit {
    /// The most elements of a unit: converting it needs memory for all of them.
    pub const MOST_ELEMENTS: u64 = 4 << 20;

    /// A block of a type.
    pub fn block(info: &'static GgmlTypeInfo) -> Self {
        Self { info, elements: info.block_size.into(), bytes: info.type_size.into(), rows: 0 }
    }

    /// The columns of rows that have `elements` elements together. Blocks are one row.
    pub fn columns(&self, elements: usize) -> usize {
        self.elements.checked_div(self.rows).map_or(elements, |columns| columns as usize)
    }

    /// The unit of a tensor with a type. `None` if the type has no blocks that stand alone, or if the unit is too large.
    pub fn of(info: &'static GgmlTypeInfo, tensor: &TensorInfo<'_>) -> Option<Self> {
        let block = Self::block(info);
        match info.layout {
            Layout::BLOCKS => Some(block),
            Layout::Rows { head, together } => {
                let (rows, columns) = (u64::from(together), tensor.dimension_iter().next().unwrap_or(1));
                let elements = columns.checked_mul(rows).filter(|count| (1..=Self::MOST_ELEMENTS).contains(count))?;
                let bytes = rows * (u64::from(head) + columns / block.elements * block.bytes);
                Some(Self { elements, bytes, rows, ..block })
            }
            Layout::Tail(_) | Layout::Tl2 => None,
        }
    }
}
