//! Figures of a tensor's numbers as JavaScript sees them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use js_sys::Float64Array;
use wasm_bindgen::prelude::*;

use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};
use crate::format::header::TensorInfo;
use crate::tensor::quant::kernels;
use crate::tensor::statistics::Statistics;
use crate::web::interop::js::{Bytes, Members, Record};
use crate::web::reader::blocks::Blocks;
use crate::web::reader::opened::Opened;
use crate::web::source::stream::{Sink, Task, pieces};
use crate::web::values::dequantize::{Converter, NumberFormat, Piece};

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** Until when a tensor's data is read, and who hears of it. */
export interface StatisticsOptions {
  /** Ends the reading: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Is called for every piece that has been looked at. */
  onProgress?: (progress: ReadProgress) => void;
}

/**
 * Figures of the numbers in a tensor, or in a sample of it. Those that are NaN or infinite are counted apart and take
 * no part in the others, which are NaN where no number is left; mean and deviation also where sums of F64 pass what
 * doubles hold.
 */
export interface TensorStatistics {
  /** How many numbers there are, NaN and infinite ones included. */
  count: number;
  min: number;
  max: number;
  mean: number;
  /** Of all of them, not an estimate from a sample: the root of the mean square of the distance from the mean. */
  standardDeviation: number;
  absoluteMaximum: number;
  /** How many are zero, of either sign. */
  zeros: number;
  nans: number;
  positiveInfinities: number;
  negativeInfinities: number;
  histogram: Histogram;
}

/**
 * How the finite numbers are distributed. Bin `i` counts those from `start + i * width` up to, not including,
 * `start + (i + 1) * width`. The width is the least power of two with which they fit.
 */
export interface Histogram {
  start: number;
  width: number;
  /** Empty if there are no finite numbers. */
  counts: Float64Array<ArrayBuffer>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = Members, typescript_type = "StatisticsOptions")]
    pub type StatisticsOptions;
}

/// Bytes that are read at once.
const PIECE: u64 = 2 << 20;

/// What numbers of a type are looked at as: as what holds them.
pub(crate) fn format(info: &GgmlTypeInfo) -> NumberFormat {
    if kernels(GgmlType(info.id)).is_some_and(|kernels| kernels.to_f64.is_some()) {
        NumberFormat::Float64
    } else {
        NumberFormat::Float32
    }
}

/// Takes in numbers of either format.
pub(crate) fn push(statistics: &mut Statistics, piece: &Piece<'_>) {
    match piece {
        Piece::Floats(floats) => statistics.push(floats),
        Piece::Doubles(doubles) => statistics.extend(doubles.iter().copied()),
        Piece::Integers(_) => {}
    }
}

struct Figures {
    converter: Converter,
    statistics: Statistics,
}

/// Computes the figures of a whole tensor.
#[inline(never)]
pub(crate) fn task(opened: &Opened, tensor: &TensorInfo<'_>, _: Option<&Members>) -> Result<Task, JsValue> {
    let (header, file_size) = (&opened.file, opened.file_size.get());
    let blocks = Blocks::of(header, tensor)?;
    let range = blocks.bytes(header, tensor, &(0..blocks.count), file_size)?;
    Ok(Task {
        total: range.end - range.start,
        pieces: pieces(range, blocks.whole(PIECE)),
        sink: Box::new(Figures {
            converter: Converter::new(blocks.info, header.format().endian, format(blocks.info))?,
            statistics: Statistics::new(),
        }),
    })
}

impl Sink for Figures {
    fn take(&mut self, _: u64, blocks: &Bytes) -> Result<(), JsValue> {
        self.converter.each(blocks, &mut |_, piece| push(&mut self.statistics, &piece))
    }

    fn done(self: Box<Self>) -> JsValue {
        to_js(&self.statistics)
    }
}

const FIGURES: [&str; 10] = [
    "count",
    "min",
    "max",
    "mean",
    "standardDeviation",
    "absoluteMaximum",
    "zeros",
    "nans",
    "positiveInfinities",
    "negativeInfinities",
];

/// The figures as an object.
#[inline(never)]
pub(crate) fn to_js(statistics: &Statistics) -> JsValue {
    let summary = statistics.summary();
    let some = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
    let (low, width, counts) = match summary.histogram {
        Some(histogram) => (histogram.low, histogram.width, histogram.counts),
        None => (f64::NAN, f64::NAN, Vec::new()),
    };
    let counts: Vec<f64> = counts.into_iter().map(|count| count as f64).collect();
    let histogram =
        Record::new().numbers(&["start", "width"], &[low, width]).value("counts", &Float64Array::from(&counts[..]));
    let figures = [
        summary.count as f64,
        some(summary.min),
        some(summary.max),
        some(summary.mean),
        some(summary.deviation),
        some(summary.absolute_max),
        summary.zeros as f64,
        summary.nan as f64,
        summary.positive_infinity as f64,
        summary.negative_infinity as f64,
    ];
    Record::new().numbers(&FIGURES, &figures).value("histogram", &histogram.done()).done()
}
