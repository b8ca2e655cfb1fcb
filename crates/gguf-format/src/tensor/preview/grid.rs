//! The cells of a preview.

use alloc::vec::Vec;
use core::ops::Range;

use super::plan::PreviewPlan;

/// The cells of a preview: figures of the elements that have been read.
#[derive(Clone, Debug)]
pub struct Grid {
    cells: Vec<Cell>,
}

/// The figures of a cell's finite elements.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    count: u64,
    sum: f64,
    min: f32,
    max: f32,
}

impl Grid {
    /// The grid of a plan, without elements. `None` if its memory cannot be allocated.
    pub fn new(plan: &PreviewPlan) -> Option<Self> {
        let length = plan.rows().len().checked_mul(plan.columns().len())?;
        let mut cells = Vec::new();
        cells.try_reserve_exact(length).ok()?;
        cells.resize(length, Cell { count: 0, sum: 0.0, min: f32::INFINITY, max: f32::NEG_INFINITY });
        Some(Self { cells })
    }

    /// Adds elements that were read. The first one is element `start` of the tensor.
    pub fn push(&mut self, plan: &PreviewPlan, mut start: u64, mut elements: &[f32]) {
        while !elements.is_empty() {
            let (row, column) = (start / plan.row_length(), start % plan.row_length());
            let left = usize::try_from(plan.row_length() - column).unwrap_or(usize::MAX);
            let (in_row, rest) = elements.split_at(elements.len().min(left));
            let row = plan.rows().partition_point(|rows| rows.end <= row);
            let width = plan.columns().len();
            if let Some(cells) = self.cells.get_mut(row * width..(row + 1) * width) {
                push_row(cells, plan.columns(), column, in_row);
            }
            elements = rest;
            start += in_row.len() as u64;
        }
    }

    /// The mean of the finite elements of each cell, row by row; NaN for a cell without finite elements.
    pub fn mean(&self) -> impl Iterator<Item = f32> {
        self.cells.iter().map(|cell| (cell.sum / cell.count as f64) as f32)
    }

    /// The smallest finite element of each cell, row by row; NaN for a cell without finite elements.
    pub fn min(&self) -> impl Iterator<Item = f32> {
        self.cells.iter().map(|cell| if cell.count == 0 { f32::NAN } else { cell.min })
    }

    /// The largest finite element of each cell, row by row; NaN for a cell without finite elements.
    pub fn max(&self) -> impl Iterator<Item = f32> {
        self.cells.iter().map(|cell| if cell.count == 0 { f32::NAN } else { cell.max })
    }
}

/// Adds elements of one row of the tensor, the first one at `column`, to the cells of one row of the grid.
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
