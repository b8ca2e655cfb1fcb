//! The figures of the numbers so far, and their summary.

use super::histogram::{Bins, Histogram};
use super::moments::Moments;
use gguf_declare::result;

/// The number of numbers in a block: few enough for the first-level cache.
pub(super) const BLOCK: usize = 1024;

result! {
    /// Statistics of the numbers in a tensor, or in a sample of it. NaNs and infinities are counted, and left out of all other
    /// members.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("TensorStatistics")]
    #[open true]
    pub struct Summary {
        /// The number of elements, including NaNs and infinities.
        pub count: u64,
        /// The smallest finite number; `None` if there is none. A zero has no sign.
        #[rust]
        pub min: Option<f64>,
        /// The smallest finite number; NaN if there is none. A zero has no sign.
        give min: f64 = |summary| summary.min.unwrap_or(f64::NAN),
        /// The largest finite number; `None` if there is none. A zero has no sign.
        #[rust]
        pub max: Option<f64>,
        /// The largest finite number; NaN if there is none. A zero has no sign.
        give max: f64 = |summary| summary.max.unwrap_or(f64::NAN),
        /// The mean. `None` also if a sum overflows an `f64`, which sums of `f32`s or integers never do.
        #[rust]
        pub mean: Option<f64>,
        /// The mean; NaN if there is no finite number, or if sums of F64 are too large for a double.
        give mean: f64 = |summary| summary.mean.unwrap_or(f64::NAN),
        /// The standard deviation of the numbers as a population, exactly 0 if all are equal. `None` also if a square overflows
        /// an `f64`, which squares of `f32`s or integers never do.
        #[rust]
        pub deviation: Option<f64>,
        /// The root of the mean squared distance from the mean. It is that of the numbers themselves, not an estimate for a
        /// population from which they are drawn. NaN if the mean is, or if a square is too large for a double.
        give standard_deviation: f64 = |summary| summary.deviation.unwrap_or(f64::NAN),
        /// The largest absolute value.
        #[rust]
        pub absolute_max: Option<f64>,
        /// The largest absolute value; NaN if there is no finite number.
        give absolute_maximum: f64 = |summary| summary.absolute_max.unwrap_or(f64::NAN),
        /// The number of zeros of either sign.
        pub zeros: u64,
        /// The number of NaNs.
        #[rust]
        pub nan: u64,
        /// The number of NaNs.
        give nans: u64 = |summary| summary.nan,
        /// The number of +∞.
        #[rust]
        pub positive_infinity: u64,
        /// The number of +∞.
        give positive_infinities: u64 = |summary| summary.positive_infinity,
        /// The number of -∞.
        #[rust]
        pub negative_infinity: u64,
        /// The number of -∞.
        give negative_infinities: u64 = |summary| summary.negative_infinity,
        /// The distribution of the finite numbers.
        #[rust]
        pub histogram: Option<Histogram>,
        /// The distribution of the finite numbers; without bins if there are none.
        give histogram: Histogram = |summary| summary.histogram.clone().unwrap_or_else(Histogram::empty),
    }
}

/// The figures of the complete blocks, and the block that is being filled.
#[derive(Clone, Debug)]
pub(super) struct Totals {
    /// The block that is being filled.
    pub block: [f64; BLOCK],
    /// The number of numbers in the block.
    pub filled: usize,
    pub count: u64,
    pub zeros: u64,
    pub nan: u64,
    pub positive_infinity: u64,
    pub negative_infinity: u64,
    pub moments: Moments,
    pub bins: Bins,
}

impl Default for Totals {
    fn default() -> Self {
        let [count, zeros, nan, positive_infinity, negative_infinity] = [0; 5];
        let (moments, bins) = (Moments::default(), Bins::default());
        Self { block: [0.0; BLOCK], filled: 0, count, zeros, nan, positive_infinity, negative_infinity, moments, bins }
    }
}

impl Totals {
    /// The summary of the complete blocks.
    pub fn summary(self) -> Summary {
        let Self { mut bins, moments, .. } = self;
        let is_some = !moments.is_empty();
        let some = |figure: f64| (is_some && figure.is_finite()).then_some(figure);
        // The mean of equal numbers is the number itself, even if the sum was rounded.
        let same = bins.min == bins.max;
        let (mean, deviation) = if same { (bins.min, 0.0) } else { (moments.mean(), moments.deviation()) };
        // Adding 0 removes the sign of a negative zero.
        let (min, max, mean) = (bins.min + 0.0, bins.max + 0.0, mean + 0.0);
        Summary {
            count: self.count,
            zeros: self.zeros,
            nan: self.nan,
            positive_infinity: self.positive_infinity,
            negative_infinity: self.negative_infinity,
            min: some(min),
            max: some(max),
            absolute_max: some(max.abs().max(min.abs())),
            mean: some(mean),
            deviation: some(deviation),
            histogram: is_some.then(|| bins.histogram()),
        }
    }
}
