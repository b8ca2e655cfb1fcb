//! The quants of a part for the scale and the offset that are stored.

use_scalar_or_simd128!();

#[cfg(not(target_feature = "simd128"))]
mod scalar {
    use crate::tensor::quant::quantizers::rounding::nearest;

    /// The integers that are nearest to (x + offset) / scale, clamped. They are stored minus `least`.
    #[inline(always)]
    pub(crate) fn requantize<const N: usize>(
        x: &[f32; N],
        offset: f32,
        scale: f32,
        [least, greatest]: [i32; 2],
    ) -> [u8; N] {
        x.map(|x| (nearest((x + offset) / scale).clamp(least, greatest) - least) as u8)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::mem::store_bytes;
    use crate::tensor::quant::quantizers::lanes::{clamp, load_16, map, nearest, signed_bytes};

    /// The integers that are nearest to (x + offset) / scale, clamped. They are stored minus `least`.
    #[inline(always)]
    pub(crate) fn requantize<const N: usize>(
        x: &[f32; N],
        offset: f32,
        scale: f32,
        [least, greatest]: [i32; 2],
    ) -> [u8; N] {
        const { assert!(N.is_multiple_of(16)) };
        let (offset, scale) = (f32x4_splat(offset), f32x4_splat(scale));
        let quant = |x| clamp(nearest(f32x4_div(f32x4_add(x, offset), scale)), least, greatest);
        let mut quants = [0; N];
        for (quants, x) in quants.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
            store_bytes(quants, i8x16_sub(signed_bytes(map(load_16(x), quant)), i8x16_splat(least as i8)));
        }
        quants
    }
}
