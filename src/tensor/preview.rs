//! A look at a tensor that reads only part of it: which part, and the grid of cells that it is shown as.
//!
//! A tensor is seen as a matrix: a row is its first dimension, and there are as many rows as the product of the others.
//! Where the whole is more than may be read, *slabs* of neighbouring rows are, spread evenly over the tensor; where that
//! would be no more than a few rows, slabs of neighbouring elements of a few. Each slab is shown by its share of the grid's rows
//! or columns.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::format::ggml_type::GgmlTypeInfo;

/// How much a preview may ask for, and how fine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreviewLimits {
    /// Rows of the grid, at most.
    pub rows: u64,
    /// Columns of the grid, at most.
    pub columns: u64,
    /// Bytes that are read, at most.
    pub bytes: u64,
    /// Reads that these are spread over, at most.
    pub reads: u64,
}

/// What of a tensor is read for a preview, and which part of it each cell of the grid shows.
///
/// # Examples
///
/// ```
/// use gguf_wasm::{GgmlType, PreviewLimits, PreviewPlan};
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

/// Bytes that are read at once where nothing else decides it: a connection is busy with them for several round trips.
const PIECE: u64 = 512 << 10;

impl PreviewPlan {
    /// Plans a preview of a tensor with `row_count` rows of `row_length` elements: `None` if rows are not made of whole
    /// blocks, no block may be read, or the tensor has 2^64 bytes or more.
    pub fn new(info: &GgmlTypeInfo, row_length: u64, row_count: u64, limits: PreviewLimits) -> Option<Self> {
        let (block_size, type_size) = (u64::from(info.block_size), u64::from(info.type_size));
        if block_size == 0 || !row_length.is_multiple_of(block_size) || limits.reads == 0 {
            return None;
        }
        let row_blocks = row_length / block_size;
        row_blocks.checked_mul(row_count)?.checked_mul(block_size.max(type_size))?;
        let blocks = limits.bytes / type_size;
        // If no more rows than this could be read, parts of as many are: neither direction shows much more than the other.
        let few_rows = row_count.min(limits.rows.max(1)).min(limits.reads.isqrt());
        let (row_slabs, column_slabs) = if row_blocks == 0 || row_count == 0 {
            (vec![], vec![])
        } else if blocks / row_blocks >= row_count {
            (spread(row_count, 1, row_count), spread(row_length, 1, row_length))
        } else if blocks / row_blocks >= few_rows {
            let sampled = blocks / row_blocks;
            let slabs = sampled.min(limits.rows.max(1)).min(limits.reads);
            (spread(row_count, slabs, sampled / slabs), spread(row_length, 1, row_length))
        } else {
            if blocks == 0 {
                return None;
            }
            let rows = few_rows.min(blocks);
            let slabs = (limits.reads / rows).min(blocks / rows).min(limits.columns.max(1));
            let parts = spread(row_blocks, slabs, (blocks / rows / slabs).min(row_blocks / slabs));
            let elements = |part: Range<u64>| part.start * block_size..part.end * block_size;
            (spread(row_count, rows, 1), parts.into_iter().map(elements).collect())
        };
        // Slabs are read whole if there are many, else in pieces, as far as the number of reads allows it.
        let slab_count = (row_slabs.len() * column_slabs.len()) as u64;
        let byte = |element: u64| element / block_size * type_size;
        let mut reads = Vec::new();
        for rows in &row_slabs {
            for part in &column_slabs {
                // Of rows that are read in parts, none are neighbours.
                let mut start = byte(rows.start * row_length + part.start);
                let end = byte((rows.end - 1) * row_length + part.end);
                let piece = (end - start).div_ceil(limits.reads / slab_count).max(PIECE).next_multiple_of(type_size);
                while start < end {
                    let piece = start..start + piece.min(end - start);
                    start = piece.end;
                    reads.push(piece);
                }
            }
        }
        Some(Self {
            row_length,
            block_size,
            type_size,
            rows: divide(&row_slabs, limits.rows),
            columns: divide(&column_slabs, limits.columns),
            reads,
        })
    }

    /// The rows of the tensor that each row of the grid shows, in order.
    pub fn rows(&self) -> &[Range<u64>] {
        &self.rows
    }

    /// The elements of these rows that each column of the grid shows, in order.
    pub fn columns(&self) -> &[Range<u64>] {
        &self.columns
    }

