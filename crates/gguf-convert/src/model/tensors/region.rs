//! The part of a matrix that is read.

use alloc::vec::Vec;
use core::ops::Range;

use super::view::Run;
use gguf_format::order::sort_items;

/// Some rows of a matrix, and in each of them the same columns.
#[derive(Debug, PartialEq)]
pub(super) struct Region {
    /// Neighbouring rows, in order: the first row, the row after the last, and the number of rows before them.
    rows: Vec<(u64, u64, u64)>,
    pub columns: Range<u64>,
    /// The number of columns of the matrix.
    width: u64,
}

impl Region {
    /// The part of a matrix of `width` columns that has all elements of some runs.
    pub fn of(runs: &[Run], width: u64) -> Self {
        let mut rows: Vec<(u64, u64, u64)> = Vec::new();
        let (mut first, mut last) = (u64::MAX, 0);
        let mut last_column = None;
        for run in runs {
            let (row, column) = (run.start / width, run.start % width);
            let (end_row, end_column) = ((run.end() - 1) / width + 1, (run.end() - 1) % width + 1);
            let is_column = run.step.is_multiple_of(width);
            let within = if is_column || row + 1 == end_row { column..end_column } else { 0..width };
            (first, last) = (first.min(within.start), last.max(within.end));
            if run.step <= width {
                add(&mut rows, row, end_row);
            } else if last_column.replace((row, run.step, run.length)) != Some((row, run.step, run.length))
                || !is_column
            {
                (0..run.length).for_each(|i| {
                    let row = (run.start + i * run.step) / width;
                    add(&mut rows, row, row + 1);
                });
            }
        }
        sort_items(&mut rows, &|a, b| a.0.cmp(&b.0));
        let mut region = Self { rows: Vec::new(), columns: first..last, width };
        for (start, end, _) in rows {
            add(&mut region.rows, start, end);
        }
        let mut before = 0;
        for (start, end, rank) in &mut region.rows {
            *rank = before;
            before += *end - *start;
        }
        region
    }

    /// The rows: ranges that do not touch, in order.
    pub fn rows(&self) -> Vec<Range<u64>> {
        self.rows.iter().map(|(start, end, _)| *start..*end).collect()
    }

    /// All rows from the first to the last.
    pub fn row_span(&self) -> Range<u64> {
        self.rows.first().map_or(0, |first| first.0)..self.rows.last().map_or(0, |last| last.1)
    }

    pub fn row_count(&self) -> u64 {
        self.rows.last().map_or(0, |(start, end, rank)| rank + end - start)
    }

    pub fn column_count(&self) -> u64 {
        self.columns.end - self.columns.start
    }

    /// The number of rows of the region before a row of it.
    fn rank(&self, row: u64) -> u64 {
        let place = self.rows.partition_point(|(start, ..)| *start <= row);
        self.rows.get(place.wrapping_sub(1)).map_or(0, |(start, _, rank)| rank + row - start)
    }

    /// Puts the elements of runs into their places. `block` has all elements of the region, row by row.
    pub fn scatter(&self, block: &[f32], runs: &[Run], target: &mut [f32]) {
        for run in runs {
            let mut i = 0;
            while i < run.length {
                let position = run.start + i * run.step;
                let (row, column) = (position / self.width, position % self.width);
                // The elements of the run in this row.
                let count = ((self.width - 1 - column) / run.step + 1).min(run.length - i);
                let from = (self.rank(row) * self.column_count() + column - self.columns.start) as usize;
                let to = (run.target + i * run.target_step) as usize;
                let from = block[from..].iter().step_by(run.step as usize);
                let to = target[to..].iter_mut().step_by(run.target_step as usize);
                to.zip(from).take(count as usize).for_each(|(to, from)| *to = *from);
                i += count;
            }
        }
    }
}

/// Adds rows. They are joined with the last ones if they touch.
fn add(rows: &mut Vec<(u64, u64, u64)>, start: u64, end: u64) {
    match rows.last_mut() {
        Some(last) if last.0 <= start && start <= last.1 => last.1 = last.1.max(end),
        _ => rows.push((start, end, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::View;
    use super::*;

    /// Reads rows of a view of a matrix of 8 columns through a region.
    fn read(view: &View, row_length: u64, first: u64, count: u64) -> (Region, Vec<f32>) {
        let runs = view.runs(row_length, first, count);
        let region = Region::of(&runs, 8);
        let rows = region.rows().into_iter().flatten();
        let block: Vec<f32> =
            rows.flat_map(|row| region.columns.clone().map(move |column| (row * 8 + column) as f32)).collect();
        let mut elements = vec![f32::NAN; (row_length * count) as usize];
        region.scatter(&block, &runs, &mut elements);
        (region, elements)
    }

    #[test]
    fn a_region_has_the_elements_of_every_view() {
        let matrix = View::whole(0, &[16, 8]);
        let halves = matrix.clone().divided(0, &[Some(2), Some(2), None]).unwrap().swapped(1, 2).unwrap();
        let transposed = matrix.clone().swapped(0, 1).unwrap();
        let cut = matrix.clone().sliced(1, 2, 3, 2).unwrap();
        let part = matrix.clone().divided(1, &[Some(2), None]).unwrap().sliced(1, 1, 1, 1).unwrap();
        let rows = matrix.clone().sliced(0, 1, 2, 8).unwrap();
        for (view, row_length) in [(matrix, 8), (halves, 8), (transposed, 16), (cut, 2), (part, 4), (rows, 8)] {
            let count = view.element_count() / row_length;
            for first in 0..count {
                for count in 1..=count - first {
                    let (region, elements) = read(&view, row_length, first, count);
                    let wanted = (first * row_length..(first + count) * row_length).map(|i| view.position(i) as f32);
                    assert_eq!(elements, wanted.collect::<Vec<_>>(), "rows {first} to {count} of {view:?}: {region:?}");
                }
            }
        }
    }

    #[test]
    fn a_region_is_not_larger_than_its_rows() {
        let matrix = View::whole(0, &[16, 8]);
        let halves = matrix.clone().divided(0, &[Some(2), Some(2), None]).unwrap().swapped(1, 2).unwrap();
        let (region, _) = read(&halves, 8, 0, 2);
        assert_eq!((region.rows(), region.columns.clone(), region.row_count()), (vec![0..1, 4..5], 0..8, 2));
        let (region, _) = read(&matrix.swapped(0, 1).unwrap(), 16, 3, 2);
        assert_eq!((region.columns.clone(), region.row_span(), region.row_count()), (3..5, 0..16, 16));
    }
}
