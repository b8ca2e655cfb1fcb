//! Statistics of numbers that arrive in pieces: in one go, in constant memory, and the same for any pieces.
//!
//! ```text
//! numbers    ├──────── 1024 ────────┼──────── 1024 ────────┼─── …   blocks begin where they would in one piece
//! block      0 1 2 3 0 1 2 3 0 1 2 3 …                              lanes: sums side by side
//! histogram  │ -4 │ -3 │ -2 │ -1 │  0 │  1 │  2 │  3 │              bins by index: x ÷ width, rounded down
//!            │   -2    │   -1    │    0    │    1    │              the same when the width has doubled
//! ```
//!
//! A block is gone over twice: for its range and sum, and then, with the bins and the mean that these ask for, for its
//! histogram and squares. Every sum is one of the same terms in the same order for any pieces, with and without simd128.
//! The histogram has no order at all: from a bin's index follows that of the wider bin it merges into, by a shift.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Numbers in a block: few enough for the first-level cache.
const BLOCK: usize = 1024;

/// Sums that a pass keeps side by side: number `i` goes to sum `i % 4`.
const LANES: usize = 4;

/// The most bins of a histogram.
const BINS: usize = 64;

/// The exponent of the smallest width, which is the smallest `f32`.
const SMALLEST_EXPONENT: i32 = -149;

/// No more than two to the power of this many bins lie between zero and any number. So all arithmetic with indices is
/// exact in `f32`, and bins are no narrower than `f32`s are apart.
const INDEX_BITS: i32 = 21;

/// Counts, range, mean, deviation and histogram of numbers that arrive in pieces.
///
/// `f32`s are [pushed](Self::push); numbers that `f32` does not hold are given as `f64`s, by [`Extend`].
/// [`summary`](Self::summary) shows the figures, which are the same, bit for bit, however the numbers were cut into pieces.
///
/// # Examples
///
/// ```
/// use gguf_wasm::Statistics;
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

/// The figures of the numbers that [`Statistics`] have seen.
///
/// All but the counts are those of the finite numbers, and `None` where there are none.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How many numbers there are, with NaN and infinities.
    pub count: u64,
    /// How many are zero, of either sign.
    pub zeros: u64,
    /// How many are NaN.
    pub nan: u64,
    /// How many are +∞.
    pub positive_infinity: u64,
    /// How many are -∞.
    pub negative_infinity: u64,
    /// The smallest finite number. Zero has no sign here.
    pub min: Option<f64>,
    /// The largest finite number. Zero has no sign here.
    pub max: Option<f64>,
    /// The largest absolute value.
    pub absolute_max: Option<f64>,
    /// The mean. `None` also where sums pass what `f64` holds, as those of `f32`s or integers never do.
    pub mean: Option<f64>,
    /// The standard deviation of the numbers as a population, exactly 0 where all are the same. `None` also where squares
    /// pass what `f64` holds, as those of `f32`s or integers never do.
    pub deviation: Option<f64>,
    /// How the finite numbers are spread.
    pub histogram: Option<Histogram>,
}

/// How many numbers lie in each of up to 64 bins of one width.
///
/// Bin `i` has the numbers `x` with `low + i × width <= x < low + (i + 1) × width`. All edges are multiples of the width,
/// which is the smallest power of two with which there are
///
/// - no more than 64 bins from that of the smallest number to that of the largest, which are the first and the last,
/// - less than 2^21 between zero and any number,
///
/// but not less than 2^-149. So the bins depend on the range alone, and the counts not on the order of the numbers; and
/// there are more than 32 bins, unless the numbers are close together for their size.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The lower edge of the first bin.
    pub low: f64,
    /// The width of each bin.
    pub width: f64,
    /// The numbers in each bin.
    pub counts: Vec<u64>,
}

impl Statistics {
    /// Statistics of no numbers yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next numbers. Pieces of a multiple of 1024 are the fastest.
    pub fn push(&mut self, mut values: &[f32]) {
        while !values.is_empty() {
            #[cfg(target_feature = "simd128")]
            if self.0.begun == 0
                && let Some((block, later)) = values.split_first_chunk()
                && simd128::add(&mut self.0, block)
            {
                values = later;
                continue;
            }
            let (now, later) = values.split_at(values.len().min(BLOCK - self.0.begun));
            for (to, from) in self.0.block[self.0.begun..].iter_mut().zip(now) {
                *to = f64::from(*from);
            }
            self.0.advance(now.len());
            values = later;
        }
    }

    /// The figures of the numbers so far; more may follow.
    pub fn summary(&self) -> Summary {
        self.clone().0.summary()
    }
}

/// Numbers that `f32` does not hold: those of `F64` tensors, and, as near as `f64` is to them, of `I64` tensors.
impl Extend<f64> for Statistics {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        for value in values {
            self.0.block[self.0.begun] = value;
            self.0.advance(1);
        }
    }
}

