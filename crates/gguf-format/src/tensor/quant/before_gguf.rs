//! Quantized blocks of files before GGUF whose layout differs from today's. `tensor::block_types` names the kernels.
//!
//! ```text
//! type      block                               elements  an element, by its quant q   order of the quants
//! Q4_0_V1   d f32         | qs 16 B             32        (q - 8) × d                  pairs
//! Q4_0_V2   d f32         | qs 16 B             32        (q - 8) × d                  halves
//! Q4_1_V1   d f32 | m f32 | qs 16 B             32        q × d + m                    pairs
//! Q4_1_V2   d f32 | m f32 | qs 16 B             32        q × d + m                    halves
//! Q4_2      d f16         | qs 8 B              16        (q - 8) × d                  pairs
//! Q4_3      d f16 | m f16 | qs 8 B              16        q × d + m                    pairs
//! Q5_0_V1   d f16         | qh u32 | qs 16 B    32        (q - 16) × d                 pairs
//! Q5_1_V1   d f16 | m f16 | qh u32 | qs 16 B    32        q × d + m                    pairs
//! Q8_0_V1   d f32         | qs 32 × i8          32        q × d
//! ```
//!
//! Pairs: byte i of `qs` has the quants of the elements 2i (low bits) and 2i + 1. Halves: those of the elements i and i + 16.
//! Bit i of `qh` is the fifth bit of the quant of element i. The operations are those of `dequantize_row_*` in ggml.c of April
//! and May 2023, without FMA contraction.

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn q4_0_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<20, 32>(blocks, elements, |block, elements| {
            let d = f32_at(block, 0);
            for (pair, q) in elements.as_chunks_mut().0.iter_mut().zip(bytes_at::<16>(block, 4)) {
                *pair = scaled_pair(*q, d);
            }
        });
    }

    pub(crate) fn q4_0_v2(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<20, 32>(blocks, elements, |block, elements| {
            let d = f32_at(block, 0);
            for (i, q) in bytes_at::<16>(block, 4).iter().enumerate() {
                [elements[i], elements[i + 16]] = scaled_pair(*q, d);
            }
        });
    }

    pub(crate) fn q4_1_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            let (d, m) = (f32_at(block, 0), f32_at(block, 4));
            for (pair, q) in elements.as_chunks_mut().0.iter_mut().zip(bytes_at::<16>(block, 8)) {
                *pair = offset_pair(*q, d, m);
            }
        });
    }

    pub(crate) fn q4_1_v2(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            let (d, m) = (f32_at(block, 0), f32_at(block, 4));
            for (i, q) in bytes_at::<16>(block, 8).iter().enumerate() {
                [elements[i], elements[i + 16]] = offset_pair(*q, d, m);
            }
        });
    }

    pub(crate) fn q4_2(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<10, 16>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (pair, q) in elements.as_chunks_mut().0.iter_mut().zip(bytes_at::<8>(block, 2)) {
                *pair = scaled_pair(*q, d);
            }
        });
    }

    pub(crate) fn q4_3(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<12, 16>(blocks, elements, |block, elements| {
            let (d, m) = (f16_at(block, 0), f16_at(block, 2));
            for (pair, q) in elements.as_chunks_mut().0.iter_mut().zip(bytes_at::<8>(block, 4)) {
                *pair = offset_pair(*q, d, m);
            }
        });
    }

    #[inline(always)]
    fn scaled_pair(q: u8, d: f32) -> [f32; 2] {
        [q & 15, q >> 4].map(|q| (i32::from(q) - 8) as f32 * d)
    }

    #[inline(always)]
    fn offset_pair(q: u8, d: f32, m: f32) -> [f32; 2] {
        [q & 15, q >> 4].map(|q| f32::from(q) * d + m)
    }

    pub(crate) fn q5_0_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<22, 32>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            let quants = five_bit_quants(bytes_at(block, 2), bytes_at(block, 6));
            for (element, q) in elements.iter_mut().zip(quants) {
                *element = (i32::from(q) - 16) as f32 * d;
            }
        });
    }

    pub(crate) fn q5_1_v1(blocks: &[u8], elements: &mut [f32]) {
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
        core::array::from_fn(|i| (qs[i / 2] >> (i % 2 * 4) & 15) | ((qh >> i & 1) << 4) as u8)
    }

    pub(crate) fn q8_0_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<36, 32>(blocks, elements, |block, elements| {
            let d = f32_at(block, 0);
            for (element, q) in elements.iter_mut().zip(bytes_at::<32>(block, 4)) {
                *element = f32::from(q.cast_signed()) * d;
            }
        });
    }

    #[inline(always)]
    fn f32_at(block: &[u8], offset: usize) -> f32 {
        f32::from_le_bytes(*bytes_at(block, offset))
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::mem::{load, load_low};
    use crate::tensor::quant::vector::{F32x16, biased, bits_as_bytes, zip_high_u8, zip_low_u8};

    pub(crate) fn q4_0_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<20, 32>(blocks, elements, |block, elements| {
            scaled(pairs(nibbles(load(bytes_at(block, 4)))), 8, f32_at(block, 0), elements);
        });
    }

    pub(crate) fn q4_0_v2(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<20, 32>(blocks, elements, |block, elements| {
            scaled(nibbles(load(bytes_at(block, 4))), 8, f32_at(block, 0), elements);
        });
    }

    pub(crate) fn q4_1_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            offset(pairs(nibbles(load(bytes_at(block, 8)))), f32_at(block, 0), f32_at(block, 4), elements);
        });
    }

    pub(crate) fn q4_1_v2(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            offset(nibbles(load(bytes_at(block, 8))), f32_at(block, 0), f32_at(block, 4), elements);
        });
    }

    pub(crate) fn q4_2(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<10, 16>(blocks, elements, |block, elements| {
            let quants = F32x16::biased_u8(eight_pairs(bytes_at(block, 2)));
            ((quants - biased(8)) * f32x4_splat(f16_at(block, 0))).store(elements);
        });
    }

    pub(crate) fn q4_3(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<12, 16>(blocks, elements, |block, elements| {
            let quants = F32x16::biased_u8(eight_pairs(bytes_at(block, 4)));
            let (d, m) = (f32x4_splat(f16_at(block, 0)), f32x4_splat(f16_at(block, 2)));
            ((quants - biased(0)) * d + m).store(elements);
        });
    }

    pub(crate) fn q5_0_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<22, 32>(blocks, elements, |block, elements| {
            let quants = five_bit_quants(bytes_at(block, 2), bytes_at(block, 6));
            scaled(quants, 16, f16_at(block, 0), elements);
        });
    }

    pub(crate) fn q5_1_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<24, 32>(blocks, elements, |block, elements| {
            let quants = five_bit_quants(bytes_at(block, 4), bytes_at(block, 8));
            offset(quants, f16_at(block, 0), f16_at(block, 2), elements);
        });
    }

    pub(crate) fn q8_0_v1(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<36, 32>(blocks, elements, |block, elements| {
            // An i8 whose highest bit is flipped is a u8 that is 128 larger.
            let quants = |at| v128_xor(load(bytes_at(block, at)), u8x16_splat(0x80));
            scaled([quants(4), quants(20)], 128, f32_at(block, 0), elements);
        });
    }

    /// The low and the high four bits of 16 bytes.
    #[inline(always)]
    fn nibbles(qs: v128) -> [v128; 2] {
        [v128_and(qs, u8x16_splat(15)), u8x16_shr(qs, 4)]
    }

    /// The low and the high quants of pairs, as quants of consecutive elements.
    #[inline(always)]
    fn pairs([low, high]: [v128; 2]) -> [v128; 2] {
        [zip_low_u8(low, high), zip_high_u8(low, high)]
    }

    /// The quants of eight pairs.
    #[inline(always)]
    fn eight_pairs(qs: &[u8; 8]) -> v128 {
        pairs(nibbles(load_low(qs)))[0]
    }

    #[inline(always)]
    fn five_bit_quants(qh: &[u8; 4], qs: &[u8; 16]) -> [v128; 2] {
        let [first, last] = pairs(nibbles(load(qs)));
        let [first_fifth, last_fifth] = bits_as_bytes(u32::from_le_bytes(*qh));
        let with_fifth = |low, fifth| v128_or(low, v128_and(fifth, u8x16_splat(16)));
        [with_fifth(first, first_fifth), with_fifth(last, last_fifth)]
    }

    /// Stores (q - `middle`) × `d` for 32 quants.
    #[inline(always)]
    fn scaled(quants: [v128; 2], middle: u32, d: f32, elements: &mut [f32; 32]) {
        for (quants, elements) in quants.into_iter().zip(elements.as_chunks_mut().0) {
            ((F32x16::biased_u8(quants) - biased(middle)) * f32x4_splat(d)).store(elements);
        }
    }

    /// Stores q × `d` + `m` for 32 quants.
    #[inline(always)]
    fn offset(quants: [v128; 2], d: f32, m: f32, elements: &mut [f32; 32]) {
        for (quants, elements) in quants.into_iter().zip(elements.as_chunks_mut().0) {
            ((F32x16::biased_u8(quants) - biased(0)) * f32x4_splat(d) + f32x4_splat(m)).store(elements);
        }
    }

    #[inline(always)]
    fn f32_at(block: &[u8], offset: usize) -> f32 {
        f32::from_le_bytes(*bytes_at(block, offset))
    }
}
