//! The extreme elements of a block or of a part.

use_scalar_or_simd128!();

/// The greatest element above 0; 0 if there is none.
#[inline(always)]
pub(super) fn greatest(elements: &[f32]) -> f32 {
    elements.iter().fold(0.0, |greatest, element| if *element > greatest { *element } else { greatest })
}

/// C's `MAX`, which gives the second number if one is NaN.
#[inline(always)]
pub(super) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::max;

    /// The first element with the greatest magnitude; 0 if all are 0.
    #[inline(always)]
    pub(crate) fn extreme<const N: usize>(elements: &[f32; N]) -> f32 {
        let (mut magnitude, mut extreme) = (0.0, 0.0);
        for element in elements {
            if element.abs() > magnitude {
                (magnitude, extreme) = (element.abs(), *element);
            }
        }
        extreme
    }

    /// The greatest magnitude.
    #[inline(always)]
    pub(crate) fn greatest_magnitude<const N: usize>(elements: &[f32; N]) -> f32 {
        elements.iter().fold(0.0, |greatest, element| max(greatest, element.abs()))
    }

    /// The least and the greatest element: of equal ones, the first.
    #[inline(always)]
    pub(crate) fn range<const N: usize>(elements: &[f32; N]) -> (f32, f32) {
        let (mut min, mut max) = (f32::MAX, f32::MIN);
        for element in elements {
            if *element < min {
                min = *element;
            }
            if *element > max {
                max = *element;
            }
        }
        (min, max)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::scalar;
    use crate::tensor::quant::quantizers::lanes::{load_16, map};

    /// The first element with the greatest magnitude; 0 if all are 0.
    #[inline(always)]
    pub(crate) fn extreme<const N: usize>(elements: &[f32; N]) -> f32 {
        if N.is_multiple_of(16) {
            let (least, greatest) = range_without_order(elements);
            if greatest > -least {
                return greatest;
            }
            if greatest < -least {
                return least;
            }
        }
        scalar::extreme(elements)
    }

    /// The greatest magnitude.
    #[inline(always)]
    pub(crate) fn greatest_magnitude<const N: usize>(x: &[f32; N]) -> f32 {
        const { assert!(N.is_multiple_of(16)) };
        let mut greatest = f32x4_splat(0.0);
        for x in x.as_chunks().0 {
            let [a, b, c, d] = map(load_16(x), |x| f32x4_abs(x));
            greatest = f32x4_pmax(greatest, f32x4_pmax(f32x4_pmax(a, b), f32x4_pmax(c, d)));
        }
        across(greatest, |a, b| f32x4_pmax(a, b))
    }

    /// The least and the greatest element: of equal ones, the first.
    #[inline(always)]
    pub(crate) fn range<const N: usize>(elements: &[f32; N]) -> (f32, f32) {
        let (least, greatest) = range_without_order(elements);
        // Only zeros are equal and have different bits.
        if least == 0.0 || greatest == 0.0 { scalar::range(elements) } else { (least, greatest) }
    }

    /// The least and the greatest element. A zero may have any sign. `N` is a multiple of 16.
    ///
    /// An element that is NaN counts as little as in `scalar`: scales are NaN if sums overflow. `f32x4_pmin` gives its first operand
    /// if one is NaN, and the first operand is never NaN here.
    #[inline(always)]
    fn range_without_order<const N: usize>(x: &[f32; N]) -> (f32, f32) {
        let (mut least, mut greatest) = ([f32x4_splat(f32::MAX); 4], [f32x4_splat(f32::MIN); 4]);
        for x in x.as_chunks().0 {
            let x = load_16(x);
            for i in 0..4 {
                least[i] = f32x4_pmin(least[i], x[i]);
                greatest[i] = f32x4_pmax(greatest[i], x[i]);
            }
        }
        let ([a, b, c, d], [e, f, g, h]) = (least, greatest);
        let least = f32x4_pmin(f32x4_pmin(a, b), f32x4_pmin(c, d));
        let greatest = f32x4_pmax(f32x4_pmax(e, f), f32x4_pmax(g, h));
        (across(least, |a, b| f32x4_pmin(a, b)), across(greatest, |a, b| f32x4_pmax(a, b)))
    }

    /// Combines the four lanes.
    #[inline(always)]
    fn across(vector: v128, combine: impl Fn(v128, v128) -> v128) -> f32 {
        let halves = combine(vector, i64x2_shuffle::<1, 0>(vector, vector));
        f32x4_extract_lane::<0>(combine(halves, i32x4_shuffle::<1, 0, 3, 2>(halves, halves)))
    }
}
