//! Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 and Q8_1.
//!
//! Without importance, the scale follows from the extreme elements. With importance, it is searched for.

use super::block::{extreme, for_each_block, inverse_or_zero, max, put_f16, put_nibbles, sum_of_squares, weights};
use super::offset_search::{Attempts, scale_and_offset};
use super::rounding::nearest_away_from_zero;
use super::scale_search::signed_scale;

const ATTEMPTS: Attempts = Attempts { first: -0.9, step: 0.05, last: 36, is_by_magnitude: false };

pub(super) fn q4_0(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    let variance = variance(row);
    for_each_block::<32, 18>(row, importance, out, |x, importance, block| {
        let quants = scaled::<8>(x, importance, variance, block);
        put_nibbles(&quants, &mut block[2..]);
    });
}

pub(super) fn q5_0(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    let variance = variance(row);
    for_each_block::<32, 22>(row, importance, out, |x, importance, block| {
        let quants = scaled::<16>(x, importance, variance, block);
        put_five_bits(&quants, &mut block[2..]);
    });
}

pub(super) fn q4_1(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    let variance = variance(row);
    for_each_block::<32, 20>(row, importance, out, |x, importance, block| {
        let quants = scaled_with_offset::<15>(x, importance, variance, block);
        put_nibbles(&quants, &mut block[4..]);
    });
}

pub(super) fn q5_1(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    let variance = variance(row);
    for_each_block::<32, 24>(row, importance, out, |x, importance, block| {
        let quants = scaled_with_offset::<31>(x, importance, variance, block);
        put_five_bits(&quants, &mut block[4..]);
    });
}

fn variance(row: &[f32]) -> f32 {
    sum_of_squares(row) / row.len() as f32
}

/// Stores `d`. Returns the quants plus `LIMIT`.
#[inline(always)]
fn scaled<const LIMIT: i32>(
    x: &[f32; 32],
    importance: Option<&[f32; 32]>,
    variance: f32,
    block: &mut [u8],
) -> [u8; 32] {
    if let Some(importance) = importance {
        let mut quants = [0; 32];
        let d = signed_scale(LIMIT, x, &weights(x, importance, variance), &mut quants);
        put_f16(block, 0, d);
        return quants.map(i8::cast_unsigned);
    }
    let d = extreme(x) / -(LIMIT as f32);
    let inverse = inverse_or_zero(d);
    put_f16(block, 0, d);
    x.map(|x| ((x * inverse + (LIMIT as f32 + 0.5)) as u8).min(2 * LIMIT as u8 - 1))
}

/// Stores `d` and `m`. Returns the quants.
#[inline(always)]
fn scaled_with_offset<const LIMIT: u8>(
    x: &[f32; 32],
    importance: Option<&[f32; 32]>,
    variance: f32,
    block: &mut [u8],
) -> [u8; 32] {
    if let Some(importance) = importance {
        let mut quants = [0; 32];
        let weights = weights(x, importance, variance);
        let (d, offset) = scale_and_offset(i32::from(LIMIT), x, &weights, &ATTEMPTS, &mut quants);
        put_f16(block, 0, d);
        put_f16(block, 2, -offset);
        return quants;
    }
    let (mut min, mut max) = (f32::MAX, f32::MIN);
    for x in x {
        if *x < min {
            min = *x;
        }
        if *x > max {
            max = *x;
        }
    }
    let d = (max - min) / f32::from(LIMIT);
    let inverse = inverse_or_zero(d);
    put_f16(block, 0, d);
    put_f16(block, 2, min);
    x.map(|x| (((x - min) * inverse + 0.5) as u8).min(LIMIT))
}

/// Stores `qh` and `qs`.
#[inline(always)]
fn put_five_bits(quants: &[u8; 32], bytes: &mut [u8]) {
    let qh = quants.iter().enumerate().fold(0, |qh, (i, quant)| qh | u32::from(quant >> 4 & 1) << i);
    bytes[..4].copy_from_slice(&qh.to_le_bytes());
    put_nibbles(quants, &mut bytes[4..]);
}

pub(super) fn q8_0(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 34>(row, None, out, |x, _, block| {
        let (d, quants) = eight_bits(x);
        put_f16(block, 0, d);
        block[2..].copy_from_slice(&quants.map(i8::cast_unsigned));
    });
}

pub(super) fn q8_1(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 36>(row, None, out, |x, _, block| {
        let (d, quants) = eight_bits(x);
        put_f16(block, 0, d);
        let sum: i32 = quants.iter().map(|quant| i32::from(*quant)).sum();
        put_f16(block, 2, sum as f32 * d);
        block[4..].copy_from_slice(&quants.map(i8::cast_unsigned));
    });
}

#[inline(always)]
fn eight_bits(x: &[f32; 32]) -> (f32, [i8; 32]) {
    let d = x.iter().fold(0.0, |greatest, x| max(greatest, x.abs())) / 127.0;
    let inverse = inverse_or_zero(d);
    (d, x.map(|x| nearest_away_from_zero(x * inverse).clamp(-128, 127) as i8))
}
