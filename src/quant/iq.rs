//! The types with codebooks: an index for 8 or 4 elements at once, and their signs for those with more than two bits.
//!
//! ```text
//! IQ1_S     d f16 | qs 32 B | qh 8 × u16
//! IQ1_M     qs 32 B | qh 16 B | scales 4 × u16
//! IQ2_XXS   d f16 | 8 × (qs 4 B | signs and scale u32)
//! IQ2_XS    d f16 | qs 32 × u16 | scales 8 B
//! IQ2_S     d f16 | qs 32 B | signs 32 B | qh 8 B | scales 8 B
//! IQ3_XXS   d f16 | qs 64 B | signs and scales 8 × u32
//! IQ3_S     d f16 | qs 64 B | qh 8 B | signs 32 B | scales 4 B
//! ```
//!
//! A block has 256 elements in groups of 32, and these have four words of eight codes: a code is four bits, of which
//! three are the level and the highest is the sign, or for IQ1 that of what is added to each level.
//!
//! ```text
//! IQ1    d × (2 s + 1) × (level ± 1/8)      levels -1 0 1
//! IQ2    d × (1/2 + s) × 1/4 × ± level      levels 8 25 43
//! IQ3_XXS d × (1/2 + s) × 1/2 × ± level     levels 4 12 20 28 36 44 52 62
//! IQ3_S  d × (1 + 2 s) × ± level            levels 1 3 5 7 9 11 13 15
//! ```

use core::array::from_fn;

#[cfg(not(target_feature = "simd128"))]
use scalar::floats;
#[cfg(target_feature = "simd128")]
use simd128::floats;

use super::half::f16_at;
use super::{each, field, grids};

/// What the sixteen codes stand for, before the scale.
type Levels = [f32; 16];

const IQ1: Levels = [-0.875, 0.125, 1.125, 0., 0., 0., 0., 0., -1.125, -0.125, 0.875, 0., 0., 0., 0., 0.];
const IQ2: Levels = [8., 25., 43., 0., 0., 0., 0., 0., -8., -25., -43., 0., 0., 0., 0., 0.];
const IQ3_XXS: Levels = [4., 12., 20., 28., 36., 44., 52., 62., -4., -12., -20., -28., -36., -44., -52., -62.];
const IQ3_S: Levels = [1., 3., 5., 7., 9., 11., 13., 15., -1., -3., -5., -7., -9., -11., -13., -15.];

/// Eight sign bits, each as the highest of a code.
const SIGNS: [u32; 256] = {
    let mut words = [0; 256];
    let mut i = 0;
    while i < 8 * 256 {
        let (signs, bit) = (i / 8, i % 8);
        words[signs] |= (signs as u32 >> bit & 1) << (4 * bit + 3);
        i += 1;
    }
    words
};

/// Seven sign bits, and the eighth that makes the count of ones even.
const EVEN_SIGNS: [u32; 128] = {
    let mut words = [0; 128];
    let mut i = 0;
    while i < 128 {
        words[i] = SIGNS[i | (i.count_ones() as usize & 1) << 7];
        i += 1;
    }
    words
};

fn signs(bits: u8) -> u32 {
    SIGNS[bits as usize]
}

fn even_signs(bits: u32) -> u32 {
    EVEN_SIGNS[bits as usize & 127]
}

pub(crate) fn iq1_s(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ1.entries();
    each::<50, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        let (qs, qh) = (field::<32>(block, 2).as_chunks::<4>().0, field::<16>(block, 34).as_chunks().0);
        for ((qs, qh), out) in qs.iter().zip(qh).zip(out.as_chunks_mut().0) {
            let qh = u32::from(u16::from_le_bytes(*qh));
            let sign = (qh >> 15) * 0x8888_8888;
            let codes = from_fn(|i| grid.at(u32::from(qs[i]) | (qh >> (3 * i) & 7) << 8) | sign);
            let scale = d * (2 * (qh >> 12 & 7) + 1) as f32;
            floats(&IQ1, codes, [scale; 2], out);
        }
    });
}

pub(crate) fn iq1_m(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ1.entries();
    each::<56, 256>(blocks, out, |block, out| {
        let (qs, qh) = (field::<32>(block, 0).as_chunks::<4>().0, field::<16>(block, 32).as_chunks::<2>().0);
        let scales = field::<8>(block, 48);
        let scales: [u16; 4] = from_fn(|i| u16::from_le_bytes([scales[2 * i], scales[2 * i + 1]]));
        // The upper four bits of each are a quarter of the block's own scale.
        let d = scales.iter().rfold(0, |d, scales| d << 4 | scales >> 12);
        let d = f16_at(&d.to_le_bytes(), 0);
        for (i, ((qs, qh), out)) in qs.iter().zip(qh).zip(out.as_chunks_mut().0).enumerate() {
            let codes = from_fn(|i| {
                let qh = u32::from(qh[i / 2] >> (4 * (i % 2)));
                let sign = (qh >> 3 & 1) * 0x8888_8888;
                grid.at(u32::from(qs[i]) | (qh & 7) << 8) | sign
            });
            let scales = u32::from(scales[i / 2]) >> (6 * (i % 2));
            let scale = |s| d * (2 * (s & 7) + 1) as f32;
            floats(&IQ1, codes, [scale(scales), scale(scales >> 3)], out);
        }
    });
}

pub(crate) fn iq2_xxs(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ2_XXS.entries();
    each::<66, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        for (group, out) in field::<64>(block, 2).as_chunks::<8>().0.iter().zip(out.as_chunks_mut().0) {
            let bits = u32::from_le_bytes(*field(group, 4));
            let codes = from_fn(|i| grid.at(group[i].into()) | even_signs(bits >> (7 * i)));
            floats(&IQ2, codes, [d * (0.5 + (bits >> 28) as f32) * 0.25; 2], out);
        }
    });
}

