//! The first quantised types: blocks of 32 with a scale, and an offset for some.
//!
//! ```text
//! Q4_0   d f16 | qs 16 B                    d × (q - 8)
//! ```
//!
//! The low four bits of `qs[i]` are element `i`, the high ones element `i + 16`.

#[cfg(not(target_feature = "simd128"))]
pub(crate) use scalar::*;
#[cfg(target_feature = "simd128")]
pub(crate) use simd128::*;

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference, and for types without a faster one"))]
mod scalar {
    use crate::quant::half::f16_at;
    use crate::quant::{each, field};

    pub(crate) fn q4_0(blocks: &[u8], out: &mut [f32]) {
        each::<18, 32>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (i, q) in field::<16>(block, 2).iter().enumerate() {
                out[i] = (i32::from(q & 15) - 8) as f32 * d;
                out[i + 16] = (i32::from(q >> 4) - 8) as f32 * d;
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::quant::half::f16_at;
    use crate::quant::mem::{load, store};
    use crate::quant::{each, field};

    pub(crate) fn q4_0(blocks: &[u8], out: &mut [f32]) {
        // Integers up to 256 have no more than the upper 16 bits of an f32: a table of these for each of the 16 quants,
        // upper and lower bytes apart.
        each::<18, 32>(blocks, out, |block, out| {
            let d = f32x4_splat(f16_at(block, 0));
            let q = load(field(block, 2));
            let out = out.as_chunks_mut::<4>().0;
            let upper = i8x16(-63, -64, -64, -64, -64, -64, -64, -65, 0, 63, 64, 64, 64, 64, 64, 64);
            let lower = i8x16(0, -32, -64, -96, -128, 64, 0, -128, 0, -128, 0, 64, -128, -96, -64, -32);
            for (half, q) in [v128_and(q, u8x16_splat(15)), u8x16_shr(q, 4)].into_iter().enumerate() {
                let (upper, lower) = (i8x16_swizzle(upper, q), i8x16_swizzle(lower, q));
                let zero = i8x16_splat(0);
                let a = i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(lower, upper);
                let b = i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(lower, upper);
                for (i, v) in [a, b].into_iter().enumerate() {
                    let low = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, v);
                    let high = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, v);
                    store(&mut out[half * 4 + i * 2], f32x4_mul(low, d));
                    store(&mut out[half * 4 + i * 2 + 1], f32x4_mul(high, d));
                }
            }
        });
    }
}

pub(crate) fn q4_1(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q5_0(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q5_1(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q8_0(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn q8_1(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
