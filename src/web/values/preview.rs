//! A preview of a tensor: a grid of cells, computed from evenly spread parts of its data.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::format::header::TensorInfo;
use crate::tensor::preview::{Grid, PreviewLimits, PreviewPlan};
use crate::tensor::statistics::Statistics;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::{failure, no_memory};
use crate::web::interop::options::{Options, options};
use crate::web::interop::plain_object::{Js, plain_object, to_js};
use crate::web::reader::blocks::Blocks;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::tensor_task::{BlockProcessor, TensorTask};
use crate::web::values::converter::{Chunk, Converter};
use crate::web::values::statistics::StatisticsOptions;
use crate::web::values::statistics::{self, TensorStatistics};

options! {
    /// How much a preview reads, and how fine its grid is.
    pub interface PreviewOptions extends StatisticsOptions {
        /// The most rows of the grid, up to 1024; 64 by default.
        rows?: "number";
        /// The most columns of the grid, up to 1024; 64 by default.
        columns?: "number";
        /// The most bytes of the tensor that are read; 4 MiB by default.
        maxBytes?: "number";
        /// The first element to show, a multiple of `dimensions[0]`; 0 by default. With `end`, it selects one expert of a stacked tensor, for example.
        start?: "number";
        /// The end of the elements to show, a multiple of `dimensions[0]`; the end of the tensor by default.
        end?: "number";
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
        #[typescript("Float32Array<ArrayBuffer>")]
        pub mean: Js<Float32Array>,
        /// For each cell, row after row, the least of these elements; NaN if it has none.
        #[typescript("Float32Array<ArrayBuffer>")]
        pub min: Js<Float32Array>,
        /// For each cell, row after row, the greatest of these elements; NaN if it has none.
        #[typescript("Float32Array<ArrayBuffer>")]
        pub max: Js<Float32Array>,
        /// For each row of the grid, the rows of the tensor that it shows.
        #[typescript("IndexRange[]")]
        pub sampled_rows: Vec<IndexRange>,
        /// For each column of the grid, the elements of these rows that it shows.
        #[typescript("IndexRange[]")]
        pub sampled_columns: Vec<IndexRange>,
        /// Statistics of all elements that were read.
        pub statistics: TensorStatistics,
        /// Bytes of the tensor that were read.
        pub bytes_read: f64,
        /// Whether these are all bytes from `start` to `end`, or of the whole tensor if neither is given.
        pub complete: bool,
    }
}

/// The most reads of a preview.
const MOST_READS: u64 = 64;

/// The most rows or columns of a grid. Few screens have more pixels, and a cell takes 24 bytes.
const MOST_CELLS: u64 = 1024;

/// The default number of rows and of columns.
const DEFAULT_CELLS: u64 = 64;

/// The default of the option `maxBytes`.
const DEFAULT_BYTES: u64 = 4 << 20;

/// An option that is a number from 1 on, rounded down.
fn count(options: &Options, name: &str, default: u64) -> Result<u64, JsValue> {
    Ok(options.number(name, 1.0)?.map_or(default, |number| number as u64))
}

/// The rows that consist of `elements`.
fn rows_of(tensor: &TensorInfo<'_>, elements: &Range<u64>, row_length: u64) -> Result<Range<u64>, JsValue> {
    if row_length == 0 {
        return Ok(0..0);
    }
    if elements.start.is_multiple_of(row_length) && elements.end.is_multiple_of(row_length) {
        return Ok(elements.start / row_length..elements.end / row_length);
    }
    let (name, Range { start, end }) = (tensor.name(), elements);
    let message = format!(
        "\"{name}\": the preview cannot be made: start is {start} and end is {end}, expected multiples of {row_length}, the \
         length of a row"
    );
    Err(failure(ErrorCode::InvalidArgument, &message))
}

struct PreviewReader {
    converter: Converter,
    plan: PreviewPlan,
    grid: Grid,
    statistics: Statistics,
    /// The rows of the tensor that are shown. The plan counts rows and bytes from the first of them.
    rows: Range<u64>,
    /// A buffer for doubles as `f32`s, which is enough for the grid.
    floats: Vec<f32>,
    /// The position in the file of the first row that is shown.
    first_position: u64,
    bytes_read: u64,
    is_complete: bool,
}

