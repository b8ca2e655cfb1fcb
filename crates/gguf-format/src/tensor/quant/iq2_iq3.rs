//! The IQ2 and IQ3 types: indices of grid entries for eight or four elements each, and signs.
//!
//! ```text
//! type      block                                                 parts     an element, by its level
//! IQ2_XXS   d f16 | 8 × (qs 4 B | signs u32)                       8 × 32   d × (s + 1/2) × 1/4 × ±level
//! IQ2_XS    d f16 | qs 32 × u16 | scales 8 B                      16 × 16   d × (s + 1/2) × 1/4 × ±level
//! IQ2_S     d f16 | qs 32 B | signs 32 B | qh 8 B | scales 8 B    16 × 16   d × (s + 1/2) × 1/4 × ±level
//! IQ3_XXS   d f16 | qs 64 B | signs 8 × u32                        8 × 32   d × (s + 1/2) × 1/2 × ±level
//! IQ3_S     d f16 | qs 64 B | qh 8 B | signs 32 B | scales 4 B     8 × 32   d × (2 s + 1) × ±level
//!
//! signs of IQ2_XXS and IQ3_XXS, for 32 elements                   4 × signs 7 | s 4
//! qs of IQ2_XS, for 8 elements                                    index 9 | signs 7
//! ```
//!
//! The first bits are the lowest, also in `scales`, which has four bits for a scale `s`. `qh` has the high bits of the
//! indices whose low bytes are in `qs`: two bits for an index of IQ2_S, one for an index of IQ3_S. Where eight elements
//! have seven signs, the eighth sign makes the number of negative elements even.

use super::float16::f16_at;
use super::grids;
use super::kernel::{bytes_at, for_each_block};

/// Repeats a block for each number without a loop, because LLVM does not unroll loops where it optimises for size. For the same
/// reason, arrays of two have no `map` in this folder: it is a loop.
macro_rules! unrolled {
    ($i:ident in [$($number:literal)*] $body:block) => {$({
        let $i = $number;
        $body
    })*};
}

pub(super) fn iq2_xxs(blocks: &[u8], elements: &mut [f32]) {
    let grid = grids::IQ2_XXS.get();
    for_each_block::<66, 256>(blocks, elements, |block, elements| {
        let d = f16_at(block, 0);
        for (part, elements) in bytes_at::<64>(block, 2).as_chunks::<8>().0.iter().zip(elements.as_chunks_mut::<32>().0)
        {
            let signs = u32::from_le_bytes(*bytes_at(part, 4));
            let scale = d * (0.5 + (signs >> 28) as f32) * 0.25;
            let elements = elements.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                let levels = &grid[usize::from(part[i])];
                store_8(levels, even_signs(signs >> (7 * i)), scale, &mut elements[i]);
            });
        }
    });
}

pub(super) fn iq2_xs(blocks: &[u8], elements: &mut [f32]) {
    let grid = grids::IQ2_XS.get();
    for_each_block::<74, 256>(blocks, elements, |block, elements| {
        let d = f16_at(block, 0);
        let (qs, scales) = (bytes_at::<64>(block, 2).as_chunks::<8>().0, bytes_at::<8>(block, 66));
        for ((qs, scales), elements) in qs.iter().zip(scales).zip(elements.as_chunks_mut::<32>().0) {
            let scales = iq2_scales(d, *scales);
            let (qs, elements) = (qs.as_chunks().0, elements.as_chunks_mut().0);
            unrolled!(i in [0 1 2 3] {
                let q = u32::from(u16::from_le_bytes(qs[i]));
                let levels = &grid[q as usize % 512];
                store_8(levels, even_signs(q >> 9), scales[i / 2], &mut elements[i]);
            });
        }
    });
}

pub(super) fn iq2_s(blocks: &[u8], elements: &mut [f32]) {
    let grid = grids::IQ2_S.get();
    for_each_block::<82, 256>(blocks, elements, |block, elements| {
        let d = f16_at(block, 0);
        for (part, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let (qs, signs) = (bytes_at::<4>(block, 2 + 4 * part), bytes_at::<4>(block, 34 + 4 * part));
            let qh = usize::from(block[66 + part]);
            let scales = iq2_scales(d, block[74 + part]);
            let elements = elements.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                let levels = &grid[usize::from(qs[i]) | (qh >> (2 * i) & 3) << 8];
                store_8(levels, &SIGNS[usize::from(signs[i])], scales[i / 2], &mut elements[i]);
            });
        }
    });
}

/// The scales of 2 × 16 elements of IQ2_XS and IQ2_S.
#[inline(always)]
fn iq2_scales(d: f32, scales: u8) -> [f32; 2] {
    let scale = |s: u8| d * (0.5 + f32::from(s)) * 0.25;
    [scale(scales & 15), scale(scales >> 4)]
}