    /// What is read: whole blocks, in bytes from the tensor's start, in order.
    pub fn reads(&self) -> &[Range<u64>] {
        &self.reads
    }

    /// Bytes of all reads.
    pub fn byte_length(&self) -> u64 {
        self.reads.iter().map(|read| read.end - read.start).sum()
    }

    /// The element of the tensor that is the first one in the block at `byte`, counted from the tensor's start.
    pub fn element_at(&self, byte: u64) -> u64 {
        byte / self.type_size * self.block_size
    }
}

/// `count` slabs of `size` each, each in the middle of its share of `0..total`.
fn spread(total: u64, count: u64, size: u64) -> Vec<Range<u64>> {
    let slab = |i: u64| {
        let share = share(total, i, count)..share(total, i + 1, count);
        let start = share.start + (share.end - share.start - size) / 2;
        start..start + size
    };
    (0..count).map(slab).collect()
}

/// Where part `i` of `count` parts of `0..total` begins, if they are as even as whole numbers can be.
fn share(total: u64, i: u64, count: u64) -> u64 {
    total / count * i + total % count * i / count
}

/// Divides slabs of one size into at most `count` parts, of which each lies in one slab, as evenly as that goes.
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

/// The cells of a preview, as far as their elements have been seen.
#[derive(Clone, Debug)]
pub struct Grid {
    cells: Vec<Cell>,
}

/// What is known of a cell's finite elements.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    count: u64,
    sum: f64,
    min: f32,
    max: f32,
}

impl Grid {
    /// The grid of a plan, of which nothing has been seen: `None` if there is no memory for it.
    pub fn new(plan: &PreviewPlan) -> Option<Self> {
        let length = plan.rows.len().checked_mul(plan.columns.len())?;
        let mut cells = Vec::new();
        cells.try_reserve_exact(length).ok()?;
        cells.resize(length, Cell { count: 0, sum: 0.0, min: f32::INFINITY, max: f32::NEG_INFINITY });
        Some(Self { cells })
    }

    /// Takes in elements that were read, of which the first is element `start` of the tensor.
    pub fn push(&mut self, plan: &PreviewPlan, mut start: u64, mut elements: &[f32]) {
        while !elements.is_empty() {
            let (row, column) = (start / plan.row_length, start % plan.row_length);
            let left = usize::try_from(plan.row_length - column).unwrap_or(usize::MAX);
            let (now, rest) = elements.split_at(elements.len().min(left));
            let row = plan.rows.partition_point(|rows| rows.end <= row);
            let width = plan.columns.len();
            if let Some(cells) = self.cells.get_mut(row * width..(row + 1) * width) {
                push_row(cells, &plan.columns, column, now);
            }
            elements = rest;
            start += now.len() as u64;
        }
    }

    /// For each cell, row after row, the mean of its finite elements; NaN if it has none.
    pub fn mean(&self) -> impl Iterator<Item = f32> {
        self.cells.iter().map(|cell| (cell.sum / cell.count as f64) as f32)
    }

    /// For each cell, row after row, the smallest of its finite elements; NaN if it has none.
    pub fn min(&self) -> impl Iterator<Item = f32> {
        self.cells.iter().map(|cell| if cell.count == 0 { f32::NAN } else { cell.min })
    }

    /// For each cell, row after row, the largest of its finite elements; NaN if it has none.
    pub fn max(&self) -> impl Iterator<Item = f32> {
        self.cells.iter().map(|cell| if cell.count == 0 { f32::NAN } else { cell.max })
    }
}

/// Takes elements of one row, the first at `column`, into the cells of that row of the grid.
fn push_row(cells: &mut [Cell], columns: &[Range<u64>], column: u64, elements: &[f32]) {
    let first = columns.partition_point(|shown| shown.end <= column);
    for (cell, shown) in cells[first..].iter_mut().zip(&columns[first..]) {
        let start = shown.start.saturating_sub(column).min(elements.len() as u64) as usize;
        let end = (shown.end - column).min(elements.len() as u64) as usize;
        if start == elements.len() {
            break;
        }
        for &element in elements[start..end].iter().filter(|element| element.is_finite()) {
            cell.count += 1;
            cell.sum += f64::from(element);
            cell.min = cell.min.min(element);
            cell.max = cell.max.max(element);
        }
    }
}
