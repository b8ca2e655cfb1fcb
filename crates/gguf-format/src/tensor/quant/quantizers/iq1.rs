//! IQ1_S and IQ1_M.
//!
//! The elements of a part, sorted, are divided into those with the level -1, 0 and 1. All divisions are tried, with all
//! directions of the shift by 1/8. Then the levels of each eight elements become an entry of the grid.

use super::block::{for_each_block, put_f16, sum_of_squares};
use super::extremes::max;
use super::neighbours::NeighbourGrid;
use super::rounding::nearest;
use super::weights::{part_weights, squares};

type Grid = NeighbourGrid<8, 3>;

/// The levels of IQ1, shifted up or down.
type Levels = [f32; 3];
const UP: Levels = [-0.875, 0.125, 1.125];
const DOWN: Levels = [-1.125, -0.125, 0.875];

/// The greatest scale of a part, as a multiple of `d`.
const GREATEST_SCALE: f32 = 15.0;

pub(super) fn iq1_s(grid: &Grid, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 50>(row, importance, out, |x, importance, block| {
        let variance = 2.0 * sum_of_squares(x) / 256.0;
        // A part of zeros has the scale 0, and no other bits.
        let (mut scales, mut are_down, mut words) = ([0.0; 8], [false; 8], [0u16; 8]);
        let mut greatest = 0.0;
        for (part, x) in x.as_chunks::<32>().0.iter().enumerate() {
            let weights = part_weights(x, part, importance, variance, squares);
            if greatest_magnitude(x) < 1e-12 {
                continue;
            }
            let Some(division) = best_division_of_32(x, &weights) else { continue };
            let (scale, entries): (f32, [u16; 4]) = division.on_grid(grid, x, &weights);
            for (i, [low, high]) in entries.map(u16::to_le_bytes).into_iter().enumerate() {
                block[2 + 4 * part + i] = low;
                words[part] |= u16::from(high) << (3 * i);
            }
            (scales[part], are_down[part]) = (scale, division.shifts == [DOWN]);
            greatest = max(greatest, scale);
        }
        if greatest != 0.0 {
            let d = greatest / GREATEST_SCALE;
            // The factor is ggml's.
            put_f16(block, 0, d * 1.125);
            for (part, word) in words.iter_mut().enumerate() {
                *word |= (three_bit_scale(1.0 / d, scales[part]) | u16::from(are_down[part]) << 3) << 12;
            }
        }
        for (field, word) in block[34..].as_chunks_mut().0.iter_mut().zip(words) {
            *field = word.to_le_bytes();
        }
    });
}

pub(super) fn iq1_m(grid: &Grid, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 56>(row, importance, out, |x, importance, block| {
        let variance = 2.0 * sum_of_squares(x) / 256.0;
        let (mut scales, mut shifts, mut entries) = ([0.0; 16], [[UP; 2]; 16], [[0; 2]; 16]);
        let mut greatest = 0.0;
        for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
            if greatest_magnitude(x) < 1e-7 {
                continue;
            }
            let weights = part_weights(x, part, importance, variance, squares);
            let Some(division) = best_division_of_16(x, &weights) else { continue };
            let (scale, [first, second]) = division.on_grid(grid, x, &weights);
            (scales[part], shifts[part], entries[part]) = (scale, division.shifts, [first, second]);
            greatest = max(greatest, scale);
        }
        for (part, [first, second]) in entries.iter().map(|entries| entries.map(u16::to_le_bytes)).enumerate() {
            block[2 * part] = first[0];
            block[2 * part + 1] = second[0];
            block[32 + part] = first[1] | second[1] << 4;
        }
        if greatest == 0.0 {
            return;
        }
        let mut d = greatest / GREATEST_SCALE;
        let inverse = 1.0 / d;
        let (mut words, mut xq, mut qq) = ([0u16; 4], 0.0, 0.0);
        for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
            let scale = three_bit_scale(inverse, scales[part]);
            words[part / 4] |= scale << (part % 4 * 3);
            for (i, shift) in shifts[part].iter().enumerate() {
                block[32 + part] |= u8::from(*shift == DOWN) << (4 * i + 3);
            }
            let weights = part_weights(x, part, importance, variance, squares);
            for (i, ((x, weight), level)) in x.iter().zip(weights).zip(levels_of(grid, &entries[part])).enumerate() {
                let quant = shifts[part][i / 8][usize::from(level)] * f32::from(2 * scale + 1);
                xq += weight * quant * x;
                qq += weight * quant * quant;
            }
        }
        if qq > 0.0 {
            d = xq / qq;
        }
        // The factor is ggml's.
        let d = half::f16::from_f32(d * 1.1125).to_bits();
        for (i, field) in block[48..].as_chunks_mut().0.iter_mut().enumerate() {
            *field = (words[i] | (d >> (4 * i) & 15) << 12).to_le_bytes();
        }
    });
}

