//! Which part of a tensor a preview reads.
//!
//! A small tensor is read completely. Of a larger tensor, *slabs* of neighbouring rows are read, spread evenly over the
//! tensor. If that would be only a few rows, slabs of neighbouring elements of a few rows are read. Each slab is shown by
//! its share of the rows or columns of the grid.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::ggml_type::GgmlTypeInfo;
use crate::tensor::unit::Unit;

/// The limits of a preview: the size of its grid, and the amount of data that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewLimits {
    /// The most rows of the grid.
    pub rows: u64,
    /// The most columns of the grid.
    pub columns: u64,
    /// The most bytes that are read.
    pub bytes: u64,
    /// The most reads.
    pub reads: u64,
}

impl Default for PreviewLimits {
    /// 64 rows and columns, from 4 MiB in 64 reads.
    fn default() -> Self {
        Self { rows: 64, columns: 64, bytes: 4 << 20, reads: 64 }
    }
}

/// The bytes of a tensor that a preview reads, and the elements that each cell of the grid shows.
///
/// # Examples
///
/// ```
/// use gguf_format::{GgmlType, tensor::{PreviewLimits, PreviewPlan}};
///
/// let limits = PreviewLimits { rows: 4, columns: 8, bytes: 10 << 20, reads: 64 };
/// let plan = PreviewPlan::new(GgmlType::Q4_K.info().unwrap(), 4096, 128_256, limits).unwrap();
/// assert_eq!((plan.rows().len(), plan.columns().len()), (4, 8));
/// assert_eq!(plan.rows()[0], 15_463..16_600);
/// assert!(plan.reads().len() <= 64 && plan.byte_length() <= 10 << 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewPlan {
    row_length: u64,
    block_size: u64,
    type_size: u64,
    rows: Vec<Range<u64>>,
    columns: Vec<Range<u64>>,
    reads: Vec<Range<u64>>,
}

/// The least size of a read in bytes, if a slab is that large. A connection needs several round trips for it, so the
/// latency of a request matters little.
const READ_SIZE: u64 = 512 << 10;

impl PreviewPlan {
    /// Plans a preview of a tensor with `row_count` rows of `row_length` elements. `None` if the rows are not made of whole
    /// blocks, if the limits allow no block, or if the tensor has 2^64 bytes or more.
    pub fn new(info: &'static GgmlTypeInfo, row_length: u64, row_count: u64, limits: PreviewLimits) -> Option<Self> {
        Self::of_units(Unit::block(info), row_length, row_count, limits)
    }

    /// Plans a preview of a tensor that is read by units.
    #[doc(hidden)]
    pub fn of_units(unit: Unit, row_length: u64, row_count: u64, limits: PreviewLimits) -> Option<Self> {
        let (block_size, type_size) = (unit.elements, unit.bytes);
        // Rows that are stored together are chosen together, as one long row that is one block.
        let together = unit.rows.max(1);
        let (long_row, long_rows) = (row_length.checked_mul(together)?, row_count / together);
        if block_size == 0 || !long_row.is_multiple_of(block_size) || limits.reads == 0 {
            return None;
        }
        let row_blocks = long_row / block_size;
        row_blocks.checked_mul(long_rows)?.checked_mul(block_size.max(type_size))?;
        let mut slabs = Slabs::choose(long_rows, row_blocks, block_size, limits.bytes / type_size, limits)?;
        if unit.rows > 0 {
            slabs.rows.iter_mut().for_each(|rows| *rows = rows.start * together..rows.end * together);
            slabs.columns.iter_mut().for_each(|columns| *columns = 0..row_length);
        }
        let byte = |element: u64| element / block_size * type_size;
        let mut reads = Vec::new();
        for rows in &slabs.rows {
            for columns in &slabs.columns {
                // Slabs of more than one row have whole rows, so the elements of a slab are consecutive.
                let mut start = byte(rows.start * row_length + columns.start);
                let end = byte((rows.end - 1) * row_length + columns.end);
                // Each slab is one read. If the limit allows more reads, large slabs are read in parts.
                let parts = limits.reads / slabs.count();
                let read_size = (end - start).div_ceil(parts).max(READ_SIZE).next_multiple_of(type_size);
                while start < end {
                    let read = start..start + read_size.min(end - start);
                    start = read.end;
                    reads.push(read);
                }
            }
        }
        Some(Self {
            row_length,
            block_size,
            type_size,
            rows: divide(&slabs.rows, limits.rows),
            columns: divide(&slabs.columns, limits.columns),
            reads,
        })
    }

