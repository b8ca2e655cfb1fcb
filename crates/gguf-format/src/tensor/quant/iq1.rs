//! The IQ1 types: an index of a grid entry for each eight elements, whose levels are all shifted by 1/8 up or down.
//!
//! ```text
//! type    block                                  parts     an element, by its level t
//! IQ1_S   d f16 | qs 32 B | qh 8 × u16            8 × 32   d × (2 s + 1) × (t ± 1/8)
//! IQ1_M   qs 32 B | qh 16 B | scales 4 × u16     16 × 16   d × (2 s + 1) × (t ± 1/8)
//!
//! qh of IQ1_S, for 32 elements                   4 × 3 bits of an index | s 3 | sign 1
//! qh of IQ1_M, for 8 elements                    3 bits of an index | sign 1
//! scales of IQ1_M, for 64 elements               4 × s 3 | 4 bits of d
//! ```
//!
//! The first bits are the lowest. `qs` has the low bytes of the indices, `qh` their high bits. The sign is that of the 1/8,
//! for eight elements or for 32. The `d` of IQ1_M is an f16 in four parts, the lowest bits first.

use_scalar_or_simd128!();

use super::float16::f16_at;
use super::kernel::bytes_at;

/// The scale `d` of an IQ1_M block.
#[inline(always)]
fn iq1_m_scale(block: &[u8; 56]) -> f32 {
    let scales = u64::from_le_bytes(*bytes_at(block, 48));
    let bits = scales >> 12 & 0xf | scales >> 24 & 0xf0 | scales >> 36 & 0xf00 | scales >> 48 & 0xf000;
    f16_at(&bits.to_le_bytes(), 0)
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::iq1_m_scale;
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::grids;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn iq1_s(blocks: &[u8], elements: &mut [f32]) {
        let grid = grids::IQ1.get();
        for_each_block::<50, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (i, elements) in elements.as_chunks_mut().0.iter_mut().enumerate() {
                let qh = u16::from_le_bytes(*bytes_at(block, 34 + i / 4 * 2));
                let index = u16::from(block[2 + i]) | (qh >> (i % 4 * 3) & 7) << 8;
                store_entry(&grid[usize::from(index)], qh >> 15, d * odd(qh >> 12), elements);
            }
        });
    }

    pub(crate) fn iq1_m(blocks: &[u8], elements: &mut [f32]) {
        let grid = grids::IQ1.get();
        for_each_block::<56, 256>(blocks, elements, |block, elements| {
            let d = iq1_m_scale(block);
            for (i, elements) in elements.as_chunks_mut().0.iter_mut().enumerate() {
                let scales = u16::from_le_bytes(*bytes_at(block, 48 + i / 8 * 2));
                let qh = u16::from(block[32 + i / 2] >> (i % 2 * 4));
                let index = u16::from(block[i]) | (qh & 7) << 8;
                store_entry(&grid[usize::from(index)], qh >> 3 & 1, d * odd(scales >> (i / 2 % 4 * 3)), elements);
            }
        });
    }

    /// 2 s + 1 for the scale in the low three bits.
    fn odd(s: u16) -> f32 {
        f32::from(2 * (s & 7) + 1)
    }

    /// Stores the levels of a grid entry, shifted by 1/8, down if `sign` is 1, and times the scale.
    pub(crate) fn store_entry(levels: &[u16; 8], sign: u16, scale: f32, elements: &mut [f32; 8]) {
        let shift = if sign == 0 { 0.125 } else { -0.125 };
        for (element, level) in elements.iter_mut().zip(levels) {
            *element = scale * (f32::from_bits(u32::from(*level) << 16) + shift);
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::iq1_m_scale;
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::grids;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::mem::{load_u16, store};
    use crate::tensor::quant::vector::{zip_high_u16, zip_low_u16};

    pub(crate) fn iq1_s(blocks: &[u8], elements: &mut [f32]) {
        let grid = grids::IQ1.get();
        for_each_block::<50, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 0);
            for (part, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<4>(block, 2 + 4 * part);
                let qh = u16::from_le_bytes(*bytes_at(block, 34 + 2 * part));
                let scale = f32x4_splat(d * f32::from(qh >> 11 & 14 | 1));
                let shift = shift_of(qh >> 15);
                let elements = elements.as_chunks_mut().0;
                convert_entry(entry(grid, qs[0], qh), shift, scale, &mut elements[0]);
                convert_entry(entry(grid, qs[1], qh >> 3), shift, scale, &mut elements[1]);
                convert_entry(entry(grid, qs[2], qh >> 6), shift, scale, &mut elements[2]);
                convert_entry(entry(grid, qs[3], qh >> 9), shift, scale, &mut elements[3]);
            }
        });
    }

    pub(crate) fn iq1_m(blocks: &[u8], elements: &mut [f32]) {
        let grid = grids::IQ1.get();
        for_each_block::<56, 256>(blocks, elements, |block, elements| {
            let d = iq1_m_scale(block);
            for (part, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<4>(block, 4 * part);
                let qh = u16::from_le_bytes(*bytes_at(block, 32 + 2 * part));
                let scales = u16::from_le_bytes(*bytes_at(block, 48 + part / 2 * 2)) >> (part % 2 * 6);
                static ODD: [f32; 8] = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0];
                let scale = |s: u16| f32x4_splat(d * ODD[usize::from(s & 7)]);
                let (first, second) = (scale(scales), scale(scales >> 3));
                let elements = elements.as_chunks_mut().0;
                convert_entry(entry(grid, qs[0], qh), shift_of(qh >> 3), first, &mut elements[0]);
                convert_entry(entry(grid, qs[1], qh >> 4), shift_of(qh >> 7), first, &mut elements[1]);
                convert_entry(entry(grid, qs[2], qh >> 8), shift_of(qh >> 11), second, &mut elements[2]);
                convert_entry(entry(grid, qs[3], qh >> 12), shift_of(qh >> 15), second, &mut elements[3]);
            }
        });
    }

    /// Stores the levels of a grid entry, shifted by 1/8, down if `sign` is 1, and times the scale.
    #[cfg(feature = "fork-kernels")]
    #[inline(always)]
    pub(crate) fn store_entry(levels: &[u16; 8], sign: u16, scale: f32, elements: &mut [f32; 8]) {
        convert_entry(levels, shift_of(sign), f32x4_splat(scale), elements);
    }

    /// 1/8, or -1/8 if the lowest bit is set.
    #[inline(always)]
    fn shift_of(sign: u16) -> v128 {
        static SHIFTS: [f32; 2] = [0.125, -0.125];
        f32x4_splat(SHIFTS[usize::from(sign & 1)])
    }

    /// The entry whose index has a low byte, and three high bits in the low bits of `high`.
    #[inline(always)]
    fn entry(grid: &grids::Levels<8, 2048>, low: u8, high: u16) -> &[u16; 8] {
        &grid[usize::from(low) | usize::from(high & 7) << 8]
    }

    #[inline(always)]
    fn convert_entry(levels: &[u16; 8], shift: v128, scale: v128, elements: &mut [f32; 8]) {
        let levels = load_u16(levels);
        let (elements, zero) = (elements.as_chunks_mut().0, u16x8_splat(0));
        store(&mut elements[0], f32x4_mul(f32x4_add(zip_low_u16(zero, levels), shift), scale));
        store(&mut elements[1], f32x4_mul(f32x4_add(zip_high_u16(zero, levels), shift), scale));
    }
}
