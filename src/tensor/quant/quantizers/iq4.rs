//! IQ4_NL and IQ4_XS. The scale of each 32 elements is searched for, and each element becomes the nearest of 16 levels.

use super::block::{
    LEAST_MAGNITUDE, extreme, for_each_block, inverse_or_zero, put_f16, put_nibbles, squares, sum_of_squares, weights,
};
use super::rounding::nearest;
use crate::tensor::quant::iq4::LEVELS;

pub(super) fn iq4_nl(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 18>(row, importance, out, |x, importance, block| {
        let scale = scale_of_part(x, importance, sum_of_squares(x) * (2.0 / 32.0));
        put_f16(block, 0, scale);
        put_levels(x, scale, &mut block[2..]);
    });
}

pub(super) fn iq4_xs(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 136>(row, importance, out, |x, importance, block| {
        let variance = sum_of_squares(x) * (2.0 / 256.0);
        let parts = x.as_chunks::<32>().0;
        let scales: [f32; 8] = core::array::from_fn(|part| {
            scale_of_part(&parts[part], importance.map(|importance| &importance.as_chunks().0[part]), variance)
        });
        let d = -extreme(&scales) / 32.0;
        let inverse = inverse_or_zero(d);
        put_f16(block, 0, d);
        let mut scales_h = 0;
        for (part, x) in parts.iter().enumerate() {
            let quant = nearest(inverse * scales[part]).clamp(-32, 31);
            put_levels(x, d * quant as f32, &mut block[8 + 16 * part..24 + 16 * part]);
            let stored = (quant + 32) as u8;
            block[4 + part / 2] |= (stored & 15) << (part % 2 * 4);
            scales_h |= u16::from(stored >> 4) << (part * 2);
        }
        block[2..4].copy_from_slice(&scales_h.to_le_bytes());
    });
}

/// Tries 16 scales near the one that makes the extreme element the first level.
#[inline(always)]
fn scale_of_part(x: &[f32; 32], importance: Option<&[f32; 32]>, variance: f32) -> f32 {
    let weights = importance.map_or_else(|| squares(x), |importance| weights(x, importance, variance));
    let extreme = extreme(x);
    if extreme.abs() < LEAST_MAGNITUDE {
        return 0.0;
    }
    let sums = |inverse: f32| {
        let (mut xq, mut qq) = (0.0, 0.0);
        for (x, weight) in x.iter().zip(weights) {
            let level = f32::from(LEVELS[nearest_level(inverse * x)]);
            xq += weight * level * x;
            qq += weight * level * level;
        }
        (xq, qq)
    };
    let first = f32::from(LEVELS[0]);
    let (xq, qq) = sums(1.0 / (-extreme / first));
    let mut scale = if qq > 0.0 { xq / qq } else { 0.0 };
    let mut best = scale * xq;
    for attempt in -7..=7 {
        let (xq, qq) = sums((attempt as f32 + first) / extreme);
        if qq > 0.0 && xq * xq > best * qq {
            scale = xq / qq;
            best = scale * xq;
        }
    }
    scale
}

/// The number of the level that is nearest to x; of two, that of the greater one. NaN gives the last.
#[inline(always)]
fn nearest_level(x: f32) -> usize {
    let last = LEVELS.len() - 1;
    if x <= f32::from(LEVELS[0]) {
        return 0;
    }
    if x >= f32::from(LEVELS[last]) {
        return last;
    }
    let (mut below, mut above) = (0, last);
    while above - below > 1 {
        let middle = (below + above) / 2;
        if x < f32::from(LEVELS[middle]) {
            above = middle;
        } else {
            below = middle;
        }
    }
    if x - f32::from(LEVELS[below]) < f32::from(LEVELS[above]) - x { below } else { above }
}

#[inline(always)]
fn put_levels(x: &[f32; 32], scale: f32, bytes: &mut [u8]) {
    let inverse = inverse_or_zero(scale);
    put_nibbles(&x.map(|x| nearest_level(inverse * x) as u8), bytes);
}