    /// The number of elements in a row of the tensor.
    pub(super) fn row_length(&self) -> u64 {
        self.row_length
    }

    /// The rows of the tensor that each row of the grid shows, in ascending order.
    pub fn rows(&self) -> &[Range<u64>] {
        &self.rows
    }

    /// The elements of a row that each column of the grid shows, in ascending order.
    pub fn columns(&self) -> &[Range<u64>] {
        &self.columns
    }

    /// The reads: ranges of whole blocks, in bytes from the start of the tensor, in ascending order.
    pub fn reads(&self) -> &[Range<u64>] {
        &self.reads
    }

    /// The number of bytes of all reads.
    pub fn byte_length(&self) -> u64 {
        self.reads.iter().map(|read| read.end - read.start).sum()
    }

    /// The index of the first element in the block at `byte`, counted in bytes from the start of the tensor.
    pub fn element_at(&self, byte: u64) -> u64 {
        byte / self.type_size * self.block_size
    }
}

/// The parts of the tensor that are read: the elements of each range of columns, in each range of rows.
struct Slabs {
    rows: Vec<Range<u64>>,
    columns: Vec<Range<u64>>,
}

impl Slabs {
    fn count(&self) -> u64 {
        (self.rows.len() * self.columns.len()) as u64
    }

    /// Chooses slabs of a tensor with `row_count` rows of `row_blocks` blocks. At most `blocks` blocks are read. `None` if
    /// that is none.
    fn choose(row_count: u64, row_blocks: u64, block_size: u64, blocks: u64, limits: PreviewLimits) -> Option<Self> {
        let row_length = row_blocks * block_size;
        // If fewer whole rows than this can be read, parts of this number of rows are read instead. Then both directions show
        // about the same amount of detail.
        let few_rows = row_count.min(limits.rows.max(1)).min(limits.reads.isqrt());
        if row_blocks == 0 || row_count == 0 {
            return Some(Self { rows: vec![], columns: vec![] });
        }
        let whole_rows = blocks / row_blocks;
        if whole_rows >= row_count {
            return Some(Self { rows: spread(row_count, 1, row_count), columns: spread(row_length, 1, row_length) });
        }
        if whole_rows >= few_rows {
            let slabs = whole_rows.min(limits.rows.max(1)).min(limits.reads);
            return Some(Self {
                rows: spread(row_count, slabs, whole_rows / slabs),
                columns: spread(row_length, 1, row_length),
            });
        }
        if blocks == 0 {
            return None;
        }
        let rows = few_rows.min(blocks);
        let parts = (limits.reads / rows).min(blocks / rows).min(limits.columns.max(1));
        let parts = spread(row_blocks, parts, (blocks / rows / parts).min(row_blocks / parts));
        let elements = |part: Range<u64>| part.start * block_size..part.end * block_size;
        Some(Self { rows: spread(row_count, rows, 1), columns: parts.into_iter().map(elements).collect() })
    }
}

/// `count` slabs of `size` elements or rows, each in the middle of its share of `0..total`.
fn spread(total: u64, count: u64, size: u64) -> Vec<Range<u64>> {
    let slab = |i: u64| {
        let share = share(total, i, count)..share(total, i + 1, count);
        let start = share.start + (share.end - share.start - size) / 2;
        start..start + size
    };
    (0..count).map(slab).collect()
}

/// The start of part `i`, if `0..total` is divided into `count` parts as evenly as whole numbers allow.
fn share(total: u64, i: u64, count: u64) -> u64 {
    total / count * i + total % count * i / count
}

/// Divides slabs of one size into at most `count` parts, as evenly as possible. Each part lies in one slab.
fn divide(slabs: &[Range<u64>], count: u64) -> Vec<Range<u64>> {
    let Some(size) = slabs.first().map(|slab| slab.end - slab.start) else { return vec![] };
    let slab_count = slabs.len() as u64;
    let count = count.max(slab_count).min(slab_count.saturating_mul(size));
    let mut parts = Vec::new();
    for (i, slab) in slabs.iter().enumerate() {
        let i = i as u64;
        let own = share(count, i + 1, slab_count) - share(count, i, slab_count);
        parts.extend((0..own).map(|part| slab.start + share(size, part, own)..slab.start + share(size, part + 1, own)));
    }
    parts
}
