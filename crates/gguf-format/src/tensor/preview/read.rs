//! Reading the part of a tensor that a preview shows.

use alloc::vec::Vec;
use core::ops::Range;

use super::grid::Grid;
use super::plan::{PreviewLimits, PreviewPlan};
use crate::error::{Result, error, no_memory};
use crate::format::header::TensorInfo;
use crate::io::{OnProgress, Source};
use crate::tensor::blocks::Blocks;
use crate::tensor::converter::{Chunk, NumberFormat};
use crate::tensor::opened_file::OpenedFile;
use crate::tensor::read::process_parts;
use crate::tensor::statistics::{Statistics, Summary};
use gguf_declare::result;

result! {
    /// Indices from `start` to before `end`.
    #[open true]
    pub struct IndexRange {
        pub start: u64,
        pub end: u64,
    }
}

gguf_declare::js! {
    impl IndexRange {
        fn list(ranges: &[Range<u64>]) -> Vec<Self> {
            ranges.iter().map(|range| Self { start: range.start, end: range.end }).collect()
        }
    }
}

result! {
    /// A tensor as a grid of cells. The tensor is shown as a matrix: a row has `dimensions[0]` elements, and the number of rows
    /// is the product of the other dimensions. If the tensor is larger than the bytes that may be read, evenly spread rows, or
    /// parts of rows, are read.
    #[derive(Clone, Debug)]
    #[open true]
    pub struct TensorPreview {
        /// For each row of the grid, the rows of the tensor that it shows.
        #[rust]
        pub rows: Vec<Range<u64>>,
        /// The number of rows of the grid.
        give rows: usize = |preview| preview.rows.len(),
        /// For each column of the grid, the elements of these rows that it shows.
        #[rust]
        pub columns: Vec<Range<u64>>,
        /// The number of columns of the grid.
        give columns: usize = |preview| preview.columns.len(),
        /// The cells.
        #[rust]
        pub grid: Grid,
        /// For each cell, row after row, the mean of the elements that are finite as `f32`s; NaN if it has none.
        give mean: gguf_declare::value::Floats = |preview| gguf_declare::value::Floats(preview.grid.mean().collect()),
        /// For each cell, row after row, the least of these elements; NaN if it has none.
        give min: gguf_declare::value::Floats = |preview| gguf_declare::value::Floats(preview.grid.min().collect()),
        /// For each cell, row after row, the greatest of these elements; NaN if it has none.
        give max: gguf_declare::value::Floats = |preview| gguf_declare::value::Floats(preview.grid.max().collect()),
        /// For each row of the grid, the rows of the tensor that it shows.
        give sampled_rows: Vec<IndexRange> = |preview| IndexRange::list(&preview.rows),
        /// For each column of the grid, the elements of these rows that it shows.
        give sampled_columns: Vec<IndexRange> = |preview| IndexRange::list(&preview.columns),
        /// Statistics of all elements that were read.
        pub statistics: Summary,
        /// Bytes of the tensor that were read.
        pub bytes_read: u64,
        /// Whether these are all bytes of the elements that were asked for.
        #[rust]
        pub is_complete: bool,
        /// Whether these are all bytes from `start` to `end`, or of the whole tensor if neither is given.
        give complete: bool = |preview| preview.is_complete,
    }
}

