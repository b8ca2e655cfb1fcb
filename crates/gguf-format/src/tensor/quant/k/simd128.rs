//! The K types with vectors.
//!
//! Rows share bytes. A byte is made a biased integer once, and masks and differences of floats separate its rows, which
//! is faster than to split the bytes and widen each part. For two rows of four bits:
//!
//! ```text
//! both             2²³ + 16 × high + low
//! high             2²³ + 16 × high         both & !15
//! low              low                     both - high
//! ```
//!
//! A row whose quants are 16 times as large gets 1/16 of its scale. That is exact: a scale is the product of an f16 and a
//! small integer, and `f32` has exponents to spare.

use core::arch::wasm32::*;

use crate::tensor::quant::float16::f16_at;
use crate::tensor::quant::kernel::{bytes_at, for_each_block};
use crate::tensor::quant::mem::{load, load_low};
use crate::tensor::quant::vector::{F32x16, biased, zip_high_u8, zip_low_u8};

pub(crate) fn q2_k(blocks: &[u8], elements: &mut [f32]) {
    for_each_block::<84, 256>(blocks, elements, |block, elements| {
        let (d, dmin) = (f16_at(block, 80), f32x4_splat(f16_at(block, 82)));
        let packed = load(bytes_at(block, 0));
        let (rows_01, rows_23) = (f32x4(d, d, d / 4.0, d / 4.0), f32x4(d / 16.0, d / 16.0, d / 64.0, d / 64.0));
        let scales = factors(v128_and(packed, u8x16_splat(15)), [rows_01, rows_23, rows_01, rows_23]);
        let mins = factors(v128_and(u16x8_shr(packed, 4), u8x16_splat(15)), [dmin, dmin, dmin, dmin]);
        quarter::<0>(block, &scales, &mins, elements);
        quarter::<1>(block, &scales, &mins, elements);
        quarter::<8>(block, &scales, &mins, elements);
        quarter::<9>(block, &scales, &mins, elements);
    });

    #[inline(always)]
    fn quarter<const PART: usize>(block: &[u8; 84], scales: &[f32; 16], mins: &[f32; 16], elements: &mut [f32; 256]) {
        let all = F32x16::biased_u8(load(bytes_at(block, 16 + offset_in_rows(PART))));
        let rows_123 = all & i32x4_splat(!3);
        let rows_23 = all & i32x4_splat(!15);
        let row_3 = all & i32x4_splat(!63);
        let mut store = |part: usize, quants: F32x16| {
            (quants * f32x4_splat(scales[part]) - f32x4_splat(mins[part])).store(part_of(elements, part));
        };
        store(PART, all - rows_123);
        store(PART + 2, rows_123 - rows_23);
        store(PART + 4, rows_23 - row_3);
        store(PART + 6, row_3 - biased(0));
    }
}

pub(crate) fn q3_k(blocks: &[u8], elements: &mut [f32]) {
    for_each_block::<110, 256>(blocks, elements, |block, elements| {
        let low = load_low(bytes_at(block, 96));
        let low = v128_and(i64x2_shuffle::<0, 2>(low, u16x8_shr(low, 4)), u8x16_splat(15));
        // A byte has the high bits of four scales. The product shifts each pair of bits to the highest bits of a byte.
        let high = i32x4_mul(u32x4_splat(u32::from_le_bytes(*bytes_at(block, 104))), u32x4(64, 16, 4, 1));
        let high = u16x8_shr(v128_and(high, u8x16_splat(0xc0)), 2);
        let d = f32x4_splat(f16_at(block, 108));
        let scales = factors(i8x16_sub(v128_or(low, high), i8x16_splat(32)), [d, d, d, d]);
        quarter::<0>(block, &scales, elements);
        quarter::<1>(block, &scales, elements);
        quarter::<8>(block, &scales, elements);
        quarter::<9>(block, &scales, elements);
    });

    #[inline(always)]
    fn quarter<const PART: usize>(block: &[u8; 110], scales: &[f32; 16], elements: &mut [f32; 256]) {
        let qs = load(bytes_at(block, 32 + offset_in_rows(PART)));
        let hmask = u16x8_shr(load(bytes_at(block, PART % 8 * 16)), PART as u32 / 8 * 4);
        let mut store = |part: usize, low, high| {
            let quants = F32x16::biased_u8(bits_of_either(low, 3, high, 4)) - biased(4);
            (quants * f32x4_splat(scales[part])).store(part_of(elements, part));
        };
        store(PART, qs, u16x8_shl(hmask, 2));
        store(PART + 2, u16x8_shr(qs, 2), u16x8_shl(hmask, 1));
        store(PART + 4, u16x8_shr(qs, 4), hmask);
        store(PART + 6, u16x8_shr(qs, 6), u16x8_shr(hmask, 1));
    }
}