/// Reads part of a tensor and shows it as a grid.
pub(crate) fn task(file: &OpenedFile, tensor: &TensorInfo<'_>, options: &Options) -> Result<TensorTask, JsValue> {
    let header = &file.header;
    let blocks = Blocks::of(header, tensor)?;
    let limits = PreviewLimits {
        rows: count(options, "rows", DEFAULT_CELLS)?.min(MOST_CELLS),
        columns: count(options, "columns", DEFAULT_CELLS)?.min(MOST_CELLS),
        bytes: count(options, "maxBytes", DEFAULT_BYTES)?,
        reads: MOST_READS,
    };
    let row_length = tensor.dimensions().next().unwrap_or(1);
    let elements = blocks.elements(tensor, options)?;
    let rows = rows_of(tensor, &elements, row_length)?;
    let range = blocks.bytes(header, tensor, &elements, file.file_size.get())?;
    let plan = PreviewPlan::new(blocks.info, row_length, rows.end - rows.start, limits).ok_or_else(|| {
        let message = format!(
            "\"{}\": the preview cannot be made: options.maxBytes is {}, expected {} or more, the bytes of a block",
            tensor.name(),
            limits.bytes,
            blocks.info.type_size
        );
        failure(ErrorCode::InvalidArgument, &message)
    })?;
    let grid = Grid::new(&plan).ok_or_else(|| no_memory(24 * limits.rows * limits.columns))?;
    let total_bytes = plan.byte_length();
    let reads = plan.reads().to_vec().into_iter();
    let first_position = range.start;
    Ok(TensorTask {
        processor: Box::new(PreviewReader {
            converter: Converter::new(blocks.info, header.format().endian, statistics::number_format(blocks.info))?,
            plan,
            grid,
            statistics: Statistics::new(),
            rows,
            floats: Vec::new(),
            first_position,
            bytes_read: total_bytes,
            is_complete: total_bytes == range.end - range.start,
        }),
        parts: Box::new(reads.map(move |read| first_position + read.start..first_position + read.end)),
        total_bytes,
        on_progress: options.function("onProgress")?,
    })
}

impl BlockProcessor for PreviewReader {
    fn process(&mut self, position: u64, blocks: &Bytes) -> Result<(), JsValue> {
        let first = self.plan.element_at(position - self.first_position);
        self.converter.convert(blocks, &mut |elements_before, chunk| {
            statistics::add(&mut self.statistics, &chunk);
            let floats = match chunk {
                Chunk::Floats(floats) => floats,
                Chunk::Doubles(doubles) => {
                    self.floats.clear();
                    self.floats.extend(doubles.iter().map(|double| *double as f32));
                    &self.floats
                }
                Chunk::Integers(_) => return,
            };
            self.grid.push(&self.plan, first + elements_before, floats);
        })
    }

    fn finish(self: Box<Self>) -> JsValue {
        let (rows, columns) = (self.plan.rows(), self.plan.columns());
        to_js(&TensorPreview {
            rows: rows.len() as f64,
            columns: columns.len() as f64,
            mean: float_array(self.grid.mean()),
            min: float_array(self.grid.min()),
            max: float_array(self.grid.max()),
            sampled_rows: index_ranges(rows, self.rows.start),
            sampled_columns: index_ranges(columns, 0),
            statistics: TensorStatistics::from(&self.statistics),
            bytes_read: self.bytes_read as f64,
            complete: self.is_complete,
        })
    }
}

fn float_array(cells: impl Iterator<Item = f32>) -> Js<Float32Array> {
    Js(Float32Array::from(&cells.collect::<Vec<_>>()[..]))
}

/// Ranges of indices that count from `first`, as ranges that count from 0.
fn index_ranges(ranges: &[Range<u64>], first: u64) -> Vec<IndexRange> {
    let absolute =
        |range: &Range<u64>| IndexRange { start: (first + range.start) as f64, end: (first + range.end) as f64 };
    ranges.iter().map(absolute).collect()
}
