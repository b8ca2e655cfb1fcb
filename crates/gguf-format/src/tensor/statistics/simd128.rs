//! Blocks of 1024 finite `f32`s, with SIMD. The same operations in the same order as [`Totals::add_block`].

use core::arch::wasm32::*;

use super::histogram::{BINS, power_of_two};
use super::totals::{BLOCK, Totals};
use crate::tensor::quant::mem::load_floats as load;

/// Adds a block. Returns false and adds nothing if this module cannot handle the block.
pub(super) fn add(totals: &mut Totals, block: &[f32; BLOCK]) -> bool {
    let zero = f64x2_splat(0.0);
    let (mut min, mut max) = (f32x4_splat(f32::INFINITY), f32x4_splat(f32::NEG_INFINITY));
    let (mut sums, mut zeros) = ([zero; 2], zero);
    let mut look_at = |x| {
        let x = load(x);
        min = f32x4_pmin(min, x);
        max = f32x4_pmax(max, x);
        zeros = i32x4_sub(zeros, f32x4_eq(x, zero));
        let [a, b] = widen(x);
        sums = [f64x2_add(sums[0], a), f64x2_add(sums[1], b)];
    };
    for [a, b, c, d] in block.as_chunks().0.as_chunks::<4>().0 {
        look_at(a);
        look_at(b);
        look_at(c);
        look_at(d);
    }
    let sum = total(sums);
    let bins = &mut totals.bins;
    // A NaN or an infinity makes the sum infinite or NaN.
    if !sum.is_finite() {
        return false;
    }
    let (min, max) = (floats(min), floats(max));
    bins.reach(min.into_iter().fold(min[0], f32::min).into(), max.into_iter().fold(max[0], f32::max).into());
    // Added to a number, this rounds it to a multiple of the width. The last bits of the result are the index of the bin.
    let round = (f64::from(3 << 22) - bins.first as f64) * power_of_two(bins.exponent);
    if round > f32::MAX.into() {
        return false;
    }

    let mean = sum / BLOCK as f64;
    let (round, means) = (f32x4_splat(round as f32), f64x2_splat(mean));
    let mut squares = [zero; 2];
    for [x, y] in block.as_chunks().0.as_chunks().0 {
        let [x, y] = [load(x), load(y)];
        squares = add_squares(add_squares(squares, x, means), y, means);
        // Written out, because the compiler does not unroll loops where it optimises for size.
        let [a, b, c, d] = integers(i32x4_add(i32x4_shl(bin(x, round), 6), bin(y, round)));
        bins.pairs[a as usize % (BINS * BINS)] += 1;
        bins.pairs[b as usize % (BINS * BINS)] += 1;
        bins.pairs[c as usize % (BINS * BINS)] += 1;
        bins.pairs[d as usize % (BINS * BINS)] += 1;
    }
    bins.paired += 1;
    // A block adds up to 512 to a count, which is a `u32`.
    if bins.paired == 1 << 22 {
        bins.unpair();
    }
    totals.count += BLOCK as u64;
    totals.zeros += integers(zeros).into_iter().map(u64::from).sum::<u64>();
    totals.moments.add(BLOCK, sum, total(squares));
    true
}

/// Adds the full block of `f64`s in the same way, if all its numbers are `f32`s.
pub(super) fn add_wide(totals: &mut Totals) -> bool {
    let (mut singles, mut same) = ([0.0; BLOCK], true);
    for (single, x) in singles.iter_mut().zip(&totals.block) {
        *single = *x as f32;
        same &= f64::from(*single) == *x;
    }
    same && add(totals, &singles)
}

/// Adds the squares of the distances from the mean to the sums.
#[inline(always)]
fn add_squares(squares: [v128; 2], x: v128, means: v128) -> [v128; 2] {
    let [a, b] = widen(x);
    let [a, b] = [f64x2_sub(a, means), f64x2_sub(b, means)];
    [f64x2_add(squares[0], f64x2_mul(a, a)), f64x2_add(squares[1], f64x2_mul(b, b))]
}

/// The lanes as `f64`s.
#[inline(always)]
fn widen(x: v128) -> [v128; 2] {
    [f64x2_promote_low_f32x4(x), f64x2_promote_low_f32x4(i32x4_shuffle::<2, 3, 2, 3>(x, x))]
}

/// The bins of four numbers, in the lowest bits of each lane.
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

#[inline(always)]
fn integers(x: v128) -> [u32; 4] {
    [u32x4_extract_lane::<0>(x), u32x4_extract_lane::<1>(x), u32x4_extract_lane::<2>(x), u32x4_extract_lane::<3>(x)]
}

fn floats(x: v128) -> [f32; 4] {
    integers(x).map(f32::from_bits)
}
