//! Vectors for quantizers: four elements of a block, or an element of each of four parts.
//!
//! A search adds up the elements of a part in their order, because each addition rounds. So it works on four parts at once:
//! each lane has the numbers of one part, and the operations of a lane are those of the scalar search.

use core::arch::wasm32::*;

use crate::tensor::quant::mem::load_floats;

/// An element of each of four parts in every vector.
#[inline(always)]
pub(super) fn transpose<const N: usize>(parts: &[[f32; N]; 4]) -> [v128; N] {
    let [a, b, c, d] = parts.each_ref().map(|part| part.as_chunks().0);
    let mut columns = [f32x4_splat(0.0); N];
    for (i, columns) in columns.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [a, b, c, d] = [load_floats(&a[i]), load_floats(&b[i]), load_floats(&c[i]), load_floats(&d[i])];
        let [ab, cd] = [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d)];
        columns[0] = i64x2_shuffle::<0, 2>(ab, cd);
        columns[1] = i64x2_shuffle::<1, 3>(ab, cd);
        let [ab, cd] = [i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d)];
        columns[2] = i64x2_shuffle::<0, 2>(ab, cd);
        columns[3] = i64x2_shuffle::<1, 3>(ab, cd);
    }
    columns
}

/// Stores an element of each of four parts: the lowest byte of each integer.
#[inline(always)]
pub(super) fn put_column<const N: usize>(parts: &mut [[u8; N]; 4], i: usize, integers: v128) {
    parts[0][i] = u8x16_extract_lane::<0>(integers);
    parts[1][i] = u8x16_extract_lane::<4>(integers);
    parts[2][i] = u8x16_extract_lane::<8>(integers);
    parts[3][i] = u8x16_extract_lane::<12>(integers);
}

/// The nearest integers; ties go to the even one. Equals the scalar `nearest`, also for numbers that are too large.
#[inline(always)]
#[doc(hidden)]
pub fn nearest(x: v128) -> v128 {
    let sum = f32x4_add(x, f32x4_splat(12_582_912.0));
    i32x4_sub(v128_and(sum, i32x4_splat(0x7f_ffff)), i32x4_splat(0x40_0000))
}

/// The nearest integers; ties go away from zero. NaN gives 0. A number that is too large gives the nearest `i32`.
#[inline(always)]
pub(super) fn nearest_away_from_zero(x: v128) -> v128 {
    // The largest float below 0.5 is added. Adding 0.5 itself would round 0.49999997 up to 1.
    let half = v128_or(v128_and(x, f32x4_splat(-0.0)), f32x4_splat(0.5f32.next_down()));
    i32x4_trunc_sat_f32x4(f32x4_add(x, half))
}

/// Clamps integers.
#[inline(always)]
pub(super) fn clamp(integers: v128, least: i32, greatest: i32) -> v128 {
    i32x4_min(i32x4_max(integers, i32x4_splat(least)), i32x4_splat(greatest))
}

/// 16 integers as bytes with a sign. A number beyond their range becomes the nearest one.
#[inline(always)]
pub(super) fn signed_bytes([a, b, c, d]: [v128; 4]) -> v128 {
    i8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d))
}

/// 16 integers as bytes without a sign. A number beyond their range becomes the nearest one.
#[inline(always)]
pub(super) fn unsigned_bytes([a, b, c, d]: [v128; 4]) -> v128 {
    u8x16_narrow_i16x8(i16x8_narrow_i32x4(a, b), i16x8_narrow_i32x4(c, d))
}

/// The floats of four lanes.
#[inline(always)]
pub(super) fn floats(vector: v128) -> [f32; 4] {
    [
        f32x4_extract_lane::<0>(vector),
        f32x4_extract_lane::<1>(vector),
        f32x4_extract_lane::<2>(vector),
        f32x4_extract_lane::<3>(vector),
    ]
}

/// Four elements from each 16.
#[inline(always)]
pub(super) fn load_16(x: &[f32; 16]) -> [v128; 4] {
    let [a, b, c, d] = x.as_chunks().0 else { unreachable!("16 elements are four vectors") };
    [load_floats(a), load_floats(b), load_floats(c), load_floats(d)]
}

#[inline(always)]
pub(super) fn map(vectors: [v128; 4], convert: impl Fn(v128) -> v128) -> [v128; 4] {
    let [a, b, c, d] = vectors;
    [convert(a), convert(b), convert(c), convert(d)]
}
