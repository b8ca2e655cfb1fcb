//! Sixteen levels: integers that four bits look up, for a scale to be multiplied with.

#[cfg(target_feature = "simd128")]
pub(super) use simd128::Planes;

/// The scaled levels that the low and the high halves of bytes look up.
#[inline(always)]
#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "for the reference"))]
pub(super) fn scaled(levels: &[i8; 16], scale: f32, qs: &[u8], low: &mut [f32], high: &mut [f32]) {
    for ((q, low), high) in qs.iter().zip(low).zip(high) {
        *low = f32::from(levels[usize::from(q & 15)]) * scale;
        *high = f32::from(levels[usize::from(q >> 4)]) * scale;
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{upper_halves, zip_high_u8, zip_low_u8};

    /// The two upper bytes of each level as an `f32`; integers of eight bits leave the lower two zero.
    pub(in crate::tensor::quant) struct Planes {
        top: [u8; 16],
        second: [u8; 16],
    }

    impl Planes {
        pub(in crate::tensor::quant) const fn of(levels: &[i8; 16]) -> Self {
            let mut planes = Self { top: [0; 16], second: [0; 16] };
            let mut i = 0;
            while i < 16 {
                [planes.top[i], planes.second[i], ..] = (levels[i] as f32).to_be_bytes();
                i += 1;
            }
            planes
        }

        /// The levels that the low halves of 16 bytes look up, and those that the high halves do.
        #[inline(always)]
        pub(in crate::tensor::quant) fn look_up(&self, qs: v128) -> [[v128; 4]; 2] {
            let nibble = u8x16_splat(15);
            [self.numbered(v128_and(qs, nibble)), self.numbered(v128_and(u16x8_shr(qs, 4), nibble))]
        }

        #[inline(always)]
        fn numbered(&self, q: v128) -> [v128; 4] {
            let (top, second) = (i8x16_swizzle(load(&self.top), q), i8x16_swizzle(load(&self.second), q));
            upper_halves(zip_low_u8(second, top), zip_high_u8(second, top))
        }
    }
}
