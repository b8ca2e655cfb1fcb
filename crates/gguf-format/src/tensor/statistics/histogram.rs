//! The histogram.
//!
//! ```text
//! index         │ -4 │ -3 │ -2 │ -1 │  0 │  1 │  2 │  3 │   number ÷ width, rounded down
//! double width  │   -2    │   -1    │    0    │    1    │   the same index, shifted right by one bit
//! ```
//!
//! The index of a bin gives the index of the wider bin that it becomes part of. So the width can grow while numbers
//! arrive, and the result is the same for any order of the numbers.

use alloc::vec::Vec;

use gguf_declare::result;

/// The most bins of a histogram.
pub(super) const BINS: usize = 64;

/// The exponent of the smallest width, which is the smallest positive `f32`.
const SMALLEST_EXPONENT: i32 = -149;

/// Between zero and any number lie at most two to the power of this many bins. So all arithmetic with indexes is exact in
/// `f32`, and a bin is at least as wide as the distance between two `f32`s.
const INDEX_BITS: i32 = 21;

result! {
    /// The distribution of the finite numbers. Bin `i` counts the numbers from `i * width` to before
    /// `(i + 1) * width` above the lower edge of the first bin. The first bin holds the smallest number, the last bin the largest.
    ///
    /// The width is the least power of two, from 2^-149 on, with which there are at most 64 bins, and less than 2^21 bins between
    /// zero and any number. So the bins depend only on the range, and the counts do not depend on the order of the numbers.
    #[derive(Clone, Debug, PartialEq)]
    #[open true]
    pub struct Histogram {
        /// The lower edge of the first bin.
        #[rust]
        pub low: f64,
        /// The lower edge of the first bin.
        give start: f64 = |histogram| histogram.low,
        /// The width of each bin.
        pub width: f64,
        /// The number of numbers in each bin.
        #[rust]
        pub counts: Vec<u64>,
        /// Empty if there are no finite numbers.
        give counts: gguf_declare::value::Doubles = |histogram| gguf_declare::value::Doubles(
            histogram.counts.iter().map(|count| *count as f64).collect()
        ),
    }
}

gguf_declare::js! {
    impl Histogram {
        /// The distribution of no numbers.
        pub(super) fn empty() -> Self {
            Self { low: f64::NAN, width: f64::NAN, counts: Vec::new() }
        }
    }
}

/// The counts of the histogram: a window of bins that holds the range of the numbers.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    pub min: f64,
    pub max: f64,
    /// The width of a bin is two to the power of this.
    pub exponent: i32,
    /// The index of the first bin of the window.
    pub first: i64,
    counts: [u64; BINS],
    /// Numbers that are counted two at a time, which halves the number of stores. The index is the bin of one number times
    /// 64, plus the bin of the other.
    pub pairs: [u32; BINS * BINS],
    /// The number of blocks that are counted in pairs.
    pub paired: u32,
}

impl Default for Bins {
    fn default() -> Self {
        Self {
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            exponent: SMALLEST_EXPONENT,
            first: 0,
            counts: [0; BINS],
            pairs: [0; BINS * BINS],
            paired: 0,
        }
    }
}

impl Bins {
    /// Widens the range, and moves the window if the range leaves it.
    pub fn reach(&mut self, min: f64, max: f64) {
        if min >= self.min && max <= self.max {
            return;
        }
        self.min = self.min.min(min);
        self.max = self.max.max(max);
        // The width never decreases: if it was too narrow for a part of the range, it is too narrow for the whole range.
        let mut exponent = self.exponent.max(exponent_of(self.max.abs().max(self.min.abs())) + 1 - INDEX_BITS);
        let bins = |exponent| index(self.max, exponent) - index(self.min, exponent) + 1;
        while bins(exponent) > BINS as i64 {
            exponent += 1;
        }
        let lowest = index(self.min, exponent);
        if exponent > self.exponent || lowest < self.first || index(self.max, exponent) >= self.first + BINS as i64 {
            let spare = BINS as i64 - bins(exponent);
            self.shift(exponent, lowest - spare / 2);
        }
    }

    /// Moves the window, and changes the width of its bins.
    fn shift(&mut self, exponent: i32, first: i64) {
        self.unpair();
        let counts = core::mem::replace(&mut self.counts, [0; BINS]);
        for (i, count) in counts.into_iter().enumerate() {
            if count > 0 {
                // Each doubling of the width halves the index, rounded down.
                let index = (self.first + i as i64) >> (exponent - self.exponent).min(63);
                self.counts[(index - first) as usize % BINS] += count;
            }
        }
        (self.exponent, self.first) = (exponent, first);
    }

    /// Adds the counts of pairs to the counts of bins.
    pub fn unpair(&mut self) {
        if self.paired == 0 {
            return;
        }
        for (pair, count) in self.pairs.iter_mut().enumerate() {
            self.counts[pair / BINS] += u64::from(*count);
            self.counts[pair % BINS] += u64::from(*count);
            *count = 0;
        }
        self.paired = 0;
    }

    /// Counts a number that lies in the range.
    pub fn add(&mut self, x: f64) {
        self.counts[(index(x, self.exponent) - self.first) as usize % BINS] += 1;
    }

    pub fn histogram(&mut self) -> Histogram {
        let (lowest, highest) = (index(self.min, self.exponent), index(self.max, self.exponent));
        self.shift(self.exponent, lowest);
        let width = power_of_two(self.exponent);
        let counts = self.counts.into_iter().take((highest - lowest) as usize + 1).collect();
        Histogram { low: lowest as f64 * width, width, counts }
    }
}

/// Added to a number less than 2^51 and subtracted again, this rounds the number to an integer.
const ROUND: f64 = 1.5 * (1u64 << 52) as f64;

/// The index of the bin of a number, if bins are 2^`exponent` wide.
fn index(x: f64, exponent: i32) -> i64 {
    let nearest = x * power_of_two(-exponent) + ROUND - ROUND;
    // The number itself is compared, because the quotient can be rounded to zero.
    nearest as i64 - i64::from(nearest * power_of_two(exponent) > x)
}

/// The exponent of the largest power of two that is not above a positive number; -1023 for subnormal numbers.
fn exponent_of(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}

/// Two to the power of an exponent from -1022 to 1023.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
