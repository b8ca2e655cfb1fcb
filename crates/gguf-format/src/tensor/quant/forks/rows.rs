//! Rows as other programs store them, and the loop over their elements.
//!
//! ```text
//! group    heads of its rows | a block for each BLOCK columns
//! block    the blocks of all rows of the group, interleaved
//! ```
//!
//! Most types have groups of one row, and no heads: then these are ggml's blocks. A head is the scale of its row, an f16 or an
//! `f32`.

use super::lanes::Lanes;
use crate::tensor::quant::float16::f16_at;

/// Converts groups of rows to numbers: the number of columns, the bytes of whole groups, and the slice for their elements, row
/// after row. If one slice is longer than the other needs, its rest is ignored.
///
/// Returns the size of a group. It is `None`, and nothing is converted, if no row of the type has so many columns.
pub type ForkKernel = fn(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup>;

/// The size of a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// Rows that are stored together.
    pub rows: usize,
    /// Bytes of these rows, with their heads.
    pub bytes: usize,
}

/// How the rows of a type lie.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Bytes before the blocks, for each row.
    pub head: usize,
    /// Rows in a group.
    pub together: usize,
    /// Elements in a block.
    pub elements: usize,
    /// Bytes in a block, for each row.
    pub bytes: usize,
}

impl Layout {
    /// Blocks of one row, without a head.
    pub const fn new(elements: usize, bytes: usize) -> Self {
        Self { head: 0, together: 1, elements, bytes }
    }

    pub const fn head(self, head: usize) -> Self {
        Self { head, ..self }
    }

    pub const fn together(self, together: usize) -> Self {
        Self { together, ..self }
    }

    /// The size of a group of rows with so many columns.
    fn group(self, columns: usize) -> Option<RowGroup> {
        let Self { head, together, elements, bytes } = self;
        columns.checked_mul(together).filter(|_| columns > 0 && columns.is_multiple_of(elements))?;
        let row = (columns / elements).checked_mul(bytes)?.checked_add(head)?;
        Some(RowGroup { rows: together, bytes: row.checked_mul(together)? })
    }
}

/// Where the elements of a row in a block are.
pub(super) struct RowBlock<'a> {
    /// The block of the group.
    pub block: &'a [u8],
    /// The scale in the head of the row, 0 if rows have none.
    d: f32,
    /// The row in the group.
    pub row: usize,
}

/// Where 16 consecutive elements of a row are. Their sub-block is `2 * pair + half`.
pub(super) struct Part<'a> {
    /// The block of the group.
    pub block: &'a [u8],
    /// The scale in the head of the row, 0 if rows have none.
    pub d: f32,
    /// The row in the group.
    pub row: usize,
    /// The sub-block of 32 elements in the block.
    pub pair: usize,
    /// Which half of the 32 elements: 0 or 1.
    pub half: usize,
}

/// Calls `convert` for each 16 elements of the groups.
pub(super) fn for_each_part(
    layout: Layout,
    columns: usize,
    groups: &[u8],
    out: &mut [f32],
    convert: fn(&Part, &mut [f32; 16]),
) -> Option<RowGroup> {
    for_each_block(layout, columns, groups, out, &|&RowBlock { block, d, row }, out| {
        for (part, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
            convert(&Part { block, d, row, pair: part / 2, half: part % 2 }, out);
        }
    })
}

/// Calls `convert` for each row of each block of the groups.
pub(super) fn for_each_block(
    layout: Layout,
    columns: usize,
    groups: &[u8],
    out: &mut [f32],
    convert: &dyn Fn(&RowBlock, &mut [f32]),
) -> Option<RowGroup> {
    let Layout { head, together, elements, bytes } = layout;
    let size = layout.group(columns)?;
    for (group, out) in groups.chunks_exact(size.bytes).zip(out.chunks_exact_mut(together * columns)) {
        let (heads, blocks) = group.split_at_checked(together * head).unwrap_or_default();
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            let d = match head {
                0 => 0.0,
                2 => f16_at(&field::<2>(heads, 2 * row), 0),
                _ => f32::from_le_bytes(field(heads, head * row)),
            };
            for (block, out) in blocks.chunks_exact(together * bytes).zip(out.chunks_exact_mut(elements)) {
                convert(&RowBlock { block, d, row }, out);
            }
        }
    }
    Some(size)
}

/// The `N` bytes from an offset on. Offsets of kernels lie within the block, so the zeros that replace missing bytes are never used:
/// they take less code than a panic.
#[inline(always)]
pub(super) fn field<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    bytes.get(offset..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
}

impl Part<'_> {
    /// The sub-block of 16 elements in the block.
    pub fn sixteenth(&self) -> usize {
        2 * self.pair + self.half
    }

    /// The number of the sub-block among those of all four rows of a group: scales of interleaved types are in this order.
    pub fn scale_of_four(&self) -> usize {
        4 * self.sixteenth() + self.row
    }

    pub fn u8(&self, offset: usize) -> u32 {
        self.block.get(offset).copied().unwrap_or_default().into()
    }

    pub fn i8(&self, offset: usize) -> i32 {
        i32::from(self.u8(offset) as i8)
    }

    pub fn u16(&self, offset: usize) -> u32 {
        u16::from_le_bytes(field(self.block, offset)).into()
    }

    pub fn u32(&self, offset: usize) -> u32 {
        u32::from_le_bytes(field(self.block, offset))
    }

    /// An f16.
    pub fn f16(&self, offset: usize) -> f32 {
        f16_at(&field::<2>(self.block, offset), 0)
    }

    /// The low (0) or the high (1) four bits of a byte.
    pub fn nibble(&self, offset: usize, number: usize) -> u32 {
        self.u8(offset) >> (4 * number) & 15
    }

    /// 16 bytes.
    pub fn lanes(&self, offset: usize) -> Lanes {
        Lanes::new(&field(self.block, offset))
    }

    /// Four words of four bytes, the first at `offset`, each `stride` bytes after the one before.
    pub fn words(&self, offset: usize, stride: usize) -> Lanes {
        let word = |i: usize| self.u32(offset + stride * i);
        Lanes::words([word(0), word(1), word(2), word(3)])
    }

    /// Quants of two bits of interleaved rows, in `qs` at an offset: a word has four columns of a row in each two bits.
    pub fn two_bits(&self, offset: usize) -> Lanes {
        Lanes::spread(self.u32(offset + 4 * self.scale_of_four()), [0, 2, 4, 6], 3)
    }

    /// Quants of four bits of four interleaved rows, in `qs` at an offset: two words have 16 columns of a row.
    pub fn four_bits(&self, offset: usize) -> Lanes {
        let offset = offset + 64 * self.pair + 16 * self.half + 4 * self.row;
        let (first, second) = (self.u32(offset), self.u32(offset + 32));
        Lanes::words([first, second, first >> 4, second >> 4]).bits(0, 15)
    }

    /// The third bits of quants of four interleaved rows, in `qh` at an offset.
    pub fn third_bits(&self, offset: usize) -> Lanes {
        Lanes::spread(self.u32(offset + 16 * self.pair + 4 * self.row) >> (4 * self.half), [0, 1, 2, 3], 1)
    }
}
