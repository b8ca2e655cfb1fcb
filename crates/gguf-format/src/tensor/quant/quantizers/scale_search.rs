//! Searches for the scale of a part whose elements are scale × quant.
//!
//! Each search finds a scale and quants with a small weighted square error: `Σ w (x - scale × q)²`. For given quants the best
//! scale is `Σ w x q / Σ w q²`. These sums are computed in the order of the elements, because each addition rounds.

use super::block::LEAST_MAGNITUDE;
use super::extremes::{extreme, max};
use super::rounding::nearest;

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::signed_scale;

    /// The scales and the quants of `signed_scale` for each part.
    #[inline(always)]
    pub(crate) fn signed_scales<const N: usize, const COUNT: usize>(
        limit: i32,
        x: &[[f32; N]; COUNT],
        weights: &[[f32; N]; COUNT],
    ) -> ([f32; COUNT], [[u8; N]; COUNT]) {
        let mut quants = [[0; N]; COUNT];
        let scales = core::array::from_fn(|part| signed_scale(limit, &x[part], &weights[part], &mut quants[part]));
        (scales, quants)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128;

/// The two sums from which the best scale follows.
#[derive(Clone, Copy)]
struct Sums {
    /// Σ w x q.
    xq: f32,
    /// Σ w q².
    qq: f32,
}

impl Sums {
    const ZERO: Self = Self { xq: 0.0, qq: 0.0 };

    #[inline(always)]
    fn add(&mut self, weight: f32, x: f32, quant: i32) {
        let quant = quant as f32;
        self.xq += weight * x * quant;
        self.qq += weight * quant * quant;
    }

    #[inline(always)]
    fn without(self, weight: f32, x: f32, quant: i32) -> Self {
        let quant = quant as f32;
        Self { xq: self.xq - weight * x * quant, qq: self.qq - weight * quant * quant }
    }

    /// Whether the error is less than with the sums of other quants.
    #[inline(always)]
    fn is_better_than(self, other: Self) -> bool {
        self.xq * self.xq * other.qq > other.xq * other.xq * self.qq
    }
}

/// The scale of quants from `-limit` to `limit - 1`. The quants are stored plus `limit`.
///
/// Tries 19 scales near the one that makes the extreme element `-limit`.
#[inline(always)]
pub(super) fn signed_scale<const N: usize>(limit: i32, x: &[f32; N], weights: &[f32; N], quants: &mut [u8; N]) -> f32 {
    let extreme = extreme(x);
    if extreme.abs() < LEAST_MAGNITUDE {
        *quants = [0; N];
        return 0.0;
    }
    let quant = |inverse: f32, x: f32| nearest(inverse * x).clamp(-limit, limit - 1);
    let sums = |inverse: f32| {
        let mut sums = Sums::ZERO;
        for (x, weight) in x.iter().zip(weights) {
            sums.add(*weight, *x, quant(inverse, *x));
        }
        sums
    };
    let mut best_inverse = -(limit as f32) / extreme;
    let first = sums(best_inverse);
    let mut scale = if first.qq == 0.0 { 0.0 } else { first.xq / first.qq };
    let mut best = scale * first.xq;
    for attempt in (-9..=9).filter(|attempt| *attempt != 0) {
        let inverse = -(limit as f32 + 0.1 * attempt as f32) / extreme;
        let Sums { xq, qq } = sums(inverse);
        if qq > 0.0 && xq * xq > best * qq {
            scale = xq / qq;
            best = scale * xq;
            best_inverse = inverse;
        }
    }
    for (stored, x) in quants.iter_mut().zip(x) {
        *stored = (limit + quant(best_inverse, *x)) as u8;
    }
    scale
}

/// The scale of quants from `-limit` to `limit - 1`, with squares as weights. The quants are stored plus `limit`.
///
/// Starts with the scale that makes the extreme element `-limit`. Then changes one quant at a time while that helps, in at
/// most five passes.
#[inline(always)]
pub(super) fn signed_scale_by_steps<const N: usize>(limit: i32, x: &[f32; N], quants: &mut [u8; N]) -> f32 {
    let extreme = extreme(x);
    if extreme.abs() < LEAST_MAGNITUDE {
        *quants = [0; N];
        return 0.0;
    }
    let inverse = -(limit as f32) / extreme;
    let mut sums = Sums::ZERO;
    for (stored, x) in quants.iter_mut().zip(x) {
        let quant = nearest(inverse * x).clamp(-limit, limit - 1);
        sums.add(x * x, *x, quant);
        *stored = (quant + limit) as u8;
    }
    for _ in 0..5 {
        let mut is_changed = false;
        for (stored, x) in quants.iter_mut().zip(x) {
            let weight = x * x;
            let old = i32::from(*stored) - limit;
            let mut others = sums.without(weight, *x, old);
            if others.xq > 0.0 {
                let quant = nearest(x * others.qq / others.xq).clamp(-limit, limit - 1);
                if quant != old {
                    others.add(weight, *x, quant);
                    if others.qq > 0.0 && others.is_better_than(sums) {
                        (sums, *stored) = (others, (quant + limit) as u8);
                        is_changed = true;
                    }
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    if sums.qq > 0.0 { sums.xq / sums.qq } else { 0.0 }
}

/// The scale of quants from 0 to `limit`.
///
/// Tries nine scales near the one that makes the greatest element `limit`. Then changes one quant at a time while that helps,
/// in at most five passes. A negative element has its quant modulo 256.
#[inline(always)]
pub(super) fn positive_scale<const N: usize>(
    limit: i32,
    x: &[f32; N],
    weights: &[f32; N],
    quants: &mut [u8; N],
) -> f32 {
    let greatest = x.iter().fold(0.0, |greatest, x| max(greatest, *x));
    if greatest < LEAST_MAGNITUDE {
        *quants = [0; N];
        return 0.0;
    }
    let mut inverse = limit as f32 / greatest;
    // The first attempt has no limit, but the range of a byte.
    let mut least_error = weighted_error(x, weights, 1.0 / inverse, |x| f32::from(nearest(inverse * x) as u8));
    for attempt in (-4..=4).filter(|attempt| *attempt != 0) {
        let other = (0.1 * attempt as f32 + limit as f32) / greatest;
        let error = weighted_error(x, weights, 1.0 / other, |x| nearest(other * x).min(limit) as f32);
        if error < least_error {
            (least_error, inverse) = (error, other);
        }
    }
    let mut sums = Sums::ZERO;
    for ((stored, x), weight) in quants.iter_mut().zip(x).zip(weights) {
        let quant = nearest(inverse * x).min(limit);
        sums.add(*weight, *x, quant);
        *stored = quant as u8;
    }
    for _ in 0..5 {
        let mut is_changed = false;
        for ((stored, x), weight) in quants.iter_mut().zip(x).zip(weights) {
            let mut others = sums.without(*weight, *x, i32::from(*stored));
            if others.xq > 0.0 && others.qq > 0.0 {
                let quant = nearest(x * others.qq / others.xq).min(limit);
                if quant != i32::from(*stored) {
                    others.add(*weight, *x, quant);
                    if others.is_better_than(sums) {
                        (sums, *stored) = (others, quant as u8);
                        is_changed = true;
                    }
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    if sums.qq > 0.0 { sums.xq / sums.qq } else { 0.0 }
}

#[inline(always)]
fn weighted_error<const N: usize>(x: &[f32; N], weights: &[f32; N], scale: f32, quant: impl Fn(f32) -> f32) -> f32 {
    x.iter().zip(weights).fold(0.0, |error, (x, weight)| {
        let difference = x - scale * quant(*x);
        error + weight * difference * difference
    })
}
