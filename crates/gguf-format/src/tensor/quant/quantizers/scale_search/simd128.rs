//! The search for signed scales, of four parts at once.

use core::arch::wasm32::*;

use crate::tensor::quant::quantizers::block::LEAST_MAGNITUDE;
use crate::tensor::quant::quantizers::lanes::{floats, put_column, transpose};

/// The scales and the quants of `signed_scale` for each part.
#[inline(always)]
pub(crate) fn signed_scales<const N: usize, const COUNT: usize>(
    limit: i32,
    x: &[[f32; N]; COUNT],
    weights: &[[f32; N]; COUNT],
) -> ([f32; COUNT], [[u8; N]; COUNT]) {
    const { assert!(COUNT.is_multiple_of(4)) };
    let (mut scales, mut quants) = ([0.0; COUNT], [[0; N]; COUNT]);
    for i in 0..COUNT / 4 {
        let search = Search::new(limit, &x.as_chunks().0[i], &weights.as_chunks().0[i]);
        scales.as_chunks_mut().0[i] = search.run(&mut quants.as_chunks_mut().0[i]);
    }
    (scales, quants)
}

/// The parts of a search. A vector has one element of each.
struct Search<const N: usize> {
    limit: f32,
    x: [v128; N],
    weights: [v128; N],
    /// Weight × x.
    products: [v128; N],
    /// The first element with the greatest magnitude.
    extreme: v128,
}

/// Σ w x q and Σ w q².
type Sums = (v128, v128);

impl<const N: usize> Search<N> {
    #[inline(always)]
    fn new(limit: i32, x: &[[f32; N]; 4], weights: &[[f32; N]; 4]) -> Self {
        let (x, weights, zero) = (transpose(x), transpose(weights), f32x4_splat(0.0));
        let (mut products, mut magnitude, mut extreme) = ([zero; N], zero, zero);
        for ((product, x), weight) in products.iter_mut().zip(x).zip(weights) {
            *product = f32x4_mul(weight, x);
            extreme = v128_bitselect(x, extreme, f32x4_gt(f32x4_abs(x), magnitude));
            magnitude = f32x4_pmax(magnitude, f32x4_abs(x));
        }
        Self { limit: limit as f32, x, weights, products, extreme }
    }

    #[inline(always)]
    fn run(&self, quants: &mut [[u8; N]; 4]) -> [f32; 4] {
        let zero = f32x4_splat(0.0);
        let inverse = |attempt: i32| f32x4_div(f32x4_splat(-(self.limit + 0.1 * attempt as f32)), self.extreme);
        let mut best_inverse = inverse(0);
        // The first scale is compared with none.
        let [(xq, qq), _] = self.sums([best_inverse; 2]);
        let mut scale = v128_andnot(f32x4_div(xq, qq), f32x4_eq(qq, zero));
        let mut best = f32x4_mul(scale, xq);
        let mut compare = |inverse: v128, (xq, qq): Sums| {
            let is_better = v128_and(f32x4_gt(qq, zero), f32x4_gt(f32x4_mul(xq, xq), f32x4_mul(best, qq)));
            scale = v128_bitselect(f32x4_div(xq, qq), scale, is_better);
            best = v128_bitselect(f32x4_mul(scale, xq), best, is_better);
            best_inverse = v128_bitselect(inverse, best_inverse, is_better);
        };
        for attempts in [[-9, -8], [-7, -6], [-5, -4], [-3, -2], [-1, 1], [2, 3], [4, 5], [6, 7], [8, 9]] {
            let inverses = attempts.map(inverse);
            let [first, second] = self.sums(inverses);
            compare(inverses[0], first);
            compare(inverses[1], second);
        }
        let is_part = f32x4_ge(f32x4_abs(self.extreme), f32x4_splat(LEAST_MAGNITUDE));
        for (i, x) in self.x.iter().enumerate() {
            let quant = f32x4_add(self.quant(best_inverse, *x), f32x4_splat(self.limit));
            put_column(quants, i, v128_and(i32x4_trunc_sat_f32x4(quant), is_part));
        }
        floats(v128_and(scale, is_part))
    }

    /// The quants as floats. No product is far from the limit, so a sum of floats rounds it to the nearest integer.
    #[inline(always)]
    fn quant(&self, inverse: v128, x: v128) -> v128 {
        // 1.5 × 2²³.
        let magic = f32x4_splat(12_582_912.0);
        let nearest = f32x4_sub(f32x4_add(f32x4_mul(inverse, x), magic), magic);
        f32x4_pmin(f32x4_pmax(nearest, f32x4_splat(-self.limit)), f32x4_splat(self.limit - 1.0))
    }

    /// The sums for two scales.
    #[inline(always)]
    fn sums(&self, [a, b]: [v128; 2]) -> [Sums; 2] {
        let zero = f32x4_splat(0.0);
        let (mut first, mut second) = ((zero, zero), (zero, zero));
        for ((x, weight), product) in self.x.iter().zip(&self.weights).zip(&self.products) {
            let add = |(xq, qq): &mut Sums, inverse: v128| {
                let quant = self.quant(inverse, *x);
                *xq = f32x4_add(*xq, f32x4_mul(*product, quant));
                *qq = f32x4_add(*qq, f32x4_mul(f32x4_mul(*weight, quant), quant));
            };
            add(&mut first, a);
            add(&mut second, b);
        }
        [first, second]
    }
}