fn greatest_magnitude(x: &[f32]) -> f32 {
    x.iter().fold(0.0, |greatest, x| max(greatest, x.abs()))
}

/// A scale as three bits: the part's scale is `d × (2 × bits + 1)`. `inverse` is 1 / d.
fn three_bit_scale(inverse: f32, scale: f32) -> u16 {
    nearest(0.5 * (inverse * scale - 1.0)).clamp(0, 7) as u16
}

/// The levels of a part, by their numbers, before they become entries of the grid.
struct Division<const N: usize, const SHIFTS: usize> {
    levels: [u8; N],
    /// 0 or more.
    scale: f32,
    /// The shifted levels of the whole part, or of each eight elements.
    shifts: [Levels; SHIFTS],
}

impl<const N: usize, const SHIFTS: usize> Division<N, SHIFTS> {
    /// The elements at the first `ends[0]` positions of the order have the level -1, those up to `ends[1]` have 0. If the
    /// scale is negative, then all signs change.
    fn new(order: &[usize; N], ends: [usize; 2], scale: f32, shifts: [Levels; SHIFTS]) -> Self {
        let mut levels = [0; N];
        for (position, i) in order.iter().enumerate() {
            levels[*i] = u8::from(position >= ends[0]) + u8::from(position >= ends[1]);
        }
        if scale < 0.0 {
            let opposite = |shift| if shift == UP { DOWN } else { UP };
            return Self { levels: levels.map(|level| 2 - level), scale: -scale, shifts: shifts.map(opposite) };
        }
        Self { levels, scale, shifts }
    }

    /// The scale, and the entry for each eight elements.
    fn on_grid<const ENTRIES: usize>(&self, grid: &Grid, x: &[f32; N], weights: &[f32; N]) -> (f32, [u16; ENTRIES]) {
        let shift = |group: usize| &self.shifts[group % SHIFTS];
        let mut has_neighbour = false;
        let entries = core::array::from_fn(|group| {
            let levels = &self.levels.as_chunks::<8>().0[group];
            grid.entry_at(levels).unwrap_or_else(|| {
                has_neighbour = true;
                let (x, weights) = (&x.as_chunks::<8>().0[group], &weights.as_chunks::<8>().0[group]);
                grid.best_neighbour(levels, |entry| {
                    let mut error = 0.0;
                    for ((level, x), weight) in entry.iter().zip(x).zip(weights) {
                        let difference = self.scale * shift(group)[usize::from(*level)] - x;
                        error += weight * difference * difference;
                    }
                    error
                })
            })
        });
        if has_neighbour {
            let (mut xq, mut qq) = (0.0, 0.0);
            for (i, ((x, weight), level)) in x.iter().zip(weights).zip(levels_of(grid, &entries)).enumerate() {
                let quant = shift(i / 8)[usize::from(level)];
                xq += weight * quant * x;
                qq += weight * quant * quant;
            }
            if xq > 0.0 && qq > 0.0 {
                return (xq / qq, entries);
            }
        }
        (self.scale, entries)
    }
}

fn levels_of<const ENTRIES: usize>(grid: &Grid, entries: &[u16; ENTRIES]) -> impl Iterator<Item = u8> {
    entries.iter().flat_map(|entry| *grid.entry(*entry))
}