pub(super) fn iq3_xxs(blocks: &[u8], elements: &mut [f32]) {
    let grid = grids::IQ3_XXS.get();
    for_each_block::<98, 256>(blocks, elements, |block, elements| {
        let d = f16_at(block, 0);
        for (part, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let qs = bytes_at::<8>(block, 2 + 8 * part);
            let signs = u32::from_le_bytes(*bytes_at(block, 66 + 4 * part));
            let scale = d * (0.5 + (signs >> 28) as f32) * 0.5;
            let elements = elements.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                let levels = |i: usize| &grid[usize::from(qs[i])];
                let levels = [levels(2 * i), levels(2 * i + 1)];
                store_4_and_4(levels, even_signs(signs >> (7 * i)), scale, &mut elements[i]);
            });
        }
    });
}

pub(super) fn iq3_s(blocks: &[u8], elements: &mut [f32]) {
    let grid = grids::IQ3_S.get();
    for_each_block::<110, 256>(blocks, elements, |block, elements| {
        let d = f16_at(block, 0);
        for (part, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let (qs, signs) = (bytes_at::<8>(block, 2 + 8 * part), bytes_at::<4>(block, 74 + 4 * part));
            let qh = usize::from(block[66 + part]);
            let scale = d * f32::from(1 + 2 * (block[106 + part / 2] >> (part % 2 * 4) & 15));
            let elements = elements.as_chunks_mut().0;
            unrolled!(i in [0 1 2 3] {
                let levels = |i: usize| &grid[usize::from(qs[i]) | (qh >> i & 1) << 8];
                let levels = [levels(2 * i), levels(2 * i + 1)];
                store_4_and_4(levels, &SIGNS[usize::from(signs[i])], scale, &mut elements[i]);
            });
        }
    });
}

/// The signs of eight elements: 0x8000, the sign in the high half of an `f32`, for a negative element.
pub(super) type Signs = [u16; 8];

const fn signs_of(bits: usize) -> Signs {
    let mut signs = [0; 8];
    let mut i = 0;
    while i < 8 {
        signs[i] = if bits >> i & 1 == 1 { 0x8000 } else { 0 };
        i += 1;
    }
    signs
}

pub(super) static SIGNS: [Signs; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        table[bits] = signs_of(bits);
        bits += 1;
    }
    table
};

/// The signs of which seven are stored.
#[inline(always)]
fn even_signs(bits: u32) -> &'static Signs {
    &EVEN_SIGNS[bits as usize % 128]
}

static EVEN_SIGNS: [Signs; 128] = {
    let mut table = [[0; 8]; 128];
    let mut bits = 0;
    while bits < 128 {
        table[bits] = SIGNS[bits | (bits.count_ones() as usize % 2) << 7];
        bits += 1;
    }
    table
};

#[cfg(not(target_feature = "simd128"))]
pub(super) use scalar::{store_4_and_4, store_8};
#[cfg(target_feature = "simd128")]
pub(super) use simd128::{store_4_and_4, store_8};

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::Signs;

    /// Stores the levels of a grid entry, with their signs and times the scale.
    pub(in super::super) fn store_8(levels: &[u16; 8], signs: &Signs, scale: f32, elements: &mut [f32; 8]) {
        for ((element, level), sign) in elements.iter_mut().zip(levels).zip(signs) {
            *element = scale * f32::from_bits(u32::from(level ^ sign) << 16);
        }
    }

    /// Stores the levels of two grid entries, with their signs and times the scale.
    pub(in super::super) fn store_4_and_4(levels: [&[u16; 4]; 2], signs: &Signs, scale: f32, elements: &mut [f32; 8]) {
        for ((element, level), sign) in elements.iter_mut().zip(levels.into_iter().flatten()).zip(signs) {
            *element = scale * f32::from_bits(u32::from(level ^ sign) << 16);
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::Signs;
    use crate::tensor::quant::mem::{load_u16, load_u16_halves, store};
    use crate::tensor::quant::vector::{zip_high_u16, zip_low_u16};

    #[inline(always)]
    pub(in super::super) fn store_8(levels: &[u16; 8], signs: &Signs, scale: f32, elements: &mut [f32; 8]) {
        store_scaled(v128_xor(load_u16(levels), load_u16(signs)), scale, elements);
    }

    #[inline(always)]
    pub(in super::super) fn store_4_and_4(levels: [&[u16; 4]; 2], signs: &Signs, scale: f32, elements: &mut [f32; 8]) {
        store_scaled(v128_xor(load_u16_halves(levels), load_u16(signs)), scale, elements);
    }

    #[inline(always)]
    fn store_scaled(high_halves: v128, scale: f32, elements: &mut [f32; 8]) {
        let (elements, scale, zero) = (elements.as_chunks_mut().0, f32x4_splat(scale), u16x8_splat(0));
        store(&mut elements[0], f32x4_mul(zip_low_u16(zero, high_halves), scale));
        store(&mut elements[1], f32x4_mul(zip_high_u16(zero, high_halves), scale));
    }
}
