//! Tables of 16 levels: a quant of four bits is the index of an integer.

#[cfg(target_feature = "simd128")]
pub(super) use simd128::LevelTable;

/// Looks up the levels of the low and of the high four bits of bytes, and multiplies them by the scale.
#[inline(always)]
#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the scalar kernels use it"))]
pub(super) fn scaled_levels(levels: &[i8; 16], scale: f32, qs: &[u8], low: &mut [f32], high: &mut [f32]) {
    for ((q, low), high) in qs.iter().zip(low).zip(high) {
        *low = f32::from(levels[usize::from(q & 15)]) * scale;
        *high = f32::from(levels[usize::from(q >> 4)]) * scale;
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{F32x16, zip_high_u8, zip_low_u8};

    /// The two high bytes of each level as an `f32`. The two low bytes of an `f32` that is an 8-bit integer are zero.
    pub(in crate::tensor::quant) struct LevelTable {
        first_bytes: [u8; 16],
        second_bytes: [u8; 16],
    }

    impl LevelTable {
        pub(in crate::tensor::quant) const fn new(levels: &[i8; 16]) -> Self {
            let mut table = Self { first_bytes: [0; 16], second_bytes: [0; 16] };
            let mut i = 0;
            while i < 16 {
                [table.first_bytes[i], table.second_bytes[i], ..] = (levels[i] as f32).to_be_bytes();
                i += 1;
            }
            table
        }

        /// The levels of the low four bits of 16 bytes, and the levels of their high four bits.
        #[inline(always)]
        pub(in crate::tensor::quant) fn look_up(&self, qs: v128) -> [F32x16; 2] {
            let mask = u8x16_splat(15);
            [self.look_up_16(v128_and(qs, mask)), self.look_up_16(v128_and(u16x8_shr(qs, 4), mask))]
        }

        #[inline(always)]
        fn look_up_16(&self, indices: v128) -> F32x16 {
            let first = i8x16_swizzle(load(&self.first_bytes), indices);
            let second = i8x16_swizzle(load(&self.second_bytes), indices);
            F32x16::from_high_halves(zip_low_u8(second, first), zip_high_u8(second, first))
        }
    }
}
