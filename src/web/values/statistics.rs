//! Statistics of a tensor's numbers.

use alloc::vec::Vec;

use js_sys::Float64Array;

use crate::tensor::statistics::Summary;
use crate::web::interop::{AbortOptions, Js, ProgressOptions, options, plain_object};

options! {
    /// How a tensor's data is read.
    pub interface StatisticsOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress {
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
        pub counts: Js<Float64Array>,
    }
}

impl From<Summary> for TensorStatistics {
    fn from(summary: Summary) -> Self {
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