pub(crate) fn q4_k(blocks: &[u8], elements: &mut [f32]) {
    for_each_block::<144, 256>(blocks, elements, |block, elements| {
        let factors = scales_and_mins(block, 1.0 / 16.0);
        for_each_pair(bytes_at(block, 16), &factors, 0xf, elements, |[first, last]| {
            [F32x16::biased_u8(load(first)), F32x16::biased_u8(load(last))]
        });
    });
}

pub(crate) fn q5_k(blocks: &[u8], elements: &mut [f32]) {
    for_each_block::<176, 256>(blocks, elements, |block, elements| {
        let factors = scales_and_mins(block, 1.0 / 256.0);
        let mut qh = [load(bytes_at(block, 16)), load(bytes_at(block, 32))];
        for_each_pair(bytes_at(block, 48), &factors, 0xff, elements, |[first, last]| {
            let [high_first, high_last] = qh;
            qh = [u16x8_shr(high_first, 2), u16x8_shr(high_last, 2)];
            [quants(load(first), high_first), quants(load(last), high_last)]
        });
    });

    /// The quants of the first row plus 256 times those of the second.
    #[inline(always)]
    fn quants(qs: v128, qh: v128) -> F32x16 {
        let first = bits_of_either(qs, 15, u16x8_shl(qh, 4), 16);
        let second = bits_of_either(u16x8_shr(qs, 4), 15, u16x8_shl(qh, 3), 16);
        F32x16::biased_u16(zip_low_u8(first, second), zip_high_u8(first, second))
    }
}

pub(crate) fn q6_k(blocks: &[u8], elements: &mut [f32]) {
    for_each_block::<210, 256>(blocks, elements, |block, elements| {
        let d = f32x4_splat(f16_at(block, 208));
        let scales = factors(load(bytes_at(block, 192)), [d, d, d, d]);
        quarter::<0>(block, &scales, elements);
        quarter::<1>(block, &scales, elements);
        quarter::<8>(block, &scales, elements);
        quarter::<9>(block, &scales, elements);
    });

    #[inline(always)]
    fn quarter<const PART: usize>(block: &[u8; 210], scales: &[f32; 16], elements: &mut [f32; 256]) {
        let ql = bytes_at::<64>(block, PART / 8 * 64);
        let (even, odd) = (load(bytes_at(ql, PART % 8 * 16)), load(bytes_at(ql, 32 + PART % 8 * 16)));
        let qh = load(bytes_at(block, 128 + offset_in_rows(PART)));
        let mut store = |part: usize, low, high| {
            let quants = F32x16::biased_u8(bits_of_either(low, 15, high, 48)) - biased(32);
            (quants * f32x4_splat(scales[part])).store(part_of(elements, part));
        };
        store(PART, even, u16x8_shl(qh, 4));
        store(PART + 2, odd, u16x8_shl(qh, 2));
        store(PART + 4, u16x8_shr(even, 4), qh);
        store(PART + 6, u16x8_shr(odd, 4), u16x8_shr(qh, 2));
    }
}

pub(crate) fn q8_k(blocks: &[u8], elements: &mut [f32]) {
    for_each_block::<292, 256>(blocks, elements, |block, elements| {
        let d = f32x4_splat(f32::from_le_bytes(*bytes_at(block, 0)));
        for (i, elements) in elements.as_chunks_mut().0.iter_mut().enumerate() {
            let plus_128 = v128_xor(load(bytes_at(block, 4 + 16 * i)), u8x16_splat(0x80));
            ((F32x16::biased_u8(plus_128) - biased(128)) * d).store(elements);
        }
    });
}

