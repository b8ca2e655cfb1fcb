//! Statistics of numbers that arrive in pieces, in constant memory. The result is the same, bit for bit, for any pieces.
//!
//! ```text
//! numbers  ├──────── 1024 ────────┼──────── 1024 ────────┼─── …   blocks, for pieces of any length
//! block    0 1 2 3 0 1 2 3 0 1 2 3 …                              lanes: four sums side by side
//! ```
//!
//! A block is read twice: first for its range and its sum, then for its histogram and its squares, which need both. Every
//! sum adds the same terms in the same order for any pieces, with and without simd128.

use alloc::boxed::Box;

mod histogram;
mod moments;
mod read;
#[cfg(target_feature = "simd128")]
mod simd128;
mod totals;

pub use histogram::Histogram;
pub use totals::Summary;
use totals::{BLOCK, Totals};

/// The number of sums that are kept side by side: number `i` is added to sum `i % 4`.
const LANES: usize = 4;

/// Counts, range, mean, deviation and histogram of numbers that arrive in pieces.
///
/// [`push`](Self::push) takes `f32`s. [`Extend`] takes `f64`s, for numbers that `f32` cannot hold.
/// [`summary`](Self::summary) returns the figures. They are the same, bit for bit, for any pieces.
///
/// # Examples
///
/// ```
/// use gguf_format::tensor::Statistics;
///
/// let mut statistics = Statistics::new();
/// statistics.push(&[1.0, 0.0, f32::NAN]);
/// statistics.push(&[5.0]);
/// let summary = statistics.summary();
/// assert_eq!((summary.count, summary.zeros, summary.nan), (4, 1, 1));
/// assert_eq!((summary.min, summary.max, summary.mean), (Some(0.0), Some(5.0), Some(2.0)));
///
/// let mut statistics = Statistics::new();
/// statistics.extend([i64::MAX, 1].map(|x| x as f64));
/// assert_eq!(statistics.summary().max, Some(9223372036854775808.0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Statistics(Box<Totals>);

impl Statistics {
    /// Statistics of no numbers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next numbers. It is fastest if the length of each piece is a multiple of 1024.
    pub fn push(&mut self, mut values: &[f32]) {
        while !values.is_empty() {
            #[cfg(target_feature = "simd128")]
            if self.0.filled == 0
                && let Some((block, later)) = values.split_first_chunk()
                && simd128::add(&mut self.0, block)
            {
                values = later;
                continue;
            }
            let (now, later) = values.split_at(values.len().min(BLOCK - self.0.filled));
            for (to, from) in self.0.block[self.0.filled..].iter_mut().zip(now) {
                *to = f64::from(*from);
            }
            self.0.advance(now.len());
            values = later;
        }
    }

    /// The figures of the numbers so far. More numbers can follow.
    pub fn summary(&self) -> Summary {
        let mut totals = self.0.clone();
        totals.add_block();
        totals.summary()
    }
}

/// Adds numbers that `f32` cannot hold: elements of `F64` tensors, and elements of `I64` tensors rounded to `f64`.
impl Extend<f64> for Statistics {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        for value in values {
            self.0.block[self.0.filled] = value;
            self.0.advance(1);
        }
    }
}

impl Totals {
    /// Counts numbers that have been written into the block.
    fn advance(&mut self, numbers: usize) {
        self.filled += numbers;
        if self.filled == BLOCK {
            self.add_block();
        }
    }

    /// Adds the numbers of the block, and empties it.
    fn add_block(&mut self) {
        #[cfg(target_feature = "simd128")]
        if self.filled == BLOCK && simd128::add_wide(self) {
            self.filled = 0;
            return;
        }
        let mut finite = 0;
        for i in 0..self.filled {
            let x = self.block[i % BLOCK];
            self.count += 1;
            if x.is_finite() {
                self.block[finite % BLOCK] = x;
                finite += 1;
            } else if x.is_nan() {
                self.nan += 1;
            } else if x > 0.0 {
                self.positive_infinity += 1;
            } else {
                self.negative_infinity += 1;
            }
        }
        self.filled = 0;
        let (finite, _) = self.block.split_at(finite.min(BLOCK));
        if finite.is_empty() {
            return;
        }
        let (mut min, mut max, mut sums) = (f64::INFINITY, f64::NEG_INFINITY, [0.0; LANES]);
        for (i, x) in finite.iter().enumerate() {
            min = if *x < min { *x } else { min };
            max = if *x > max { *x } else { max };
            sums[i % LANES] += x;
            self.zeros += u64::from(*x == 0.0);
        }
        let sum = sums.iter().sum();
        let mean = sum / finite.len() as f64;
        self.bins.reach(min, max);
        let mut squares = [0.0; LANES];
        for (i, x) in finite.iter().enumerate() {
            squares[i % LANES] += (x - mean) * (x - mean);
            self.bins.add(*x);
        }
        self.moments.add(finite.len(), sum, squares.iter().sum());
    }
}
