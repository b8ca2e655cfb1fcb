//! IQ4_NL and IQ4_XS. The scale of each 32 elements is searched for, and each element becomes the nearest of 16 levels.

use super::block::{
    for_each_block, for_each_four_blocks, inverse_or_zero, parts_of, put_f16, put_nibbles, sum_of_squares,
};
use super::extremes::extreme;
use super::rounding::nearest;
use super::weights::{squares, weights, weights_of_parts};

use_scalar_or_simd128!();

pub(super) fn iq4_nl(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_four_blocks::<32, 18>(row, importance, out, |x, importance, blocks| {
        let mut all_weights = x.map(|x| squares(&x));
        if let Some(importance) = importance {
            for ((of_block, x), importance) in all_weights.iter_mut().zip(x).zip(importance) {
                *of_block = weights(x, importance, sum_of_squares(x) * (2.0 / 32.0));
            }
        }
        let scales = scales_of_parts(x, &all_weights);
        for ((block, x), scale) in blocks.iter_mut().zip(x).zip(scales) {
            put_f16(block, 0, scale);
            put_levels(x, scale, &mut block[2..]);
        }
    });
}

pub(super) fn iq4_xs(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 136>(row, importance, out, |x, importance, block| {
        let variance = sum_of_squares(x) * (2.0 / 256.0);
        let parts = parts_of::<32, 8>(x);
        let scales = scales_of_parts(parts, &weights_of_parts(parts, importance.map(parts_of), variance, squares));
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

#[inline(always)]
fn put_levels(x: &[f32; 32], scale: f32, bytes: &mut [u8]) {
    put_nibbles(&nearest_levels(x, inverse_or_zero(scale)), bytes);
}

#[cfg(not(target_feature = "simd128"))]
mod scalar {
    use crate::tensor::quant::iq4::LEVELS;
    use crate::tensor::quant::quantizers::block::LEAST_MAGNITUDE;
    use crate::tensor::quant::quantizers::extremes::extreme;

    /// The scale of each part.
    #[inline(always)]
    pub(crate) fn scales_of_parts<const COUNT: usize>(
        x: &[[f32; 32]; COUNT],
        weights: &[[f32; 32]; COUNT],
    ) -> [f32; COUNT] {
        core::array::from_fn(|part| scale_of_part(&x[part], &weights[part]))
    }

    /// Tries 16 scales near the one that makes the extreme element the first level.
    #[inline(always)]
    fn scale_of_part(x: &[f32; 32], weights: &[f32; 32]) -> f32 {
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

    /// The number of the nearest level for each product of an element and the inverse.
    #[inline(always)]
    pub(crate) fn nearest_levels(x: &[f32; 32], inverse: f32) -> [u8; 32] {
        x.map(|x| nearest_level(inverse * x) as u8)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128;
