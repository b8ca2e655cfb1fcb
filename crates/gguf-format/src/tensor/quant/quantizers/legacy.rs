//! Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 and Q8_1.
//!
//! Without importance, the scale follows from the extreme elements. With importance, it is searched for.

use super::block::{for_each_block, for_each_four_blocks, inverse_or_zero, put_f16, put_nibbles, sum_of_squares};
use super::extremes::range;
use super::offset_search::{WITH_IMPORTANCE, scales_and_offsets};
use super::scale_search::signed_scales;
use super::weights::{squares, weights_of_parts};

use_scalar_or_simd128!();

pub(super) fn q4_0(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    scaled::<8, 18>(row, importance, out, put_nibbles);
}

pub(super) fn q5_0(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    scaled::<16, 22>(row, importance, out, put_five_bits);
}

pub(super) fn q4_1(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    scaled_with_offset::<15, 20>(row, importance, out, put_nibbles);
}

pub(super) fn q5_1(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    scaled_with_offset::<31, 24>(row, importance, out, put_five_bits);
}

/// Quantizes to blocks of `d` and quants from `-LIMIT` to `LIMIT - 1`. `put` stores the quants plus `LIMIT`.
#[inline(always)]
fn scaled<const LIMIT: i32, const BYTES: usize>(
    row: &[f32],
    importance: Option<&[f32]>,
    out: &mut [u8],
    put: impl Fn(&[u8; 32], &mut [u8]),
) {
    if importance.is_none() {
        return for_each_block::<32, BYTES>(row, None, out, |x, _, block| {
            let (d, quants) = scale_of_extreme::<LIMIT>(x);
            put_f16(block, 0, d);
            put(&quants, &mut block[2..]);
        });
    }
    let variance = variance(row);
    for_each_four_blocks::<32, BYTES>(row, importance, out, |x, importance, blocks| {
        let (scales, quants) = signed_scales(LIMIT, x, &weights_of_parts(x, importance, variance, squares));
        for (i, block) in blocks.iter_mut().enumerate() {
            put_f16(block, 0, scales[i]);
            put(&quants[i], &mut block[2..]);
        }
    });
}

/// Quantizes to blocks of `d`, `m` and quants from 0 to `LIMIT`.
#[inline(always)]
fn scaled_with_offset<const LIMIT: u8, const BYTES: usize>(
    row: &[f32],
    importance: Option<&[f32]>,
    out: &mut [u8],
    put: impl Fn(&[u8; 32], &mut [u8]),
) {
    if importance.is_none() {
        return for_each_block::<32, BYTES>(row, None, out, |x, _, block| {
            let (min, max) = range(x);
            let d = (max - min) / f32::from(LIMIT);
            put_f16(block, 0, d);
            put_f16(block, 2, min);
            put(&quants_from::<LIMIT>(x, min, inverse_or_zero(d)), &mut block[4..]);
        });
    }
    let variance = variance(row);
    for_each_four_blocks::<32, BYTES>(row, importance, out, |x, importance, blocks| {
        let weights = weights_of_parts(x, importance, variance, squares);
        let found = scales_and_offsets(i32::from(LIMIT), x, &weights, &WITH_IMPORTANCE);
        for (i, block) in blocks.iter_mut().enumerate() {
            put_f16(block, 0, found.scales[i]);
            put_f16(block, 2, -found.offsets[i]);
            put(&found.quants[i], &mut block[4..]);
        }
    });
}

fn variance(row: &[f32]) -> f32 {
    sum_of_squares(row) / row.len() as f32
}

pub(super) fn q8_0(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 34>(row, None, out, |x, _, block| {
        let (d, quants) = eight_bits(x);
        put_f16(block, 0, d);
        block[2..].copy_from_slice(&quants);
    });
}

pub(super) fn q8_1(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 36>(row, None, out, |x, _, block| {
        let (d, quants) = eight_bits(x);
        put_f16(block, 0, d);
        let sum: i32 = quants.iter().map(|quant| i32::from(quant.cast_signed())).sum();
        put_f16(block, 2, sum as f32 * d);
        block[4..].copy_from_slice(&quants);
    });
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use crate::tensor::quant::quantizers::block::{inverse_or_zero, put_nibbles};
    use crate::tensor::quant::quantizers::extremes::{extreme, greatest_magnitude};
    use crate::tensor::quant::quantizers::rounding::nearest_away_from_zero;

    /// The scale that makes the extreme element `-LIMIT`, and the quants plus `LIMIT`.
    #[inline(always)]
    pub(crate) fn scale_of_extreme<const LIMIT: i32>(x: &[f32; 32]) -> (f32, [u8; 32]) {
        let d = extreme(x) / -(LIMIT as f32);
        let inverse = inverse_or_zero(d);
        (d, x.map(|x| ((x * inverse + (LIMIT as f32 + 0.5)) as u8).min(2 * LIMIT as u8 - 1)))
    }

    #[inline(always)]
    pub(crate) fn quants_from<const LIMIT: u8>(x: &[f32; 32], min: f32, inverse: f32) -> [u8; 32] {
        x.map(|x| (((x - min) * inverse + 0.5) as u8).min(LIMIT))
    }

    /// The scale that makes the greatest magnitude 127, and the quants as bytes.
    #[inline(always)]
    pub(crate) fn eight_bits(x: &[f32; 32]) -> (f32, [u8; 32]) {
        let d = greatest_magnitude(x) / 127.0;
        let inverse = inverse_or_zero(d);
        (d, x.map(|x| (nearest_away_from_zero(x * inverse).clamp(-128, 127) as i8).cast_unsigned()))
    }

    /// Stores `qh` and `qs`.
    #[inline(always)]
    pub(crate) fn put_five_bits(quants: &[u8; 32], bytes: &mut [u8]) {
        let qh = quants.iter().enumerate().fold(0, |qh, (i, quant)| qh | u32::from(quant >> 4 & 1) << i);
        bytes[..4].copy_from_slice(&qh.to_le_bytes());
        put_nibbles(quants, &mut bytes[4..]);
    }
}

#[cfg(target_feature = "simd128")]
mod simd128;