/// What is known of the numbers.
#[derive(Clone, Debug)]
struct Totals {
    /// A block that has begun, and how many numbers it has.
    block: [f64; BLOCK],
    begun: usize,
    count: u64,
    zeros: u64,
    nan: u64,
    positive_infinity: u64,
    negative_infinity: u64,
    moments: Moments,
    bins: Bins,
}

impl Default for Totals {
    fn default() -> Self {
        let [count, zeros, nan, positive_infinity, negative_infinity] = [0; 5];
        let (moments, bins) = (Moments::default(), Bins::default());
        Self { block: [0.0; BLOCK], begun: 0, count, zeros, nan, positive_infinity, negative_infinity, moments, bins }
    }
}

impl Totals {
    /// Takes numbers that have been put into the block.
    fn advance(&mut self, numbers: usize) {
        self.begun += numbers;
        if self.begun == BLOCK {
            self.add_block();
        }
    }

    /// Adds what there is of the block, which is then begun anew.
    fn add_block(&mut self) {
        #[cfg(target_feature = "simd128")]
        if self.begun == BLOCK && simd128::add_wide(self) {
            self.begun = 0;
            return;
        }
        let mut finite = 0;
        for i in 0..self.begun {
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
        self.begun = 0;
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

    fn summary(mut self) -> Summary {
        self.add_block();
        let Self { mut bins, moments, .. } = self;
        let is_some = moments.count > 0.0;
        let some = |figure: f64| (is_some && figure.is_finite()).then_some(figure);
        // Numbers that are all the same are their own mean, though their sum may have been rounded.
        let same = bins.min == bins.max;
        let (mean, deviation) = if same { (bins.min, 0.0) } else { (moments.mean(), moments.deviation()) };
        // What is added takes the sign from zero.
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

/// What mean and deviation are made of.
#[derive(Clone, Debug, Default)]
struct Moments {
    count: f64,
    sum: f64,
    /// What was lost when the sum was rounded.
    lost: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// Adds a block's figures. Its squares are distances from its own mean, to which comes the distance between the means
    /// (Chan, Golub, LeVeque 1979): no difference of large numbers, however far from zero they are.
    #[inline(never)]
    fn add(&mut self, count: usize, sum: f64, squares: f64) {
        let count = count as f64;
        self.squares += squares;
        if self.count > 0.0 {
            let distance = sum / count - self.mean();
            self.squares += distance * distance * (count * self.count / (count + self.count));
        }
        self.count += count;
        // Neumaier's sum.
        let (large, small) = if self.sum.abs() > sum.abs() { (self.sum, sum) } else { (sum, self.sum) };
        self.sum = large + small;
        self.lost += large - self.sum + small;
    }

    fn mean(&self) -> f64 {
        (self.sum + self.lost) / self.count
    }

    fn deviation(&self) -> f64 {
        square_root(self.squares / self.count)
    }
}

/// The histogram, in a window of bins that the range lies in.
#[derive(Clone, Debug)]
struct Bins {
    min: f64,
    max: f64,
    /// The width is two to the power of this.
    exponent: i32,
    /// The index of the window's first bin.
    first: i64,
    counts: [u64; BINS],
    /// Numbers counted two at a time, which takes half the stores: one's bin times 64, plus the other's.
    pairs: [u32; BINS * BINS],
    /// Blocks that have been counted in pairs.
    paired: u32,
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
    /// Widens the range, and moves the window there if it has to.
    fn reach(&mut self, min: f64, max: f64) {
        if min >= self.min && max <= self.max {
            return;
        }
        self.min = self.min.min(min);
        self.max = self.max.max(max);
        // It never falls: what was too narrow for a part of the range is so for all of it.
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

    /// Gives the window another width or place.
    #[inline(never)]
    fn shift(&mut self, exponent: i32, first: i64) {
        self.unpair();
        let counts = core::mem::replace(&mut self.counts, [0; BINS]);
        for (i, count) in counts.into_iter().enumerate() {
            if count > 0 {
                // Each bit that goes is one doubling, rounded down.
                let index = (self.first + i as i64) >> (exponent - self.exponent).min(63);
                self.counts[(index - first) as usize % BINS] += count;
            }
        }
        (self.exponent, self.first) = (exponent, first);
    }

    fn unpair(&mut self) {
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

    /// Counts a number in the range.
    fn add(&mut self, x: f64) {
        self.counts[(index(x, self.exponent) - self.first) as usize % BINS] += 1;
    }

    fn histogram(&mut self) -> Histogram {
        let (lowest, highest) = (index(self.min, self.exponent), index(self.max, self.exponent));
        self.shift(self.exponent, lowest);
        let width = power_of_two(self.exponent);
        let counts = self.counts.into_iter().take((highest - lowest) as usize + 1).collect();
        Histogram { low: lowest as f64 * width, width, counts }
    }
}

/// What is added to a number less than 2^51 has it rounded to an integer.
const ROUND: f64 = 1.5 * (1u64 << 52) as f64;

/// The index of the bin that a number is in, if bins are 2^`exponent` wide.
#[inline(never)]
fn index(x: f64, exponent: i32) -> i64 {
    let nearest = x * power_of_two(-exponent) + ROUND - ROUND;
    // Compared with the number itself: its quotient may have come to zero.
    nearest as i64 - i64::from(nearest * power_of_two(exponent) > x)
}

/// The exponent of the power of two at or below a positive number; -1023 where there is no normal one.
fn exponent_of(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}

/// Two to the power of -1022 to 1023.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The square root, which `core` does not have, by Heron's method: once it is above the root, it falls until it is there.
fn square_root(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let better = |root: f64| (root + x / root) / 2.0;
    let mut root = better(f64::from_bits((x.to_bits() + 1f64.to_bits()) / 2));
    loop {
        let next = better(root);
        if next >= root {
            return root;
        }
        root = next;
    }
}

/// What [`Totals::add_block`] does, for whole blocks of finite `f32`s.
#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{BINS, BLOCK, Totals, power_of_two};
    use crate::tensor::quant::mem::load_floats as load;

    /// Adds a block if it is one that this can add, and says whether it was.
    pub(super) fn add(totals: &mut Totals, block: &[f32; BLOCK]) -> bool {
        let zero = f64x2_splat(0.0);
        let (mut min, mut max) = (f32x4_splat(f32::INFINITY), f32x4_splat(f32::NEG_INFINITY));
        let (mut sums, mut zeros) = ([zero; 2], zero);
        for chunk in block.as_chunks().0.as_chunks::<4>().0 {
            for x in chunk {
                let x = load(x);
                min = f32x4_pmin(min, x);
                max = f32x4_pmax(max, x);
                zeros = i32x4_sub(zeros, f32x4_eq(x, zero));
                let [a, b] = widen(x);
                sums = [f64x2_add(sums[0], a), f64x2_add(sums[1], b)];
            }
        }
        let sum = total(sums);
        let bins = &mut totals.bins;
        // NaN and infinities show in the sum.
        if !sum.is_finite() {
            return false;
        }
        let (min, max) = (floats(min), floats(max));
        bins.reach(min.into_iter().fold(min[0], f32::min).into(), max.into_iter().fold(max[0], f32::max).into());
        // A number and this are the number rounded to a multiple of the width, in whose last bits is the bin.
        let round = (f64::from(3 << 22) - bins.first as f64) * power_of_two(bins.exponent);
        if round > f32::MAX.into() {
            return false;
        }

        let mean = sum / BLOCK as f64;
        let (round, means) = (f32x4_splat(round as f32), f64x2_splat(mean));
        let mut squares = [zero; 2];
        for [x, y] in block.as_chunks().0.as_chunks().0 {
            let [x, y] = [load(x), load(y)];
            for x in [x, y] {
                let [a, b] = widen(x).map(|x| f64x2_sub(x, means));
                squares = [f64x2_add(squares[0], f64x2_mul(a, a)), f64x2_add(squares[1], f64x2_mul(b, b))];
            }
            for pair in integers(i32x4_add(i32x4_shl(bin(x, round), 6), bin(y, round))) {
                bins.pairs[pair as usize % (BINS * BINS)] += 1;
            }
        }
        bins.paired += 1;
        // A block adds up to 512 to a count, which is a u32.
        if bins.paired == 1 << 22 {
            bins.unpair();
        }
        totals.count += BLOCK as u64;
        totals.zeros += integers(zeros).into_iter().map(u64::from).sum::<u64>();
        totals.moments.add(BLOCK, sum, total(squares));
        true
    }

    /// Adds the block that was begun, likewise. It may have been made of `f32`s.
    pub(super) fn add_wide(totals: &mut Totals) -> bool {
        let (mut singles, mut same) = ([0.0; BLOCK], true);
        for (single, x) in singles.iter_mut().zip(&totals.block) {
            *single = *x as f32;
            same &= f64::from(*single) == *x;
        }
        same && add(totals, &singles)
    }

    /// The lanes as `f64`s.
    #[inline(always)]
    fn widen(x: v128) -> [v128; 2] {
        [f64x2_promote_low_f32x4(x), f64x2_promote_low_f32x4(i32x4_shuffle::<2, 3, 2, 3>(x, x))]
    }

    /// A number's bin in the lowest bits of each lane.
    #[inline(always)]
    fn bin(x: v128, round: v128) -> v128 {
        let rounded = f32x4_add(x, round);
        i32x4_add(rounded, f32x4_gt(f32x4_sub(rounded, round), x))
    }

    /// The sum of the lanes, in their order.
    fn total([a, b]: [v128; 2]) -> f64 {
        let lanes = [
            f64x2_extract_lane::<0>(a),
            f64x2_extract_lane::<1>(a),
            f64x2_extract_lane::<0>(b),
            f64x2_extract_lane::<1>(b),
        ];
        lanes.iter().sum()
    }

    fn integers(x: v128) -> [u32; 4] {
        [u32x4_extract_lane::<0>(x), u32x4_extract_lane::<1>(x), u32x4_extract_lane::<2>(x), u32x4_extract_lane::<3>(x)]
    }

    fn floats(x: v128) -> [f32; 4] {
        integers(x).map(f32::from_bits)
    }
}
