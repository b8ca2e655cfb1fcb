//! A preview of a tensor: a grid of cells, computed from evenly spread parts of its data.

use alloc::vec::Vec;
use core::ops::Range;

use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

use crate::tensor::{self, preview::PreviewLimits};
use crate::web::interop::{Js, options, plain_object, to_js};
use crate::web::values::statistics::{StatisticsOptions, TensorStatistics};

options! {
    /// How much a preview reads, and how fine its grid is.
    pub interface PreviewOptions extends StatisticsOptions as statistics fills limits: PreviewLimits {
        /// The most rows of the grid, up to 1024; 64 by default.
        rows?: "number" -> limits.rows: u64, number from 1;
        /// The most columns of the grid, up to 1024; 64 by default.
        columns?: "number" -> limits.columns: u64, number from 1;
        /// The most bytes of the tensor that are read; 4 MiB by default.
        max_bytes?: "number" -> limits.bytes: u64, number from 1;
        /// The first element to show, a multiple of `dimensions[0]`; 0 by default. With `end`, it selects one expert of a stacked tensor, for example.
        start?: "number" => JsValue;
        /// The end of the elements to show, a multiple of `dimensions[0]`; the end of the tensor by default.
        end?: "number" => JsValue;
    }
}

plain_object! {
    /// Indices from `start` to before `end`.
    #[open true]
    struct IndexRange {
        pub start: f64,
        pub end: f64,
    }
}

plain_object! {
    /// A tensor as a grid of cells. The tensor is shown as a matrix: a row has `dimensions[0]` elements, and the number of rows
    /// is the product of the other dimensions. If the tensor is larger than the bytes that may be read, evenly spread rows, or
    /// parts of rows, are read.
    #[open true]
    struct TensorPreview {
        /// The number of rows of the grid.
        pub rows: f64,
        /// The number of columns of the grid.
        pub columns: f64,
        /// For each cell, row after row, the mean of the elements that are finite as `f32`s; NaN if it has none.
        pub mean: Js<Float32Array>,
        /// For each cell, row after row, the least of these elements; NaN if it has none.
        pub min: Js<Float32Array>,
        /// For each cell, row after row, the greatest of these elements; NaN if it has none.
        pub max: Js<Float32Array>,
        /// For each row of the grid, the rows of the tensor that it shows.
        pub sampled_rows: Vec<IndexRange>,
        /// For each column of the grid, the elements of these rows that it shows.
        pub sampled_columns: Vec<IndexRange>,
        /// Statistics of all elements that were read.
        pub statistics: TensorStatistics,
        /// Bytes of the tensor that were read.
        pub bytes_read: f64,
        /// Whether these are all bytes from `start` to `end`, or of the whole tensor if neither is given.
        pub complete: bool,
    }
}

/// The most rows or columns of a grid. Few screens have more pixels, and a cell takes 24 bytes.
const MOST_CELLS: u64 = 1024;

/// The limits that are used for those that a caller gives.
pub(super) fn limits(given: PreviewLimits) -> PreviewLimits {
    PreviewLimits { rows: given.rows.min(MOST_CELLS), columns: given.columns.min(MOST_CELLS), ..given }
}

/// A preview as a JavaScript object.
pub(super) fn object(preview: tensor::preview::TensorPreview) -> JsValue {
    to_js(&TensorPreview {
        rows: preview.rows.len() as f64,
        columns: preview.columns.len() as f64,
        mean: float_array(preview.grid.mean()),
        min: float_array(preview.grid.min()),
        max: float_array(preview.grid.max()),
        sampled_rows: index_ranges(&preview.rows),
        sampled_columns: index_ranges(&preview.columns),
        statistics: preview.statistics.into(),
        bytes_read: preview.bytes_read as f64,
        complete: preview.is_complete,
    })
}

fn float_array(cells: impl Iterator<Item = f32>) -> Js<Float32Array> {
    Js(Float32Array::from(&cells.collect::<Vec<_>>()[..]))
}

fn index_ranges(ranges: &[Range<u64>]) -> Vec<IndexRange> {
    ranges.iter().map(|range| IndexRange { start: range.start as f64, end: range.end as f64 }).collect()
}
