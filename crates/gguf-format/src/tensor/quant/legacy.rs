//! The first quantized types: blocks of 32 elements with a scale `d`, and with an offset `m` in some types.
//!
//! ```text
//! type   block                                 an element, by its quant q
//! Q4_0   d f16         | qs 16 B               (q - 8) × d
//! Q4_1   d f16 | m f16 | qs 16 B               q × d + m
//! Q5_0   d f16         | qh u32 | qs 16 B      (q - 16) × d
//! Q5_1   d f16 | m f16 | qh u32 | qs 16 B      q × d + m
//! Q8_0   d f16         | qs 32 × i8            q × d
//! Q8_1   d f16 | s f16 | qs 32 × i8            q × d; s = d × the sum of all q, which dot products need
//! ```
//!
//! Byte i of a `qs` of 16 bytes has four bits of two quants: its low bits belong to element i, its high bits to element
//! i + 16. Bit i of `qh` is the fifth bit of the quant of element i.

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn q4_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 32>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (i, q) in bytes_at::<16>(block, 2).iter().enumerate() {
                elements[i] = (i32::from(q & 15) - 8) as f32 * d;
                elements[i + 16] = (i32::from(q >> 4) - 8) as f32 * d;
            }
        });
    }

    pub(crate) fn q4_1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<20, 32>(blocks, elements, |block, elements| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            for (i, q) in bytes_at::<16>(block, 4).iter().enumerate() {
                elements[i] = f32::from(q & 15) * d + m;
                elements[i + 16] = f32::from(q >> 4) * d + m;
            }
        });
    }

    pub(crate) fn q5_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<22, 32>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            let quants = five_bit_quants(bytes_at(block, 2), bytes_at(block, 6));
            for (element, q) in elements.iter_mut().zip(quants) {
                *element = (i32::from(q) - 16) as f32 * d;
            }
        });
    }

    pub(crate) fn q5_1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            let quants = five_bit_quants(bytes_at(block, 4), bytes_at(block, 8));
            for (element, q) in elements.iter_mut().zip(quants) {
                *element = f32::from(q) * d + m;
            }
        });
    }

    #[inline(always)]
    fn five_bit_quants(qh: &[u8; 4], qs: &[u8; 16]) -> [u8; 32] {
        let qh = u32::from_le_bytes(*qh);
        core::array::from_fn(|i| {
            let low = if i < 16 { qs[i] & 15 } else { qs[i - 16] >> 4 };
            low | ((qh >> i & 1) << 4) as u8
        })
    }

    pub(crate) fn q8_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<34, 32>(blocks, elements, |block, elements| {
            eight_bit_elements(f16_at(block, 0), bytes_at(block, 2), elements);
        });
    }

    pub(crate) fn q8_1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<36, 32>(blocks, elements, |block, elements| {
            eight_bit_elements(f16_at(block, 0), bytes_at(block, 4), elements);
        });
    }

    #[inline(always)]
    fn eight_bit_elements(d: f32, qs: &[u8; 32], elements: &mut [f32; 32]) {
        for (element, q) in elements.iter_mut().zip(qs) {
            *element = f32::from(q.cast_signed()) * d;
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::float16::{f16_at, widen_f16};
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{F32x16, biased, bits_as_bytes, zip_high_u8, zip_low_u8};

    pub(crate) fn q4_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<18, 32>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            let [low, high] = four_bit_quants(bytes_at(block, 2));
            store_32(
                elements,
                (low - f32x4_splat(8.0)) * f32x4_splat(d),
                (high - biased(16 * 8)) * f32x4_splat(d / 16.0),
            );
        });
    }

    pub(crate) fn q4_1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<20, 32>(blocks, elements, |block, elements| {
            let (d, m) = (f16_at(block, 0), f32x4_splat(f16_at(block, 2)));
            let [low, high] = four_bit_quants(bytes_at(block, 4));
            store_32(elements, low * f32x4_splat(d) + m, (high - biased(0)) * f32x4_splat(d / 16.0) + m);
        });
    }

    /// The quants in the low four bits as floats, and 16 times those in the high four bits as biased integers.
    ///
    /// Both are taken from the same biased bytes, which is faster than to split the bytes and widen each part. The scale
    /// for the high quants is d / 16. It is exact, because the exponent of an f16 is far from the lowest of `f32`.
    #[inline(always)]
    fn four_bit_quants(qs: &[u8; 16]) -> [F32x16; 2] {
        let both = F32x16::biased_u8(load(qs));
        let high = both & i32x4_splat(!15);
        [both - high, high]
    }

    pub(crate) fn q5_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<22, 32>(blocks, elements, |block, elements| {
            let d = f32x4_splat(f16_at(block, 0) / 16.0);
            let [first, last] = five_bit_quants(bytes_at(block, 2), bytes_at(block, 6));
            store_32(elements, (first - biased(16 * 16)) * d, (last - biased(16 * 16)) * d);
        });
    }

    pub(crate) fn q5_1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            let (d, m) = (f32x4_splat(f16_at(block, 0) / 16.0), f32x4_splat(f16_at(block, 2)));
            let [first, last] = five_bit_quants(bytes_at(block, 4), bytes_at(block, 8));
            store_32(elements, (first - biased(0)) * d + m, (last - biased(0)) * d + m);
        });
    }

    /// 16 times the quants, as biased integers.
    #[inline(always)]
    fn five_bit_quants(qh: &[u8; 4], qs: &[u8; 16]) -> [F32x16; 2] {
        let (qs, high) = (load(qs), u8x16_splat(0xf0));
        let [first, last] = bits_as_bytes(u32::from_le_bytes(*qh));
        [sixteen_times(v128_and(u16x8_shl(qs, 4), high), first), sixteen_times(v128_and(qs, high), last)]
    }

    /// Quants from 16 times their low four bits, and from their fifth bits as bytes.
    #[inline(always)]
    fn sixteen_times(low: v128, fifth: v128) -> F32x16 {
        let fifth = v128_and(fifth, u8x16_splat(1));
        F32x16::biased_u16(zip_low_u8(low, fifth), zip_high_u8(low, fifth))
    }

    pub(crate) fn q8_0(blocks: &[u8], elements: &mut [f32]) {
        eight_bit_blocks::<34, 2>(blocks, elements);
    }

    pub(crate) fn q8_1(blocks: &[u8], elements: &mut [f32]) {
        eight_bit_blocks::<36, 4>(blocks, elements);
    }

    /// Converts blocks of `BYTES` bytes that begin with the scale `d` and have their quants at `QS_AT`.
    ///
    /// The scales of four blocks are converted at once. That makes Q8_0, which has little else to compute, 20 % faster.
    #[inline(always)]
    fn eight_bit_blocks<const BYTES: usize, const QS_AT: usize>(blocks: &[u8], elements: &mut [f32]) {
        let (blocks, elements) = (blocks.as_chunks::<BYTES>().0, elements.as_chunks_mut::<32>().0);
        let count = blocks.len().min(elements.len());
        let (fours, rest) = blocks[..count].as_chunks::<4>();
        let (element_fours, element_rest) = elements[..count].as_chunks_mut::<4>();
        for ([a, b, c, d], [to_a, to_b, to_c, to_d]) in fours.iter().zip(element_fours) {
            let scale = |block| u16::from_le_bytes(*bytes_at(block, 0));
            let scales = widen_f16(u16x8(scale(a), scale(b), scale(c), scale(d), 0, 0, 0, 0))[0];
            eight_bit_elements(i32x4_shuffle::<0, 0, 0, 0>(scales, scales), bytes_at(a, QS_AT), to_a);
            eight_bit_elements(i32x4_shuffle::<1, 1, 1, 1>(scales, scales), bytes_at(b, QS_AT), to_b);
            eight_bit_elements(i32x4_shuffle::<2, 2, 2, 2>(scales, scales), bytes_at(c, QS_AT), to_c);
            eight_bit_elements(i32x4_shuffle::<3, 3, 3, 3>(scales, scales), bytes_at(d, QS_AT), to_d);
        }
        for (block, elements) in rest.iter().zip(element_rest) {
            eight_bit_elements(f32x4_splat(f16_at(block, 0)), bytes_at(block, QS_AT), elements);
        }
    }

    /// Converts the quants `qs` of a block, with its scale in every lane of `d`.
    #[inline(always)]
    fn eight_bit_elements(d: v128, qs: &[u8; 32], elements: &mut [f32; 32]) {
        // As the high bytes of 32-bit integers, the quants are 2²⁴ times as large.
        let d = f32x4_mul(d, f32x4_splat(1.0 / (1 << 24) as f32));
        let quants = |qs| F32x16::from_high_bytes(load(qs)).map(|integers| f32x4_convert_i32x4(integers));
        store_32(elements, quants(bytes_at(qs, 0)) * d, quants(bytes_at(qs, 16)) * d);
    }

    #[inline(always)]
    fn store_32(elements: &mut [f32; 32], first: F32x16, last: F32x16) {
        let elements = elements.as_chunks_mut().0;
        first.store(&mut elements[0]);
        last.store(&mut elements[1]);
    }
}