impl<S: Source> OpenedFile<S> {
    /// Reads evenly spread parts of some elements of a tensor, which consist of whole rows, and shows them as a grid.
    ///
    /// # Errors
    ///
    /// `out-of-range`, `unknown-type`, `unexpected-eof`; `invalid-argument` if the elements are not whole rows or the limits
    /// allow no block. Errors of the source are passed on.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::{Limits, OpenedFile, io::{FileSource, block_on}, tensor::PreviewLimits};
    ///
    /// # let path = std::env::temp_dir().join("gguf-wasm-preview.gguf");
    /// # let file = gguf_format::example_file();
    /// # std::fs::write(&path, &file).unwrap();
    /// let opened = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
    /// let tensor = opened.header().tensor("output.weight").unwrap();
    /// let limits = PreviewLimits { rows: 2, columns: 8, ..PreviewLimits::default() };
    /// let preview = block_on(opened.preview(&tensor, 0..64, limits, None))?;
    /// assert_eq!(preview.grid.mean().count(), 16); // 2 rows of 8 cells, each the mean of 4 elements
    /// assert!(preview.is_complete);
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub async fn preview(
        &self,
        tensor: &TensorInfo<'_>,
        elements: Range<u64>,
        limits: PreviewLimits,
        on_progress: Option<OnProgress<'_>>,
    ) -> Result<TensorPreview> {
        let blocks = Blocks::of(self.header(), tensor)?;
        blocks.check(tensor, &elements)?;
        let row_length = tensor.dimension_iter().next().unwrap_or(1);
        let mut rows = rows_of(tensor, &elements, row_length)?;
        if blocks.unit.rows > 1 && !elements.is_empty() {
            // Rows that are stored together are read and shown together.
            let together = blocks.unit.rows;
            rows = rows.start / together * together..rows.end.next_multiple_of(together);
        }
        let elements = rows.start * row_length..rows.end * row_length;
        let range = self.blocks(tensor, &blocks, &elements)?;
        let plan = PreviewPlan::of_units(blocks.unit, row_length, rows.end - rows.start, limits).ok_or_else(|| {
            error!(InvalidArgument:
                "\"{}\": the preview cannot be made: options.maxBytes is {}, expected {} or more, the bytes of a \
                 block", tensor.name(), limits.bytes, blocks.unit.bytes)
        })?;
        let mut grid = Grid::new(&plan).ok_or_else(|| no_memory(24 * limits.rows * limits.columns))?;
        let format = NumberFormat::exact(blocks.unit.info);
        let mut converter = self.converter(blocks.unit, format).await?;
        let (mut statistics, mut rounded) = (Statistics::new(), Vec::new());
        let mut process = |position: u64, bytes: &S::Buffer| {
            let first = plan.element_at(position - range.start);
            converter.convert(bytes, &mut |elements_before, chunk| {
                statistics.add(chunk);
                grid.push(&plan, first + elements_before, as_floats(chunk, &mut rounded));
            })
        };
        let bytes_read = plan.byte_length();
        let mut parts = plan.reads().iter().map(|read| range.start + read.start..range.start + read.end);
        process_parts(self.reader(), &mut parts, bytes_read, &mut process, on_progress).await?;
        Ok(TensorPreview {
            rows: plan.rows().iter().map(|shown| rows.start + shown.start..rows.start + shown.end).collect(),
            columns: plan.columns().to_vec(),
            grid,
            statistics: statistics.summary(),
            bytes_read,
            is_complete: bytes_read == range.end - range.start,
        })
    }
}

/// The rows that consist of `elements`.
fn rows_of(tensor: &TensorInfo<'_>, elements: &Range<u64>, row_length: u64) -> Result<Range<u64>> {
    if row_length == 0 {
        return Ok(0..0);
    }
    if elements.start.is_multiple_of(row_length) && elements.end.is_multiple_of(row_length) {
        return Ok(elements.start / row_length..elements.end / row_length);
    }
    let (name, Range { start, end }) = (tensor.name(), elements);
    Err(error!(InvalidArgument:
        "\"{name}\": the preview cannot be made: start is {start} and end is {end}, expected multiples of \
         {row_length}, the length of a row"))
}

/// Numbers as `f32`s, which is enough for a grid.
fn as_floats<'a>(chunk: Chunk<'a>, rounded: &'a mut Vec<f32>) -> &'a [f32] {
    match chunk {
        Chunk::Floats(floats) => floats,
        Chunk::Doubles(doubles) => {
            rounded.clear();
            rounded.extend(doubles.iter().map(|double| *double as f32));
            rounded
        }
        Chunk::Integers(_) => &[],
    }
}
