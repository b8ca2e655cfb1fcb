//! The search for the scale and the offset of a part whose elements are scale × quant - offset.

use_scalar_or_simd128!();

/// The scales that are tried: those for which the range of the part has `limit + first + step × i` quants.
pub(super) struct Attempts {
    pub first: f32,
    pub step: f32,
    pub last: i32,
    /// Whether an error counts by its magnitude. Otherwise it counts by its square.
    pub is_by_magnitude: bool,
    /// Whether an element far beyond the range of an attempt gets the quant 0 or `limit`. Otherwise it gets any quant, as in ggml,
    /// because it is too large to be rounded.
    pub is_bounded: bool,
}

/// The attempts with importance, for all types (`make_qkx3_quants`).
pub(super) const WITH_IMPORTANCE: Attempts =
    Attempts { first: -0.9, step: 0.05, last: 36, is_by_magnitude: false, is_bounded: true };

/// The scales, the offsets and the quants of the parts of a block.
pub(super) struct FoundParts<const N: usize, const COUNT: usize> {
    pub scales: [f32; COUNT],
    /// 0 or more.
    pub offsets: [f32; COUNT],
    pub quants: [[u8; N]; COUNT],
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::{Attempts, FoundParts};
    use crate::tensor::quant::quantizers::rounding::nearest;

    /// What `scale_and_offset` finds for each part.
    #[inline(always)]
    pub(crate) fn scales_and_offsets<const N: usize, const COUNT: usize>(
        limit: i32,
        x: &[[f32; N]; COUNT],
        weights: &[[f32; N]; COUNT],
        attempts: &Attempts,
    ) -> FoundParts<N, COUNT> {
        let mut found = FoundParts { scales: [0.0; COUNT], offsets: [0.0; COUNT], quants: [[0; N]; COUNT] };
        for (part, quants) in found.quants.iter_mut().enumerate() {
            (found.scales[part], found.offsets[part]) =
                scale_and_offset(limit, &x[part], &weights[part], attempts, quants);
        }
        found
    }

    /// The scale and the offset, which is 0 or more, and the quants from 0 to `limit`.
    #[inline(always)]
    fn scale_and_offset<const N: usize>(
        limit: i32,
        x: &[f32; N],
        weights: &[f32; N],
        attempts: &Attempts,
        quants: &mut [u8; N],
    ) -> (f32, f32) {
        let (mut min, mut max) = (x[0], x[0]);
        let mut sum_w = weights[0];
        let mut sum_x = sum_w * x[0];
        for (x, weight) in x.iter().zip(weights).skip(1) {
            if *x < min {
                min = *x;
            }
            if *x > max {
                max = *x;
            }
            sum_w += weight;
            sum_x += weight * x;
        }
        if min > 0.0 {
            min = 0.0;
        }
        if max <= min {
            *quants = [0; N];
            return (0.0, -min);
        }
        let quants_for = |inverse: f32, min: f32| x.map(|x| nearest(inverse * (x - min)).clamp(0, limit) as u8);
        let bounded_quants_for = |inverse: f32, min: f32| {
            x.map(|x| {
                let quant = inverse * (x - min);
                // NaN gives 0.
                if quant > 0.0 { nearest(quant.min(limit as f32)) as u8 } else { 0 }
            })
        };
        let error = |quants: &[u8; N], scale: f32, min: f32| {
            let mut error = 0.0;
            for ((quant, x), weight) in quants.iter().zip(x).zip(weights) {
                let difference = scale * f32::from(*quant) + min - x;
                let size = if attempts.is_by_magnitude { difference.abs() } else { difference * difference };
                error += weight * size;
            }
            error
        };
        let inverse = limit as f32 / (max - min);
        let mut scale = 1.0 / inverse;
        *quants = quants_for(inverse, min);
        let mut least_error = error(quants, scale, min);
        // An attempt that succeeds changes `min`, and with it the attempts that follow.
        for attempt in 0..=attempts.last {
            let inverse = (attempts.first + attempts.step * attempt as f32 + limit as f32) / (max - min);
            let tried = if attempts.is_bounded { bounded_quants_for(inverse, min) } else { quants_for(inverse, min) };
            let (mut sum_q, mut sum_qq, mut sum_xq) = (0.0, 0.0, 0.0);
            for ((quant, x), weight) in tried.iter().zip(x).zip(weights) {
                let quant = f32::from(*quant);
                sum_q += weight * quant;
                sum_qq += weight * quant * quant;
                sum_xq += weight * quant * x;
            }
            let determinant = sum_w * sum_qq - sum_q * sum_q;
            if determinant > 0.0 {
                let mut tried_scale = (sum_w * sum_xq - sum_x * sum_q) / determinant;
                let mut tried_min = (sum_qq * sum_x - sum_q * sum_xq) / determinant;
                if tried_min > 0.0 {
                    tried_min = 0.0;
                    tried_scale = sum_xq / sum_qq;
                }
                let error = error(&tried, tried_scale, tried_min);
                if error < least_error {
                    least_error = error;
                    (*quants, scale, min) = (tried, tried_scale, tried_min);
                }
            }
        }
        (scale, -min)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128;
