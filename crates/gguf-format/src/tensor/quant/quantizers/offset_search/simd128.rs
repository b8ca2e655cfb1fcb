//! The search for scales and offsets, of four parts at once.

use core::arch::wasm32::*;

use super::{Attempts, FoundParts};
use crate::tensor::quant::quantizers::lanes::{clamp, floats, nearest, put_column, transpose};

/// What `scale_and_offset` finds for each part.
#[inline(always)]
pub(crate) fn scales_and_offsets<const N: usize, const COUNT: usize>(
    limit: i32,
    x: &[[f32; N]; COUNT],
    weights: &[[f32; N]; COUNT],
    attempts: &Attempts,
) -> FoundParts<N, COUNT> {
    const { assert!(COUNT.is_multiple_of(4)) };
    let mut found = FoundParts { scales: [0.0; COUNT], offsets: [0.0; COUNT], quants: [[0; N]; COUNT] };
    for i in 0..COUNT / 4 {
        let parts = Parts { limit, x: transpose(&x.as_chunks().0[i]), weights: transpose(&weights.as_chunks().0[i]) };
        let quants = &mut found.quants.as_chunks_mut().0[i];
        let (scales, offsets) = if attempts.is_by_magnitude {
            parts.search(attempts, |difference| f32x4_abs(difference), quants)
        } else {
            parts.search(attempts, |difference| f32x4_mul(difference, difference), quants)
        };
        found.scales.as_chunks_mut().0[i] = scales;
        found.offsets.as_chunks_mut().0[i] = offsets;
    }
    found
}

/// The parts of a search. A vector has one element of each.
struct Parts<const N: usize> {
    limit: i32,
    x: [v128; N],
    weights: [v128; N],
}

/// Sums over the elements, with their weights.
struct Sums {
    q: v128,
    qq: v128,
    xq: v128,
}

impl<const N: usize> Parts<N> {
    #[inline(always)]
    fn search(
        &self,
        attempts: &Attempts,
        size: impl Fn(v128) -> v128,
        stored: &mut [[u8; N]; 4],
    ) -> ([f32; 4], [f32; 4]) {
        let (zero, limit) = (f32x4_splat(0.0), self.limit as f32);
        let (mut min, mut max) = (self.x[0], self.x[0]);
        let mut sum_w = self.weights[0];
        let mut sum_x = f32x4_mul(sum_w, self.x[0]);
        for (x, weight) in self.x.iter().zip(&self.weights).skip(1) {
            min = f32x4_pmin(min, *x);
            max = f32x4_pmax(max, *x);
            sum_w = f32x4_add(sum_w, *weight);
            sum_x = f32x4_add(sum_x, f32x4_mul(*weight, *x));
        }
        min = f32x4_pmin(min, zero);
        // A part without a range has equal elements of 0 or less. Its scale and its quants are 0.
        let is_range = f32x4_gt(max, min);
        let offset_without_range = f32x4_neg(min);

        let mut quants = [zero; N];
        let inverse = f32x4_div(f32x4_splat(limit), f32x4_sub(max, min));
        self.quantize(inverse, min, false, &mut quants);
        let mut scale = f32x4_div(f32x4_splat(1.0), inverse);
        let mut least_error = self.error(&quants, scale, min, &size);
        // The quants of the best attempt follow from these two numbers.
        let (mut best_inverse, mut best_start, mut is_attempt) = (inverse, min, zero);
        for attempt in 0..=attempts.last {
            let range = f32x4_splat(attempts.first + attempts.step * attempt as f32 + limit);
            let inverse = f32x4_div(range, f32x4_sub(max, min));
            let sums = self.quantize(inverse, min, attempts.is_bounded, &mut quants);
            let determinant = f32x4_sub(f32x4_mul(sum_w, sums.qq), f32x4_mul(sums.q, sums.q));
            let over_determinant = |a: v128, b: v128| f32x4_div(f32x4_sub(a, b), determinant);
            let tried_scale = over_determinant(f32x4_mul(sum_w, sums.xq), f32x4_mul(sum_x, sums.q));
            let tried_min = over_determinant(f32x4_mul(sums.qq, sum_x), f32x4_mul(sums.q, sums.xq));
            let is_above_zero = f32x4_gt(tried_min, zero);
            let tried_min = v128_andnot(tried_min, is_above_zero);
            let tried_scale = v128_bitselect(f32x4_div(sums.xq, sums.qq), tried_scale, is_above_zero);
            let error = self.error(&quants, tried_scale, tried_min, &size);
            let is_better = v128_and(f32x4_gt(determinant, zero), f32x4_lt(error, least_error));
            least_error = v128_bitselect(error, least_error, is_better);
            scale = v128_bitselect(tried_scale, scale, is_better);
            best_inverse = v128_bitselect(inverse, best_inverse, is_better);
            best_start = v128_bitselect(min, best_start, is_better);
            is_attempt = v128_or(is_attempt, is_better);
            min = v128_bitselect(tried_min, min, is_better);
        }
        for (i, x) in self.x.iter().enumerate() {
            let mut quant = self.quant(best_inverse, best_start, *x);
            if attempts.is_bounded {
                quant = v128_bitselect(self.bounded_quant(best_inverse, best_start, *x), quant, is_attempt);
            }
            put_column(stored, i, v128_and(quant, is_range));
        }
        let offset = v128_bitselect(f32x4_neg(min), offset_without_range, is_range);
        (floats(v128_and(scale, is_range)), floats(offset))
    }

    #[inline(always)]
    fn quant(&self, inverse: v128, min: v128, x: v128) -> v128 {
        clamp(nearest(f32x4_mul(inverse, f32x4_sub(x, min))), 0, self.limit)
    }

    /// The quant of an attempt that is bounded.
    #[inline(always)]
    fn bounded_quant(&self, inverse: v128, min: v128, x: v128) -> v128 {
        let quant = f32x4_mul(inverse, f32x4_sub(x, min));
        // NaN is not greater than 0.
        let is_positive = f32x4_gt(quant, f32x4_splat(0.0));
        v128_and(nearest(f32x4_pmin(f32x4_splat(self.limit as f32), quant)), is_positive)
    }

    /// Sets the quants, as floats, and returns their sums.
    #[inline(always)]
    fn quantize(&self, inverse: v128, min: v128, is_bounded: bool, quants: &mut [v128; N]) -> Sums {
        let zero = f32x4_splat(0.0);
        let mut sums = Sums { q: zero, qq: zero, xq: zero };
        for ((quant, x), weight) in quants.iter_mut().zip(&self.x).zip(&self.weights) {
            let integer = if is_bounded { self.bounded_quant(inverse, min, *x) } else { self.quant(inverse, min, *x) };
            *quant = f32x4_convert_i32x4(integer);
            let weighted = f32x4_mul(*weight, *quant);
            sums.q = f32x4_add(sums.q, weighted);
            sums.qq = f32x4_add(sums.qq, f32x4_mul(weighted, *quant));
            sums.xq = f32x4_add(sums.xq, f32x4_mul(weighted, *x));
        }
        sums
    }

    #[inline(always)]
    fn error(&self, quants: &[v128; N], scale: v128, min: v128, size: &impl Fn(v128) -> v128) -> v128 {
        let mut error = f32x4_splat(0.0);
        for ((quant, x), weight) in quants.iter().zip(&self.x).zip(&self.weights) {
            let difference = f32x4_sub(f32x4_add(f32x4_mul(scale, *quant), min), *x);
            error = f32x4_add(error, f32x4_mul(*weight, size(difference)));
        }
        error
    }
}
