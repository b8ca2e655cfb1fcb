//! The K types by vectors.
//!
//! # Factors first
//!
//! From a block's f16 to what its elements are multiplied by is a chain of a dozen operations, each of which waits for
//! the one before. So it is done for several blocks at first, whose chains overlap, and then come their elements.
//!
//! # Two or four rows in one float
//!
//! Rows share bytes. With a byte as the lowest bits of 2²³, masks and differences tell its rows apart, all exactly:
//!
//! ```text
//! a   2²³ + 16 high + low
//! b   2²³ + 16 high         a & !15
//!     low                   a - b
//!     16 high               b - 2²³
//! ```
//!
//! The scale of such a row is 1/16 of what it would be otherwise. That is exact as well: it is a product of an f16 and a
//! small integer, and `f32` has exponents to spare.

use core::arch::wasm32::*;
use core::hint::black_box;

use crate::tensor::quant::half::f16_at;
use crate::tensor::quant::mem::{load, load_low};
use crate::tensor::quant::vector::{
    COUNTER, counted_bytes, counter, less, less_one, less_times, lower_halves, masked, store_16, times, zip_high_u8,
    zip_low_u8,
};
use crate::tensor::quant::{bytes_at, for_each_block};

pub(crate) fn q2_k(blocks: &[u8], out: &mut [f32]) {
    let factors = |block: &[u8; 84], factors: &mut [f32; 32]| {
        let (d, dmin) = (f32x4_splat(f16_at(block, 80)), f32x4_splat(f16_at(block, 82)));
        let first = f32x4_mul(d, f32x4(1.0, 1.0, 1.0 / 4.0, 1.0 / 4.0));
        let other = f32x4_mul(d, f32x4(1.0 / 16.0, 1.0 / 16.0, 1.0 / 64.0, 1.0 / 64.0));
        let packed = load(bytes_at(block, 0));
        let (scales, mins) = (v128_and(packed, u8x16_splat(15)), v128_and(u16x8_shr(packed, 4), u8x16_splat(15)));
        store_16(part(factors, 0), products(scales, [first, other, first, other]));
        store_16(part(factors, 16), products(mins, [dmin, dmin, dmin, dmin]));
    };
    each_quarter(blocks, out, factors, |block, half, column, factors: &[f32; 23], out| {
        let all = counted_bytes(load(bytes_at(block, 16 + 32 * half + column)));
        let rows_123 = masked(all, !3);
        let rows_23 = masked(all, !15);
        let row_3 = masked(all, !63);
        store_row(0, less(all, rows_123), factors, out);
        store_row(1, less(rows_123, rows_23), factors, out);
        store_row(2, less(rows_23, row_3), factors, out);
        store_row(3, less_one(row_3, counter(0)), factors, out);
    });

    #[inline(always)]
    fn store_row(row: usize, q: [v128; 4], factors: &[f32; 23], out: &mut [f32; 112]) {
        let (scale, min) = (f32x4_splat(factors[2 * row]), f32x4_splat(factors[16 + 2 * row]));
        store_16(part(out, 32 * row), less_one(times(q, scale), min));
    }
}

pub(crate) fn q3_k(blocks: &[u8], out: &mut [f32]) {
    let factors = |block: &[u8; 110], factors: &mut [f32; 16]| {
        let low = load_low(bytes_at(block, 96));
        let low = v128_and(i64x2_shuffle::<0, 2>(low, u16x8_shr(low, 4)), u8x16_splat(15));
        // Four scales' high bits, of four in each byte, where they are all the uppermost.
        let high = i32x4_mul(u32x4_splat(u32::from_le_bytes(*bytes_at(block, 104))), u32x4(64, 16, 4, 1));
        let high = u16x8_shr(v128_and(high, u8x16_splat(0xc0)), 2);
        let scales = i8x16_sub(v128_or(low, high), i8x16_splat(32));
        let d = f32x4_splat(f16_at(block, 108));
        store_16(factors, products(scales, [d, d, d, d]));
    };
    each_quarter(blocks, out, factors, |block, half, column, scales: &[f32; 7], out| {
        let qs = load(bytes_at(block, 32 + 32 * half + column));
        let hmask = u16x8_shr(load(bytes_at(block, column)), 4 * half as u32);
        store_row(0, qs, u16x8_shl(hmask, 2), scales, out);
        store_row(1, u16x8_shr(qs, 2), u16x8_shl(hmask, 1), scales, out);
        store_row(2, u16x8_shr(qs, 4), hmask, scales, out);
        store_row(3, u16x8_shr(qs, 6), u16x8_shr(hmask, 1), scales, out);
    });

    #[inline(always)]
    fn store_row(row: usize, low: v128, high: v128, scales: &[f32; 7], out: &mut [f32; 112]) {
        let q = counted_bytes(either(low, 3, high, 4));
        store_16(part(out, 32 * row), less_times(q, counter(4), f32x4_splat(scales[2 * row])));
    }
}

