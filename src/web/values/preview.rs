//! A look at a tensor as JavaScript sees it.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Range;

use js_sys::{Array as JsArray, Float32Array};
use wasm_bindgen::prelude::*;

use crate::format::header::TensorInfo;
use crate::tensor::preview::{Grid, PreviewLimits, PreviewPlan};
use crate::tensor::statistics::Statistics;
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{Bytes, Members, Record};
use crate::web::reader::blocks::Blocks;
use crate::web::reader::opened::Opened;
use crate::web::source::no_memory;
use crate::web::source::stream::{Sink, Task};
use crate::web::values::dequantize::{Converter, Piece};
use crate::web::values::statistics;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** How much a preview reads, and how fine it is. */
export interface PreviewOptions extends StatisticsOptions {
  /** Rows of the grid, at most, up to 1024; 64 if it is not given. */
  rows?: number;
  /** Columns of the grid, at most, up to 1024; 64 if it is not given. */
  columns?: number;
  /** Bytes of the tensor that are read, at most; 4 MiB if it is not given. */
  maxBytes?: number;
  /** The first element to show, a multiple of `dimensions[0]`; 0 if it is not given. With `end`, one expert of a stacked tensor, for example. */
  start?: number;
  /** The end of the elements to show, a multiple of `dimensions[0]`; the end of the tensor if it is not given. */
  end?: number;
}

/** Numbers from `start` up to, not including, `end`. */
export interface IndexRange {
  start: number;
  end: number;
}

/**
 * A tensor as a grid of cells. It is seen as a matrix: a row is `dimensions[0]` elements, and there are as many rows as
 * the product of the other dimensions. Where that is more than may be read, rows that are evenly spread over it are, or
 * parts of rows.
 */
export interface TensorPreview {
  /** Rows of the grid. */
  rows: number;
  /** Columns of the grid. */
  columns: number;
  /** Of each cell, row after row, the mean of the elements that are finite as `f32`s; NaN if it has none. */
  mean: Float32Array<ArrayBuffer>;
  /** Of each cell, row after row, the least of these elements; NaN if it has none. */
  min: Float32Array<ArrayBuffer>;
  /** Of each cell, row after row, the greatest of these elements; NaN if it has none. */
  max: Float32Array<ArrayBuffer>;
  /** For each row of the grid the rows of the tensor that it shows. */
  sampledRows: IndexRange[];
  /** For each column of the grid the elements of these rows that it shows. */
  sampledColumns: IndexRange[];
  /** Figures of all elements that were read. */
  statistics: TensorStatistics;
  /** Bytes of the tensor that were read. */
  bytesRead: number;
  /** Whether these are all bytes from `start` to `end`, or of the whole tensor if neither is given. */
  complete: boolean;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Members, typescript_type = "PreviewOptions")]
    pub type PreviewOptions;
}

/// Reads that a preview is made of, at most.
const READS: u64 = 64;

/// Rows or columns that a grid has, at most: few screens have more pixels, and cells are 24 bytes each.
const FINEST: u64 = 1024;

/// What the option `name` says, a number from 1 on, rounded down.
fn whole(options: Option<&Members>, name: &str, default: u64) -> Result<u64, JsValue> {
    match options.map(|options| options.some(name)).transpose()?.flatten() {
        None => Ok(default),
        Some(value) => match value.as_f64().filter(|value| *value >= 1.0) {
            Some(value) => Ok(value as u64),
            None => Err(failure(Code::InvalidArgument, &format!("the option {name} is not a number from 1 on"))),
        },
    }
}

/// The rows that `elements` are, as numbers of rows.
fn whole_rows(tensor: &TensorInfo<'_>, elements: &Range<u64>, row_length: u64) -> Result<Range<u64>, JsValue> {
    if row_length == 0 {
        return Ok(0..0);
    }
    if elements.start.is_multiple_of(row_length) && elements.end.is_multiple_of(row_length) {
        return Ok(elements.start / row_length..elements.end / row_length);
    }
    let (name, Range { start, end }) = (tensor.name(), elements);
    let message = format!(
        "\"{name}\": a preview shows whole rows: start is {start} and end is {end}, expected multiples of {row_length}"
    );
    Err(failure(Code::InvalidArgument, &message))
}

