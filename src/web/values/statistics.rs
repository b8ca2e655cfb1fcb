//! Statistics of a tensor's numbers.

use alloc::boxed::Box;
use alloc::vec::Vec;

use js_sys::Float64Array;
use wasm_bindgen::prelude::*;

use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};
use crate::format::header::TensorInfo;
use crate::tensor::quant::kernels;
use crate::tensor::statistics::Statistics;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::options::{Options, options};
use crate::web::interop::plain_object::{Js, plain_object, to_js};
use crate::web::interop::shared_options::{AbortOptions, ProgressOptions};
use crate::web::reader::blocks::Blocks;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::tensor_task::{BlockProcessor, TensorTask, split};
use crate::web::values::converter::{Chunk, Converter};
use crate::web::values::number_format::NumberFormat;

options! {
    /// How a tensor's data is read.
    pub interface StatisticsOptions extends AbortOptions, ProgressOptions<"ReadProgress"> {
    }
}

plain_object! {
    /// Statistics of the numbers in a tensor, or in a sample of it. NaNs and infinities are counted, and left out of all other
    /// members. These are NaN if no number is left. Mean and deviation are also NaN if sums of F64 are too large for a double.
    #[open true]
    pub(crate) struct TensorStatistics {
        /// The number of elements, including NaNs and infinities.
        pub count: f64,
        pub min: f64,
        pub max: f64,
        pub mean: f64,
        /// The root of the mean squared distance from the mean. It is that of the numbers themselves, not an estimate for a
        /// population from which they are drawn.
        pub standard_deviation: f64,
        pub absolute_maximum: f64,
        /// The number of zeros of either sign.
        pub zeros: f64,
        pub nans: f64,
        pub positive_infinities: f64,
        pub negative_infinities: f64,
        pub histogram: Histogram,
    }
}

plain_object! {
    /// The distribution of the finite numbers. Bin `i` counts the numbers from `start + i * width` to before
    /// `start + (i + 1) * width`. The width is the least power of two with which all numbers have a bin.
    #[open true]
    pub(crate) struct Histogram {
        pub start: f64,
        pub width: f64,
        /// Empty if there are no finite numbers.
        #[typescript("Float64Array<ArrayBuffer>")]
        pub counts: Js<Float64Array>,
    }
}

/// Bytes that are read at once.
const READ_BYTES: u64 = 2 << 20;

/// The format that statistics of a type are computed from: one that holds its numbers without rounding, except I64.
pub(crate) fn number_format(info: &GgmlTypeInfo) -> NumberFormat {
    if kernels(GgmlType(info.id)).is_some_and(|kernels| kernels.to_f64.is_some()) {
        NumberFormat::Float64
    } else {
        NumberFormat::Float32
    }
}

/// Adds numbers that have been converted to [`number_format`].
pub(crate) fn add(statistics: &mut Statistics, chunk: &Chunk<'_>) {
    match chunk {
        Chunk::Floats(floats) => statistics.push(floats),
        Chunk::Doubles(doubles) => statistics.extend(doubles.iter().copied()),
        Chunk::Integers(_) => {}
    }
}

struct StatisticsReader {
    converter: Converter,
    statistics: Statistics,
}

/// Computes the statistics of a whole tensor.
pub(crate) fn task(file: &OpenedFile, tensor: &TensorInfo<'_>, options: &Options) -> Result<TensorTask, JsValue> {
    let header = &file.header;
    let blocks = Blocks::of(header, tensor)?;
    let range = blocks.bytes(header, tensor, &(0..blocks.element_count), file.file_size.get())?;
    Ok(TensorTask {
        total_bytes: range.end - range.start,
        parts: split(range, blocks.round_up(READ_BYTES)),
        processor: Box::new(StatisticsReader {
            converter: Converter::new(blocks.info, header.format().endian, number_format(blocks.info))?,
            statistics: Statistics::new(),
        }),
        on_progress: options.function("onProgress")?,
    })
}

impl BlockProcessor for StatisticsReader {
    fn process(&mut self, _: u64, blocks: &Bytes) -> Result<(), JsValue> {
        self.converter.convert(blocks, &mut |_, chunk| add(&mut self.statistics, &chunk))
    }

    fn finish(self: Box<Self>) -> JsValue {
        to_js(&TensorStatistics::from(&self.statistics))
    }
}

impl From<&Statistics> for TensorStatistics {
    fn from(statistics: &Statistics) -> Self {
        let summary = statistics.summary();
        let or_nan = |number: Option<f64>| number.unwrap_or(f64::NAN);
        let (start, width, counts) = match summary.histogram {
            Some(histogram) => (histogram.low, histogram.width, histogram.counts),
            None => (f64::NAN, f64::NAN, Vec::new()),
        };
        let counts: Vec<f64> = counts.into_iter().map(|count| count as f64).collect();
        Self {
            count: summary.count as f64,
            min: or_nan(summary.min),
            max: or_nan(summary.max),
            mean: or_nan(summary.mean),
            standard_deviation: or_nan(summary.deviation),
            absolute_maximum: or_nan(summary.absolute_max),
            zeros: summary.zeros as f64,
            nans: summary.nan as f64,
            positive_infinities: summary.positive_infinity as f64,
            negative_infinities: summary.negative_infinity as f64,
            histogram: Histogram { start, width, counts: Js(Float64Array::from(&counts[..])) },
        }
    }
}