pub(crate) fn q4_k(blocks: &[u8], out: &mut [f32]) {
    let factors = |block: &[u8; 144], factors: &mut [f32; 16]| scales_and_mins(block, 1.0 / 16.0, factors);
    each_by_factors(blocks, out, factors, |block, factors, out| {
        for (pair, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let (out, factors) = (opaque(out), factors_of_pair(factors, pair));
            let qs = bytes_at::<32>(block, 16 + 32 * pair);
            store_pair(counted_bytes(load(bytes_at(qs, 0))), !15, factors, part(out, 0));
            store_pair(counted_bytes(load(bytes_at(qs, 16))), !15, factors, part(out, 16));
        }
    });
}

pub(crate) fn q5_k(blocks: &[u8], out: &mut [f32]) {
    let factors = |block: &[u8; 176], factors: &mut [f32; 16]| scales_and_mins(block, 1.0 / 256.0, factors);
    each_by_factors(blocks, out, factors, |block, factors, out| {
        let (mut left, mut right) = (load(bytes_at(block, 16)), load(bytes_at(block, 32)));
        for (pair, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let (out, factors) = (opaque(out), factors_of_pair(factors, pair));
            let qs = bytes_at::<32>(block, 48 + 32 * pair);
            store_pair(quants(load(bytes_at(qs, 0)), left), !255, factors, part(out, 0));
            store_pair(quants(load(bytes_at(qs, 16)), right), !255, factors, part(out, 16));
            (left, right) = (u16x8_shr(left, 2), u16x8_shr(right, 2));
        }
    });

    /// The first row's quants and 256 times the other one's, as the lowest bits of `f32`s that count.
    #[inline(always)]
    fn quants(qs: v128, qh: v128) -> [v128; 4] {
        let first = either(qs, 15, u16x8_shl(qh, 4), 16);
        let other = either(u16x8_shr(qs, 4), 15, u16x8_shl(qh, 3), 16);
        lower_halves(zip_low_u8(first, other), zip_high_u8(first, other), (COUNTER >> 16) as u16)
    }
}

pub(crate) fn q6_k(blocks: &[u8], out: &mut [f32]) {
    let factors = |block: &[u8; 210], factors: &mut [f32; 16]| {
        let d = f32x4_splat(f16_at(block, 208));
        store_16(factors, products(load(bytes_at(block, 192)), [d, d, d, d]));
    };
    each_quarter(blocks, out, factors, |block, half, column, scales: &[f32; 7], out| {
        let even = load(bytes_at(block, 64 * half + column));
        let odd = load(bytes_at(block, 64 * half + column + 32));
        let qh = load(bytes_at(block, 128 + 32 * half + column));
        store_row(0, even, u16x8_shl(qh, 4), scales, out);
        store_row(1, odd, u16x8_shl(qh, 2), scales, out);
        store_row(2, u16x8_shr(even, 4), qh, scales, out);
        store_row(3, u16x8_shr(odd, 4), u16x8_shr(qh, 2), scales, out);
    });

    #[inline(always)]
    fn store_row(row: usize, low: v128, high: v128, scales: &[f32; 7], out: &mut [f32; 112]) {
        let q = counted_bytes(either(low, 15, high, 48));
        store_16(part(out, 32 * row), less_times(q, counter(32), f32x4_splat(scales[2 * row])));
    }
}

pub(crate) fn q8_k(blocks: &[u8], out: &mut [f32]) {
    for_each_block::<292, 256>(blocks, out, |block, out| {
        let d = f32x4_splat(f32::from_le_bytes(*bytes_at(block, 0)));
        for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
            let more_by_128 = v128_xor(load(bytes_at(block, 4 + 16 * i)), u8x16_splat(0x80));
            store_16(out, less_times(counted_bytes(more_by_128), counter(128), d));
        }
    });
}

/// Goes through blocks, the factors of several first: a block's scales, then its minima.
#[inline(always)]
fn each_by_factors<const BYTES: usize, const FACTORS: usize>(
    blocks: &[u8],
    out: &mut [f32],
    factors: impl Fn(&[u8; BYTES], &mut [f32; FACTORS]),
    to_float: impl Fn(&[u8; BYTES], &[f32; FACTORS], &mut [f32; 256]),
) {
    let mut of_all = [[0.0; FACTORS]; 8];
    for (blocks, out) in blocks.as_chunks().0.chunks(8).zip(out.as_chunks_mut().0.chunks_mut(8)) {
        for (block, of_block) in blocks.iter().zip(&mut of_all) {
            factors(block, of_block);
        }
        for ((block, of_block), out) in blocks.iter().zip(&of_all).zip(out) {
            to_float(block, of_block, out);
        }
    }
}

