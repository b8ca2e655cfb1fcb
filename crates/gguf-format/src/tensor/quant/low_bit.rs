//! Types with one or two bits for an element, and a scale. The first element has the lowest bits.
//!
//! ```text
//! type   block               elements   an element, by its quant q
//! Q1_0   d f16 | qs 16 B     128        q = 1: d; q = 0: -d
//! Q2_0   d f16 | qs 16 B      64        (q - 1) × d
//! ```

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn q1_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 128>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (elements, byte) in elements.as_chunks_mut::<8>().0.iter_mut().zip(bytes_at::<16>(block, 2)) {
                for (i, element) in elements.iter_mut().enumerate() {
                    *element = if byte >> i & 1 == 1 { d } else { -d };
                }
            }
        });
    }

    pub(crate) fn q2_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 64>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (elements, byte) in elements.as_chunks_mut::<4>().0.iter_mut().zip(bytes_at::<16>(block, 2)) {
                for (i, element) in elements.iter_mut().enumerate() {
                    *element = (f32::from(byte >> (2 * i) & 3) - 1.0) * d;
                }
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{BIAS, F32x16, bits_as_bytes};

    pub(crate) fn q1_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 128>(blocks, elements, |block, elements| {
            let d = f32x4_splat(f16_at(block, 0));
            let qs = bytes_at::<16>(block, 2).as_chunks().0;
            for (qs, elements) in qs.iter().zip(elements.as_chunks_mut::<32>().0) {
                let elements = elements.as_chunks_mut().0;
                let [first, last] = bits_as_bytes(u32::from_le_bytes(*qs));
                store_signed(d, first, &mut elements[0]);
                store_signed(d, last, &mut elements[1]);
            }
        });
    }

    /// Stores d for bytes that are 0xff, and -d for bytes that are 0.
    #[inline(always)]
    fn store_signed(d: v128, bytes: v128, elements: &mut [f32; 16]) {
        let signs = F32x16::from_high_bytes(v128_andnot(u8x16_splat(0x80), bytes));
        signs.map(|sign| v128_xor(sign, d)).store(elements);
    }

    pub(crate) fn q2_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 64>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            let scales = f32x4(d, d / 4.0, d / 16.0, d / 64.0);
            let bytes = F32x16::biased_u8(load(bytes_at(block, 2))).into_vectors();
            let elements = elements.as_chunks_mut().0;
            store_four_bytes(bytes[0], scales, &mut elements[0]);
            store_four_bytes(bytes[1], scales, &mut elements[1]);
            store_four_bytes(bytes[2], scales, &mut elements[2]);
            store_four_bytes(bytes[3], scales, &mut elements[3]);
        });
    }

    /// Stores the elements of four bytes, which are biased integers. The quants of a byte stay at their bits, so they are
    /// 1, 4, 16 and 64 times as large. The scales make up for that, exactly.
    #[inline(always)]
    fn store_four_bytes(bytes: v128, scales: v128, elements: &mut [f32; 16]) {
        let mask = u32x4(BIAS | 3, BIAS | 3 << 2, BIAS | 3 << 4, BIAS | 3 << 6);
        let one = u32x4(BIAS | 1, BIAS | 1 << 2, BIAS | 1 << 4, BIAS | 1 << 6);
        let quants = F32x16::new([
            i32x4_shuffle::<0, 0, 0, 0>(bytes, bytes),
            i32x4_shuffle::<1, 1, 1, 1>(bytes, bytes),
            i32x4_shuffle::<2, 2, 2, 2>(bytes, bytes),
            i32x4_shuffle::<3, 3, 3, 3>(bytes, bytes),
        ]);
        (((quants & mask) - one) * scales).store(elements);
    }
}
