//! The figures of the numbers so far, and their summary.

use super::histogram::{Bins, Histogram};
use super::moments::Moments;

/// The number of numbers in a block: few enough for the first-level cache.
pub(super) const BLOCK: usize = 1024;

/// The figures of all numbers that were given to [`Statistics`](crate::tensor::Statistics).
///
/// All figures except the counts describe the finite numbers. They are `None` if there are no finite numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The number of all numbers, NaN and infinities included.
    pub count: u64,
    /// The number of zeros, of either sign.
    pub zeros: u64,
    /// The number of NaNs.
    pub nan: u64,
    /// The number of +∞.
    pub positive_infinity: u64,
    /// The number of -∞.
    pub negative_infinity: u64,
    /// The smallest finite number. A zero has no sign.
    pub min: Option<f64>,
    /// The largest finite number. A zero has no sign.
    pub max: Option<f64>,
    /// The largest absolute value.
    pub absolute_max: Option<f64>,
    /// The mean. `None` also if a sum overflows an `f64`, which sums of `f32`s or integers never do.
    pub mean: Option<f64>,
    /// The standard deviation of the numbers as a population, exactly 0 if all are equal. `None` also if a square overflows
    /// an `f64`, which squares of `f32`s or integers never do.
    pub deviation: Option<f64>,
    /// The distribution of the finite numbers.
    pub histogram: Option<Histogram>,
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