struct Preview {
    converter: Converter,
    plan: PreviewPlan,
    grid: Grid,
    statistics: Statistics,
    /// The rows of the tensor that are shown; the plan counts from the first of them.
    rows: Range<u64>,
    /// Numbers that `f32` would lose, as `f32`s, which is enough for the grid.
    floats: Vec<f32>,
    /// The position in the file of the first row that is shown.
    first: u64,
    bytes_read: u64,
    complete: bool,
}

/// Reads part of a tensor and shows it as a grid.
#[inline(never)]
pub(crate) fn task(opened: &Opened, tensor: &TensorInfo<'_>, options: Option<&Members>) -> Result<Task, JsValue> {
    let (header, file_size) = (&opened.file, opened.file_size.get());
    let blocks = Blocks::of(header, tensor)?;
    let limits = PreviewLimits {
        rows: whole(options, "rows", 64)?.min(FINEST),
        columns: whole(options, "columns", 64)?.min(FINEST),
        bytes: whole(options, "maxBytes", 4 << 20)?,
        reads: READS,
    };
    let row_length = tensor.dimensions().next().unwrap_or(1);
    let elements = blocks.elements(tensor, options)?;
    let rows = whole_rows(tensor, &elements, row_length)?;
    let all = blocks.bytes(header, tensor, &elements, file_size)?;
    let plan = PreviewPlan::new(blocks.info, row_length, rows.end - rows.start, limits).ok_or_else(|| {
        let (name, type_size) = (tensor.name(), blocks.info.type_size);
        failure(Code::InvalidArgument, &format!("\"{name}\": maxBytes is less than a block of {type_size} bytes"))
    })?;
    let grid = Grid::new(&plan).ok_or_else(|| no_memory(24 * limits.rows * limits.columns))?;
    let total = plan.byte_length();
    let reads = plan.reads().to_vec().into_iter();
    Ok(Task {
        sink: Box::new(Preview {
            converter: Converter::new(blocks.info, header.format().endian, statistics::format(blocks.info))?,
            plan,
            grid,
            statistics: Statistics::new(),
            rows,
            floats: Vec::new(),
            first: all.start,
            bytes_read: total,
            complete: total == all.end - all.start,
        }),
        pieces: Box::new(reads.map(move |read| all.start + read.start..all.start + read.end)),
        total,
    })
}

impl Sink for Preview {
    fn take(&mut self, start: u64, blocks: &Bytes) -> Result<(), JsValue> {
        let first = self.plan.element_at(start - self.first);
        self.converter.each(blocks, &mut |done, piece| {
            statistics::push(&mut self.statistics, &piece);
            let floats = match piece {
                Piece::Doubles(doubles) => {
                    self.floats.clear();
                    self.floats.extend(doubles.iter().map(|double| *double as f32));
                    &self.floats
                }
                Piece::Floats(floats) => floats,
                Piece::Integers(_) => return,
            };
            self.grid.push(&self.plan, first + done, floats);
        })
    }

    fn done(self: Box<Self>) -> JsValue {
        let (rows, columns) = (self.plan.rows(), self.plan.columns());
        Record::new()
            .numbers(&["rows", "columns"], &[rows.len() as f64, columns.len() as f64])
            .value("mean", &floats_of(&mut self.grid.mean()))
            .value("min", &floats_of(&mut self.grid.min()))
            .value("max", &floats_of(&mut self.grid.max()))
            .value("sampledRows", &index_ranges(rows, self.rows.start))
            .value("sampledColumns", &index_ranges(columns, 0))
            .value("statistics", &statistics::to_js(&self.statistics))
            .number("bytesRead", self.bytes_read as f64)
            .value("complete", &self.complete.into())
            .done()
    }
}

#[inline(never)]
fn floats_of(cells: &mut dyn Iterator<Item = f32>) -> JsValue {
    Float32Array::from(&cells.collect::<Vec<_>>()[..]).into()
}

/// Ranges that are counted from `first`, as ranges that are counted from 0.
fn index_ranges(ranges: &[Range<u64>], first: u64) -> JsValue {
    let array = JsArray::new();
    for range in ranges {
        let ends = [(first + range.start) as f64, (first + range.end) as f64];
        array.push(&Record::new().numbers(&["start", "end"], &ends).done());
    }
    array.into()
}
