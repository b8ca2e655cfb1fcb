//! One and two bits with a scale, element after element from the lowest bits up.
//!
//! ```text
//! Q1_0   d f16 | qs 16 B     128   q ? d : -d
//! Q2_0   d f16 | qs 16 B      64   d × (q - 1)
//! ```

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn q1_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 128>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (out, byte) in out.as_chunks_mut::<8>().0.iter_mut().zip(bytes_at::<16>(block, 2)) {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = if byte >> i & 1 == 1 { d } else { -d };
                }
            }
        });
    }

    pub(crate) fn q2_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 64>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (out, byte) in out.as_chunks_mut::<4>().0.iter_mut().zip(bytes_at::<16>(block, 2)) {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = (f32::from(byte >> (2 * i) & 3) - 1.0) * d;
                }
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{
        COUNTER, counted_bytes, less_times, store_16, uppermost_bytes, zip_low_u8, zip_low_u16,
    };
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn q1_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<18, 128>(blocks, out, |block, out| {
            let d = f32x4_splat(f16_at(block, 0));
            for (qs, out) in bytes_at::<16>(block, 2).as_chunks().0.iter().zip(out.as_chunks_mut().0) {
                let qs = u32x4_splat(u32::from_le_bytes(*qs));
                let qs = zip_low_u8(qs, qs);
                four_bytes(zip_low_u16(qs, qs), d, out);
            }
        });
    }

    /// Four bytes, four times each.
    #[inline(always)]
    fn four_bytes(qs: v128, d: v128, out: &mut [f32; 32]) {
        let out = out.as_chunks_mut().0;
        two_bytes(i32x4_shuffle::<0, 0, 1, 1>(qs, qs), d, &mut out[0]);
        two_bytes(i32x4_shuffle::<2, 2, 3, 3>(qs, qs), d, &mut out[1]);
    }

    /// Two bytes, eight times each.
    #[inline(always)]
    fn two_bytes(qs: v128, d: v128, out: &mut [f32; 16]) {
        let bits = u64x2_splat(0x8040_2010_0804_0201);
        let clear = i8x16_eq(v128_and(qs, bits), i8x16_splat(0));
        let [s, t, u, v] = uppermost_bytes(v128_and(clear, u8x16_splat(0x80)));
        store_16(out, [v128_xor(s, d), v128_xor(t, d), v128_xor(u, d), v128_xor(v, d)]);
    }

    pub(crate) fn q2_0(blocks: &[u8], out: &mut [f32]) {
        let shares = f32x4(1.0, 1.0 / 4.0, 1.0 / 16.0, 1.0 / 64.0);
        for_each_block::<18, 64>(blocks, out, |block, out| {
            let (scales, out) = (f32x4_mul(f32x4_splat(f16_at(block, 0)), shares), out.as_chunks_mut().0);
            let [a, b, c, d] = counted_bytes(load(bytes_at(block, 2)));
            four_fours(a, scales, &mut out[0]);
            four_fours(b, scales, &mut out[1]);
            four_fours(c, scales, &mut out[2]);
            four_fours(d, scales, &mut out[3]);
        });
    }

    /// Four bytes of four numbers, each with its bits at a factor, which the scales make up for.
    #[inline(always)]
    fn four_fours(qs: v128, scales: v128, out: &mut [f32; 16]) {
        let mask = u32x4(COUNTER | 3, COUNTER | 3 << 2, COUNTER | 3 << 4, COUNTER | 3 << 6);
        let one = u32x4(COUNTER | 1, COUNTER | 1 << 2, COUNTER | 1 << 4, COUNTER | 1 << 6);
        let qs = [
            v128_and(i32x4_shuffle::<0, 0, 0, 0>(qs, qs), mask),
            v128_and(i32x4_shuffle::<1, 1, 1, 1>(qs, qs), mask),
            v128_and(i32x4_shuffle::<2, 2, 2, 2>(qs, qs), mask),
            v128_and(i32x4_shuffle::<3, 3, 3, 3>(qs, qs), mask),
        ];
        store_16(out, less_times(qs, one, scales));
    }
}
