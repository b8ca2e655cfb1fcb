//! The weights of the errors of elements.

use_scalar_or_simd128!();

/// The weight of each element's error: its square.
#[inline(always)]
pub(super) fn squares<const N: usize>(elements: &[f32; N]) -> [f32; N] {
    elements.map(|element| element * element)
}

/// The weights of the errors of all parts. Without importance, `without` computes them.
#[inline(always)]
pub(super) fn weights_of_parts<const N: usize, const COUNT: usize>(
    parts: &[[f32; N]; COUNT],
    importance: Option<&[[f32; N]; COUNT]>,
    variance: f32,
    without: impl Fn(&[f32; N]) -> [f32; N],
) -> [[f32; N]; COUNT] {
    let mut all = [[0.0; N]; COUNT];
    for (part, of_part) in all.iter_mut().enumerate() {
        *of_part = match importance {
            Some(importance) => weights(&parts[part], &importance[part], variance),
            None => without(&parts[part]),
        };
    }
    all
}

/// The weights of the errors of a part. Without importance, `without` computes them.
#[inline(always)]
pub(super) fn part_weights<const N: usize>(
    elements: &[f32; N],
    part: usize,
    importance: Option<&[f32; 256]>,
    variance: f32,
    without: impl FnOnce(&[f32; N]) -> [f32; N],
) -> [f32; N] {
    match importance {
        Some(importance) => weights(elements, &importance.as_chunks().0[part], variance),
        None => without(elements),
    }
}

#[cfg(not(target_feature = "simd128"))]
mod scalar {
    use crate::tensor::quant::quantizers::rounding::square_root;

    /// The weight of each element's error, by its importance and its magnitude. `variance` is that of the row or of the block,
    /// or twice that.
    #[inline(always)]
    pub(crate) fn weights<const N: usize>(elements: &[f32; N], importance: &[f32; N], variance: f32) -> [f32; N] {
        core::array::from_fn(|i| importance[i] * square_root(variance + elements[i] * elements[i]))
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::mem::{load_floats, store};

    /// The weight of each element's error, by its importance and its magnitude. `variance` is that of the row or of the block,
    /// or twice that.
    #[inline(always)]
    pub(crate) fn weights<const N: usize>(elements: &[f32; N], importance: &[f32; N], variance: f32) -> [f32; N] {
        const { assert!(N.is_multiple_of(4)) };
        let mut weights = [0.0; N];
        let (elements, importance, variance) =
            (elements.as_chunks().0, importance.as_chunks().0, f32x4_splat(variance));
        for (i, weights) in weights.as_chunks_mut().0.iter_mut().enumerate() {
            let x = load_floats(&elements[i]);
            let root = f32x4_sqrt(f32x4_add(variance, f32x4_mul(x, x)));
            store(weights, f32x4_mul(load_floats(&importance[i]), root));
        }
        weights
    }
}
