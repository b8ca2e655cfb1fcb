//! The first quantised types: blocks of 32 with a scale, and an offset for some.
//!
//! ```text
//! Q4_0   d f16         | qs 16 B              d × (q - 8)
//! Q4_1   d f16 | m f16 | qs 16 B              d × q + m
//! Q5_0   d f16         | qh u32 | qs 16 B     d × (q - 16)
//! Q5_1   d f16 | m f16 | qh u32 | qs 16 B     d × q + m
//! Q8_0   d f16         | qs 32 i8             d × q
//! Q8_1   d f16 | s f16 | qs 32 i8             d × q; s = d × the sum of all q, for dot products
//! ```
//!
//! The low four bits of `qs[i]` are those of element `i`, the high ones those of element `i + 16`. Bit `i` of `qh` is
//! the fifth of element `i`.

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

    pub(crate) fn q4_1(blocks: &[u8], out: &mut [f32]) {
        each::<20, 32>(blocks, out, |block, out| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            for (i, q) in field::<16>(block, 4).iter().enumerate() {
                out[i] = i32::from(q & 15) as f32 * d + m;
                out[i + 16] = i32::from(q >> 4) as f32 * d + m;
            }
        });
    }

    pub(crate) fn q5_0(blocks: &[u8], out: &mut [f32]) {
        each::<22, 32>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            let q = five_bits(field(block, 2), field(block, 6));
            for (out, q) in out.iter_mut().zip(q) {
                *out = (i32::from(q) - 16) as f32 * d;
            }
        });
    }

    pub(crate) fn q5_1(blocks: &[u8], out: &mut [f32]) {
        each::<24, 32>(blocks, out, |block, out| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            let q = five_bits(field(block, 4), field(block, 8));
            for (out, q) in out.iter_mut().zip(q) {
                *out = i32::from(q) as f32 * d + m;
            }
        });
    }

    #[inline(always)]
    fn five_bits(qh: &[u8; 4], qs: &[u8; 16]) -> [u8; 32] {
        let qh = u32::from_le_bytes(*qh);
        core::array::from_fn(|i| {
            let low = if i < 16 { qs[i] & 15 } else { qs[i - 16] >> 4 };
            low | (qh >> i << 4) as u8 & 16
        })
    }

    pub(crate) fn q8_0(blocks: &[u8], out: &mut [f32]) {
        each::<34, 32>(blocks, out, |block, out| bytes(f16_at(block, 0), field(block, 2), out));
    }

    pub(crate) fn q8_1(blocks: &[u8], out: &mut [f32]) {
        each::<36, 32>(blocks, out, |block, out| bytes(f16_at(block, 0), field(block, 4), out));
    }

    #[inline(always)]
    fn bytes(d: f32, qs: &[u8; 32], out: &mut [f32; 32]) {
        for (out, q) in out.iter_mut().zip(qs) {
            *out = f32::from(q.cast_signed()) * d;
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    pub(crate) use super::scalar::{q8_0, q8_1};
    use crate::quant::half::f16_at;
    use crate::quant::mem::{load, load_wide, store};
    use crate::quant::vector::{floats, zip_high_u8, zip_low_u8, zip_low_u16};
    use crate::quant::{each, field};

    pub(crate) fn q4_0(blocks: &[u8], out: &mut [f32]) {
        each::<18, 32>(blocks, out, |block, out| {
            let d = f32x4_splat(f16_at(block, 0));
            four_bits(field(block, 2), 8, out, |q| f32x4_mul(q, d));
        });
    }

    pub(crate) fn q4_1(blocks: &[u8], out: &mut [f32]) {
        each::<20, 32>(blocks, out, |block, out| {
            let (d, m) = (f32x4_splat(f16_at(block, 0)), f32x4_splat(f16_at(block, 2)));
            four_bits(field(block, 4), 0, out, |q| f32x4_add(f32x4_mul(q, d), m));
        });
    }

    #[inline(always)]
    fn four_bits(qs: &[u8; 16], less: u16, out: &mut [f32; 32], to_float: impl Fn(v128) -> v128) {
        let (low, high) = out.split_at_mut(16);
        let (low, high) = (low.as_chunks_mut::<4>().0, high.as_chunks_mut::<4>().0);
        for (i, qs) in qs.as_chunks::<8>().0.iter().enumerate() {
            let qs = load_wide(qs);
            let [a, b] = floats(v128_and(qs, u16x8_splat(15)), less);
            store(&mut low[2 * i], to_float(a));
            store(&mut low[2 * i + 1], to_float(b));
            let [a, b] = floats(u16x8_shr(qs, 4), less);
            store(&mut high[2 * i], to_float(a));
            store(&mut high[2 * i + 1], to_float(b));
        }
    }

    pub(crate) fn q5_0(blocks: &[u8], out: &mut [f32]) {
        each::<22, 32>(blocks, out, |block, out| {
            let d = f32x4_splat(f16_at(block, 0));
            five_bits(field(block, 2), field(block, 6), 16, out, |q| f32x4_mul(q, d));
        });
    }

    pub(crate) fn q5_1(blocks: &[u8], out: &mut [f32]) {
        each::<24, 32>(blocks, out, |block, out| {
            let (d, m) = (f32x4_splat(f16_at(block, 0)), f32x4_splat(f16_at(block, 2)));
            five_bits(field(block, 4), field(block, 8), 0, out, |q| f32x4_add(f32x4_mul(q, d), m));
        });
    }

    #[inline(always)]
    fn five_bits(qh: &[u8; 4], qs: &[u8; 16], less: u16, out: &mut [f32; 32], to_float: impl Fn(v128) -> v128) {
        let qh = u32x4_splat(u32::from_le_bytes(*qh));
        let qh = zip_low_u8(qh, qh);
        let qh = zip_low_u16(qh, qh);
        let bits = u64x2_splat(0x8040_2010_0804_0201);
        let qs = load(qs);
        let halves = [
            (v128_and(qs, u8x16_splat(15)), i32x4_shuffle::<0, 0, 1, 1>(qh, qh)),
            (v128_and(u16x8_shr(qs, 4), u8x16_splat(15)), i32x4_shuffle::<2, 2, 3, 3>(qh, qh)),
        ];
        let out = out.as_chunks_mut::<4>().0;
        for (half, (q, qh)) in halves.into_iter().enumerate() {
            let fifth = v128_and(u8x16_eq(v128_and(qh, bits), bits), u8x16_splat(16));
            let q = v128_or(q, fifth);
            let z = u8x16_splat(0);
            for (i, q) in [zip_low_u8(q, z), zip_high_u8(q, z)].into_iter().enumerate() {
                let [a, b] = floats(q, less);
                store(&mut out[half * 4 + i * 2], to_float(a));
                store(&mut out[half * 4 + i * 2 + 1], to_float(b));
            }
        }
    }
}