/// The positions of the elements in ascending order. Equal elements keep their order.
fn order_of<const N: usize>(x: &[f32; N]) -> [usize; N] {
    let mut order = core::array::from_fn(|i| i);
    for end in 1..N {
        let mut i = end;
        while i > 0 && x[order[i]] < x[order[i - 1]] {
            order.swap(i, i - 1);
            i -= 1;
        }
    }
    order
}

/// The best result so far: a division and a scale whose error is least.
struct Best<T> {
    score: f32,
    scale: f32,
    choice: Option<T>,
}

impl<T> Best<T> {
    const NONE: Self = Self { score: f32::MIN, scale: 0.0, choice: None };

    #[inline(always)]
    fn compare(&mut self, xq: f32, qq: f32, choice: T) {
        if qq > 0.0 && xq * xq > self.score * qq {
            self.scale = xq / qq;
            self.score = self.scale * xq;
            self.choice = Some(choice);
        }
    }
}

/// The best division of a part of IQ1_S, whose elements have one shift. The sums of all elements up to a position make it
/// quick.
fn best_division_of_32(x: &[f32; 32], weights: &[f32; 32]) -> Option<Division<32, 1>> {
    let order = order_of(x);
    let (mut sums_wx, mut sums_w) = ([0.0; 33], [0.0; 33]);
    for (position, i) in order.into_iter().enumerate() {
        sums_wx[position + 1] = sums_wx[position] + weights[i] * x[i];
        sums_w[position + 1] = sums_w[position] + weights[i];
    }
    let mut best = Best::NONE;
    for first in 0..=32 {
        for second in first..=32 {
            let parts = |sums: &[f32; 33]| [sums[first] - sums[0], sums[second] - sums[first], sums[32] - sums[second]];
            let (wx, w) = (parts(&sums_wx), parts(&sums_w));
            for shift in [UP, DOWN] {
                let xq = wx[0] * shift[0] + wx[1] * shift[1] + wx[2] * shift[2];
                let qq = w[0] * shift[0] * shift[0] + w[1] * shift[1] * shift[1] + w[2] * shift[2] * shift[2];
                best.compare(xq, qq, ([first, second], [shift]));
            }
        }
    }
    best.choice.map(|(ends, shifts)| Division::new(&order, ends, best.scale, shifts))
}

const SHIFT_PAIRS: [[Levels; 2]; 4] = [[UP, UP], [UP, DOWN], [DOWN, UP], [DOWN, DOWN]];

/// The best division of a part of IQ1_M, whose halves have a shift each.
fn best_division_of_16(x: &[f32; 16], weights: &[f32; 16]) -> Option<Division<16, 2>> {
    let order = order_of(x);
    let (mut sums_wx, mut sums_w) = ([[0.0; 2]; 17], [[0.0; 2]; 17]);
    for (position, i) in order.into_iter().enumerate() {
        (sums_wx[position + 1], sums_w[position + 1]) = (sums_wx[position], sums_w[position]);
        sums_wx[position + 1][i / 8] += weights[i] * x[i];
        sums_w[position + 1][i / 8] += weights[i];
    }
    let mut best = Best::NONE;
    for first in 0..=16 {
        for second in first..=16 {
            // Σ w x q and Σ w q² of a half, from the sums of the elements before both ends of the level 0. Levels differ by 1,
            // so each end takes its sum away once. The result is rounded as ggml's.
            let sums = |half: usize, [low, middle, high]: Levels| {
                let xq = sums_wx[16][half] * high - (sums_wx[first][half] + sums_wx[second][half]);
                let qq = sums_w[16][half] * high * high
                    + sums_w[first][half] * (low * low - middle * middle)
                    + sums_w[second][half] * (middle * middle - high * high);
                [xq, qq]
            };
            let halves = [0, 1].map(|half| [sums(half, UP), sums(half, DOWN)]);
            for (pair, shifts) in SHIFT_PAIRS.into_iter().enumerate() {
                let [[xq, qq], [other_xq, other_qq]] = [halves[0][pair / 2], halves[1][pair % 2]];
                best.compare(xq + other_xq, qq + other_qq, ([first, second], shifts));
            }
        }
    }
    best.choice.map(|(ends, shifts)| Division::new(&order, ends, best.scale, shifts))
}