pub(crate) fn iq2_xs(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ2_XS.entries();
    each::<74, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        let (qs, scales) = (field::<64>(block, 2).as_chunks::<8>().0, field::<8>(block, 66));
        for ((qs, scales), out) in qs.iter().zip(scales).zip(out.as_chunks_mut().0) {
            let codes = from_fn(|i| {
                let q = u32::from(u16::from_le_bytes([qs[2 * i], qs[2 * i + 1]]));
                grid.at(q) | even_signs(q >> 9)
            });
            floats(&IQ2, codes, quarters(d, *scales), out);
        }
    });
}

pub(crate) fn iq2_s(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ2_S.entries();
    each::<82, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        let (qs, sign_bits) = (field::<32>(block, 2).as_chunks::<4>().0, field::<32>(block, 34).as_chunks::<4>().0);
        let (qh, scales) = (field::<8>(block, 66), field::<8>(block, 74));
        for ((((qs, sign_bits), qh), scales), out) in
            qs.iter().zip(sign_bits).zip(qh).zip(scales).zip(out.as_chunks_mut().0)
        {
            let qh = u32::from(*qh);
            let codes = from_fn(|i| grid.at(u32::from(qs[i]) | (qh >> (2 * i) & 3) << 8) | signs(sign_bits[i]));
            floats(&IQ2, codes, quarters(d, *scales), out);
        }
    });
}

/// The scales of IQ2_XS and IQ2_S: four bits each.
fn quarters(d: f32, scales: u8) -> [f32; 2] {
    [scales & 15, scales >> 4].map(|s| d * (0.5 + f32::from(s)) * 0.25)
}

pub(crate) fn iq3_xxs(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ3_XXS.entries();
    each::<98, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        let (qs, bits) = (field::<64>(block, 2).as_chunks::<8>().0, field::<32>(block, 66).as_chunks().0);
        for ((qs, bits), out) in qs.iter().zip(bits).zip(out.as_chunks_mut().0) {
            let bits = u32::from_le_bytes(*bits);
            let codes = from_fn(|i| {
                let (low, high) = (grid.at(qs[2 * i].into()), grid.at(qs[2 * i + 1].into()));
                low | high << 16 | even_signs(bits >> (7 * i))
            });
            floats(&IQ3_XXS, codes, [d * (0.5 + (bits >> 28) as f32) * 0.5; 2], out);
        }
    });
}

pub(crate) fn iq3_s(blocks: &[u8], out: &mut [f32]) {
    let grid = grids::IQ3_S.entries();
    each::<110, 256>(blocks, out, |block, out| {
        let d = f16_at(block, 0);
        let (qs, qh) = (field::<64>(block, 2).as_chunks::<8>().0, field::<8>(block, 66));
        let (sign_bits, scales) = (field::<32>(block, 74).as_chunks::<4>().0, field::<4>(block, 106));
        for (i, (((qs, qh), sign_bits), out)) in qs.iter().zip(qh).zip(sign_bits).zip(out.as_chunks_mut().0).enumerate()
        {
            let qh = u32::from(*qh);
            let entry = |i: usize| grid.at(u32::from(qs[i]) | (qh >> i & 1) << 8);
            let codes = from_fn(|i| entry(2 * i) | entry(2 * i + 1) << 16 | signs(sign_bits[i]));
            let scale = scales[i / 2] >> (4 * (i % 2)) & 15;
            floats(&IQ3_S, codes, [d * f32::from(1 + 2 * scale); 2], out);
        }
    });
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use super::Levels;

    /// The elements of a group: four words of eight codes, and a scale for each half.
    pub(super) fn floats(levels: &Levels, codes: [u32; 4], scales: [f32; 2], out: &mut [f32; 32]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = scales[i / 16] * levels[(codes[i / 8] >> (4 * (i % 8)) & 15) as usize];
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::Levels;
    use crate::quant::mem::store;

    /// See [`scalar::floats`](super::scalar::floats).
    #[inline(always)]
    pub(super) fn floats(levels: &Levels, codes: [u32; 4], scales: [f32; 2], out: &mut [f32; 32]) {
        let bits = |i: usize, shift: u32| (levels[i].to_bits() >> shift) as u8;
        let table = |shift| {
            let b = |i| bits(i, shift);
            u8x16(b(0), b(1), b(2), b(3), b(4), b(5), b(6), b(7), b(8), b(9), b(10), b(11), b(12), b(13), b(14), b(15))
        };
        let (lower, upper) = (table(16), table(24));
        let codes = u32x4(codes[0], codes[1], codes[2], codes[3]);
        let (even, odd) = (v128_and(codes, u8x16_splat(15)), v128_and(u16x8_shr(codes, 4), u8x16_splat(15)));
        let halves = [
            i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(even, odd),
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(even, odd),
        ];
        let out = out.as_chunks_mut::<4>().0;
        let zero = i8x16_splat(0);
        for (i, (codes, scale)) in halves.into_iter().zip(scales).enumerate() {
            let scale = f32x4_splat(scale);
            let (lower, upper) = (i8x16_swizzle(lower, codes), i8x16_swizzle(upper, codes));
            let a = i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(lower, upper);
            let b = i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(lower, upper);
            for (j, v) in [a, b].into_iter().enumerate() {
                let low = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, v);
                let high = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, v);
                store(&mut out[i * 4 + j * 2], f32x4_mul(low, scale));
                store(&mut out[i * 4 + j * 2 + 1], f32x4_mul(high, scale));
            }
        }
    }
}