/// 16 signed integers of 8 bits, times the factors.
#[inline(always)]
fn factors(integers: v128, [a, b, c, d]: [v128; 4]) -> [f32; 16] {
    let (low, high) = (i16x8_extend_low_i8x16(integers), i16x8_extend_high_i8x16(integers));
    let mut factors = [0.0; 16];
    F32x16::new([
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_low_i16x8(low)), a),
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_high_i16x8(low)), b),
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_low_i16x8(high)), c),
        f32x4_mul(f32x4_convert_i32x4(i32x4_extend_high_i16x8(high)), d),
    ])
    .store(&mut factors);
    factors
}

/// The scales of Q4_K and Q5_K, those of odd rows times `share`; then the minima.
#[inline(always)]
fn scales_and_mins(block: &[u8], share: f32) -> [f32; 16] {
    let d = f32x4_mul(f32x4_splat(f16_at(block, 0)), f32x4(1.0, share, 1.0, share));
    let dmin = f32x4_splat(f16_at(block, 2));
    // Words 1 and 2 are for scales and for minima, word 3 has low bits of both.
    let packed = load(bytes_at(block, 0));
    let first_rows = v128_and(packed, u8x16_splat(63));
    let low = v128_and(i32x4_shuffle::<3, 3, 7, 7>(packed, u16x8_shr(packed, 4)), u8x16_splat(15));
    let last_rows = v128_or(low, v128_and(u16x8_shr(packed, 2), u8x16_splat(48)));
    factors(i32x4_shuffle::<1, 5, 2, 6>(first_rows, last_rows), [d, d, dmin, dmin])
}

/// Converts two rows at a time. `quants` gives the quants of both rows from the halves of their 32 bytes: those of the first row are
/// the bits that the mask has.
///
/// This is a loop, so that the factors stay in memory, where one load brings a factor into all lanes. In registers, each use needs a
/// shuffle, and other vectors are pushed out.
#[inline(always)]
fn for_each_pair(
    qs: &[u8; 128],
    factors: &[f32; 16],
    mask: i32,
    elements: &mut [f32; 256],
    mut quants: impl FnMut([&[u8; 16]; 2]) -> [F32x16; 2],
) {
    let (scales, mins) = factors.split_at(8);
    let factors = scales.as_chunks::<2>().0.iter().zip(mins.as_chunks::<2>().0);
    let rows = qs.as_chunks::<32>().0.iter().zip(elements.as_chunks_mut::<64>().0);
    for ((qs, elements), (scales, mins)) in rows.zip(factors) {
        let [first, last] = quants([bytes_at(qs, 0), bytes_at(qs, 16)]);
        store_half::<0>(first, mask, scales, mins, elements);
        store_half::<1>(last, mask, scales, mins, elements);
    }
}

/// Stores 16 columns of two rows, with the scales and the minima of these rows.
#[inline(always)]
fn store_half<const HALF: usize>(
    both: F32x16,
    mask: i32,
    scales: &[f32; 2],
    mins: &[f32; 2],
    elements: &mut [f32; 64],
) {
    let high = both & i32x4_splat(!mask);
    let low = both - high;
    let parts = elements.as_chunks_mut().0;
    (low * f32x4_splat(scales[0]) - f32x4_splat(mins[0])).store(&mut parts[HALF]);
    ((high - biased(0)) * f32x4_splat(scales[1]) - f32x4_splat(mins[1])).store(&mut parts[HALF + 2]);
}

/// Where the bytes of a part begin, where 32 bytes are for four rows.
#[inline(always)]
fn offset_in_rows(part: usize) -> usize {
    part / 8 * 32 + part % 2 * 16
}

#[inline(always)]
fn part_of(elements: &mut [f32; 256], part: usize) -> &mut [f32; 16] {
    &mut elements.as_chunks_mut().0[part]
}

/// Bits of one vector's bytes and other bits of another's.
#[inline(always)]
fn bits_of_either(a: v128, bits_of_a: u8, b: v128, bits_of_b: u8) -> v128 {
    v128_or(v128_and(a, u8x16_splat(bits_of_a)), v128_and(b, u8x16_splat(bits_of_b)))
}