/// Goes through the quarters of blocks: four rows' left or right half, that is, every second sub-block of 16. `to_float`
/// is given the block, which half of it, the first column, and the factors and elements from the quarter's first ones on.
#[inline(always)]
fn each_quarter<const BYTES: usize, const FACTORS: usize, const SPAN: usize>(
    blocks: &[u8],
    out: &mut [f32],
    factors: impl Fn(&[u8; BYTES], &mut [f32; FACTORS]),
    to_float: impl Fn(&[u8; BYTES], usize, usize, &[f32; SPAN], &mut [f32; 112]),
) {
    each_by_factors(blocks, out, factors, |block, factors, out| {
        for half in 0..2 {
            for right in 0..2 {
                let factors = factors[8 * half + right..].first_chunk().expect("a quarter's factors lie within");
                to_float(block, half, 16 * right, factors, opaque(part(out, 128 * half + 16 * right)));
            }
        }
    });
}

/// The same place, of which the compiler knows nothing. It would make each address in a loop a sum of the loop's variables,
/// which takes an instruction; what a store adds itself, a constant to a place, takes none.
#[inline(always)]
fn opaque<const N: usize>(out: &mut [f32; N]) -> &mut [f32; N] {
    black_box(out)
}

/// What is from an index on.
#[inline(always)]
fn part<const N: usize>(out: &mut [f32], index: usize) -> &mut [f32; N] {
    out[index..].first_chunk_mut().expect("a part lies within its block")
}

/// 16 integers with a sign, times the factors.
#[inline(always)]
fn products(integers: v128, [a, b, c, d]: [v128; 4]) -> [v128; 4] {
    let (low, high) = (i16x8_extend_low_i8x16(integers), i16x8_extend_high_i8x16(integers));
    [
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_low_i16x8(low)), a),
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_high_i16x8(low)), b),
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_low_i16x8(high)), c),
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_high_i16x8(high)), d),
    ]
}

/// The scales of Q4_K and Q5_K, those of odd rows times `share`; then the minima.
#[inline(always)]
fn scales_and_mins(block: &[u8], share: f32, factors: &mut [f32; 16]) {
    let d = f32x4_mul(f32x4_splat(f16_at(block, 0)), f32x4(1.0, share, 1.0, share));
    let dmin = f32x4_splat(f16_at(block, 2));
    // Words 1 and 2 are for scales and for minima, word 3 has low bits of both.
    let packed = load(bytes_at(block, 0));
    let first_rows = v128_and(packed, u8x16_splat(63));
    let low = v128_and(i32x4_shuffle::<3, 3, 7, 7>(packed, u16x8_shr(packed, 4)), u8x16_splat(15));
    let other_rows = v128_or(low, v128_and(u16x8_shr(packed, 2), u8x16_splat(48)));
    store_16(factors, products(i32x4_shuffle::<1, 5, 2, 6>(first_rows, other_rows), [d, d, dmin, dmin]));
}

/// Two rows' scales and minima.
#[inline(always)]
fn factors_of_pair(factors: &[f32; 16], pair: usize) -> [v128; 4] {
    let factors: &[f32; 10] = factors[2 * pair..].first_chunk().expect("a pair's factors lie within");
    [f32x4_splat(factors[0]), f32x4_splat(factors[1]), f32x4_splat(factors[8]), f32x4_splat(factors[9])]
}

/// Stores 16 columns of two rows: of the first, whose quants are the bits that the mask clears, and of the one after it.
#[inline(always)]
fn store_pair(both: [v128; 4], mask: i32, [first, other, first_min, other_min]: [v128; 4], out: &mut [f32; 48]) {
    let high = masked(both, mask);
    let low = less(both, high);
    store_16(part(out, 0), less_one(times(low, first), first_min));
    store_16(part(out, 32), less_one(less_times(high, counter(0), other), other_min));
}

/// Bits of one vector's bytes and other bits of another's.
#[inline(always)]
fn either(a: v128, bits_of_a: u8, b: v128, bits_of_b: u8) -> v128 {
    v128_or(v128_and(a, u8x16_splat(bits_of_a)), v128_and(b, u8x16_splat(bits_of_b)))
}
