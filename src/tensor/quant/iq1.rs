//! The IQ1 types: an index into a codebook of ternary elements for each eight, and all of them a little up or down.
//!
//! ```text
//! IQ1_S   d f16 | qs 32 B | qh 8 × u16           8 × 32   d × (2 s + 1) × (t ± 1/8)
//! IQ1_M   qs 32 B | qh 16 B | scales 4 × u16    16 × 16   d × (2 s + 1) × (t ± 1/8)
//!
//! qh of IQ1_S, for 32 elements     4 × 3 bits of index | s 3 | sign 1
//! qh of IQ1_M, for 8 elements      3 bits of index | sign 1
//! scales of IQ1_M, for 64          4 × s 3 | 4 bits of d
//! ```
//!
//! All of these are from the lowest bit up. Bits of an index are those above a byte of `qs`. The sign is that of 1/8,
//! for eight elements or 32. The bits of `d`, an f16, are from the lowest up, too.

use_scalar_or_simd128!();

use super::bytes_at;
use super::half::f16_at;

/// The `d` of an IQ1_M block.
#[inline(always)]
fn iq1_m_scale(block: &[u8; 56]) -> f32 {
    let scales = u64::from_le_bytes(*bytes_at(block, 48));
    let bits = scales >> 12 & 0xf | scales >> 24 & 0xf0 | scales >> 36 & 0xf00 | scales >> 48 & 0xf000;
    f16_at(&bits.to_le_bytes(), 0)
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use super::iq1_m_scale;
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::{bytes_at, for_each_block, grids};

    pub(crate) fn iq1_s(blocks: &[u8], out: &mut [f32]) {
        let grid = grids::IQ1.words();
        for_each_block::<50, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 0);
            for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
                let qh = u32::from(u16::from_le_bytes(*bytes_at(block, 34 + i / 4 * 2)));
                let index = u32::from(block[2 + i]) | (qh >> (i % 4 * 3) & 7) << 8;
                shifted(grid.at(index), qh >> 15, d * odd(qh >> 12), out);
            }
        });
    }

    pub(crate) fn iq1_m(blocks: &[u8], out: &mut [f32]) {
        let grid = grids::IQ1.words();
        for_each_block::<56, 256>(blocks, out, |block, out| {
            let d = iq1_m_scale(block);
            for (i, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
                let scales = u32::from(u16::from_le_bytes(*bytes_at(block, 48 + i / 8 * 2)));
                let qh = u32::from(block[32 + i / 2] >> (i % 2 * 4));
                let index = u32::from(block[i]) | (qh & 7) << 8;
                shifted(grid.at(index), qh >> 3 & 1, d * odd(scales >> (i / 2 % 4 * 3)), out);
            }
        });
    }

    fn odd(s: u32) -> f32 {
        (2 * (s & 7) + 1) as f32
    }

    fn shifted(entry: u64, sign: u32, scale: f32, out: &mut [f32; 8]) {
        let shift = f32::from_bits(0.125f32.to_bits() | sign << 31);
        for (level, out) in entry.to_le_bytes().into_iter().zip(out) {
            *out = scale * (f32::from(level) - 1.0 + shift);
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::iq1_m_scale;
    use crate::tensor::quant::grids::{self, Words};
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::mem::{load, store};
    use crate::tensor::quant::vector::{zip_high_u8, zip_high_u16, zip_low_u8, zip_low_u16};
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn iq1_s(blocks: &[u8], out: &mut [f32]) {
        let grid = grids::IQ1.words();
        for_each_block::<50, 256>(blocks, out, |block, out| {
            let qh = load(bytes_at(block, 34));
            // The bits of two indices each as two bytes.
            let (low, high) = (u16x8_splat(7), u16x8_splat(0x700));
            let even = v128_or(v128_and(qh, low), v128_and(u16x8_shl(qh, 5), high));
            let odd = v128_or(v128_and(u16x8_shr(qh, 6), low), v128_and(u16x8_shr(qh, 1), high));
            let indices = indices(bytes_at(block, 2), [zip_low_u16(even, odd), zip_high_u16(even, odd)]);

            let signs = v128_and(u16x8_shr(qh, 1), u16x8_splat(SIGN));
            let scales = v128_or(v128_and(u16x8_shr(qh, 11), u16x8_splat(14)), u16x8_splat(1));
            let d = f32x4_splat(f16_at(block, 0));
            let shift = floats(signs, shifts);
            let scale = floats(scales, |scales| f32x4_mul(d, f32x4_convert_i32x4(scales)));
            for (i, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                let offsets = u16x8_shl(indices[i], 3);
                let (a, b) = (f32x4_splat(shift[2 * i]), f32x4_splat(shift[2 * i + 1]));
                let (s, t) = (f32x4_splat(scale[2 * i]), f32x4_splat(scale[2 * i + 1]));
                shifted::<0>(grid, offsets, a, s, out);
                shifted::<1>(grid, offsets, a, s, out);
                shifted::<2>(grid, offsets, a, s, out);
                shifted::<3>(grid, offsets, a, s, out);
                shifted::<4>(grid, offsets, b, t, out);
                shifted::<5>(grid, offsets, b, t, out);
                shifted::<6>(grid, offsets, b, t, out);
                shifted::<7>(grid, offsets, b, t, out);
            }
        });
    }

    pub(crate) fn iq1_m(blocks: &[u8], out: &mut [f32]) {
        let grid = grids::IQ1.words();
        for_each_block::<56, 256>(blocks, out, |block, out| {
            let d = f32x4_splat(iq1_m_scale(block));
            let qh = load(bytes_at(block, 32));
            let (even, odd) = (v128_and(qh, u8x16_splat(15)), v128_and(u16x8_shr(qh, 4), u8x16_splat(15)));
            let indices = indices(bytes_at(block, 0), [zip_low_u8(even, odd), zip_high_u8(even, odd)]);
            for (i, out) in out.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                let scales = u32x4_splat(u16::from_le_bytes(*bytes_at(block, 48 + 2 * i)).into());
                // Where they lie in the number, they are powers of eight too large.
                let scales = f32x4_convert_i32x4(v128_and(scales, u32x4(7, 7 << 3, 7 << 6, 7 << 9)));
                let twice = f32x4_mul(scales, f32x4(2.0, 2.0 / 8.0, 2.0 / 64.0, 2.0 / 512.0));
                let s = f32x4_mul(d, f32x4_add(twice, f32x4_splat(1.0)));

                let offsets = u16x8_shl(indices[i], 3);
                let (signs, zero) = (v128_and(offsets, u16x8_splat(SIGN)), u16x8_splat(0));
                let (a, b) = (shifts(zip_low_u16(signs, zero)), shifts(zip_high_u16(signs, zero)));
                shifted::<0>(grid, offsets, lane::<0>(a), lane::<0>(s), out);
                shifted::<1>(grid, offsets, lane::<1>(a), lane::<0>(s), out);
                shifted::<2>(grid, offsets, lane::<2>(a), lane::<1>(s), out);
                shifted::<3>(grid, offsets, lane::<3>(a), lane::<1>(s), out);
                shifted::<4>(grid, offsets, lane::<0>(b), lane::<2>(s), out);
                shifted::<5>(grid, offsets, lane::<1>(b), lane::<2>(s), out);
                shifted::<6>(grid, offsets, lane::<2>(b), lane::<3>(s), out);
                shifted::<7>(grid, offsets, lane::<3>(b), lane::<3>(s), out);
            }
        });
    }

    /// What is made of each of eight 16-bit numbers.
    #[inline(always)]
    fn floats(numbers: v128, to_floats: impl Fn(v128) -> v128) -> [f32; 8] {
        let mut floats = [0.0; 8];
        let (four, zero) = (floats.as_chunks_mut().0, u16x8_splat(0));
        store(&mut four[0], to_floats(zip_low_u16(numbers, zero)));
        store(&mut four[1], to_floats(zip_high_u16(numbers, zero)));
        floats
    }

    /// 32 indices from their low bytes and what is above these.
    #[inline(always)]
    fn indices(low: &[u8; 32], high: [v128; 2]) -> [v128; 4] {
        let low = [load(bytes_at(low, 0)), load(bytes_at(low, 16))];
        [
            zip_low_u8(low[0], high[0]),
            zip_high_u8(low[0], high[0]),
            zip_low_u8(low[1], high[1]),
            zip_high_u8(low[1], high[1]),
        ]
    }

    /// A sign as [`shifts`] takes it: where it lies in the offset of an IQ1_M entry, above what the grid looks at.
    const SIGN: u16 = 1 << 14;

    /// What is to be added to an entry's elements, which count from 128 on: the first, or with the sign the second.
    const SHIFTS: [f32; 2] = [-129.0 + 0.125, -129.0 - 0.125];
    const _: () = assert!(SHIFTS[1].to_bits() - SHIFTS[0].to_bits() == SIGN as u32);

    #[inline(always)]
    fn shifts(signs: v128) -> v128 {
        i32x4_add(f32x4_splat(SHIFTS[0]), signs)
    }

    #[inline(always)]
    fn lane<const I: usize>(v: v128) -> v128 {
        i32x4_shuffle::<I, I, I, I>(v, v)
    }

    /// The elements of the entry that is at one of eight offsets, in bytes, shifted and times the scale.
    #[inline(always)]
    fn shifted<const I: usize>(grid: Words<2048>, offsets: v128, shift: v128, scale: v128, out: &mut [f32; 64]) {
        let entry = grid.at(u32::from(u16x8_extract_lane::<I>(offsets) / 8));
        // The upper half of an f32 that counts from 128 on.
        let halves = zip_low_u8(u64x2_splat(entry), u8x16_splat(0x43));
        let (low, high) = (zip_low_u16(u16x8_splat(0), halves), zip_high_u16(u16x8_splat(0), halves));
        let out = out.as_chunks_mut().0;
        store(&mut out[2 * I], f32x4_mul(f32x4_add(low, shift), scale));
        store(&mut out[2 * I + 1], f32x4_mul(f32x4_add(high, shift), scale));
    }
}
