//! The 4-bit floats: sign 1 | exponent 2, bias 1 | fraction 1, with scales of eight bits.
//!
//! ```text
//! type    block                  elements   scales   an element, by its quant q
//! MXFP4   e u8 | qs 16 B          32        1        2^(e - 127) × fp4(q)
//! NVFP4   d 4 × u8 | qs 32 B      64        4        f8(d) × fp4(q)
//! ```
//!
//! The bytes of `qs` that share a scale have the quants of the first half of their elements in the low four bits, and
//! those of the second half in the high four bits.
//!
//! `f8` is an unsigned float: exponent 4, bias 7 | fraction 3. Bit 7 is ignored, and 0x7f is 0.
//!
//! As ggml does, the kernels look up twice the 4-bit float, which is an integer, and multiply it by half the scale. So a
//! negative zero becomes a positive one.

use_scalar_or_simd128!();

/// Twice each 4-bit float.
pub(super) const TWICE_FP4: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// 2^(e - 127) / 2. It is subnormal for e = 0 and e = 1.
#[inline(always)]
pub(super) fn half_power_of_two(e: u8) -> f32 {
    f32::from_bits(if e < 2 { 0x20_0000 << e } else { (u32::from(e) - 1) << 23 })
}

/// f8(d) / 2.
#[inline(always)]
pub(super) fn half_f8(d: u8) -> f32 {
    match (d, u32::from(d & 0x7f)) {
        (0x7f, _) => 0.0,
        (_, fraction @ 0..8) => fraction as f32 / 1024.0,
        (_, bits) => f32::from_bits((bits << 20) + ((127 - 7 - 1) << 23)),
    }
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use super::{TWICE_FP4, half_f8, half_power_of_two};
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::levels::scaled_levels;

    pub(crate) fn mxfp4(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<17, 32>(blocks, elements, |block, elements| {
            let (low, high) = elements.split_at_mut(16);
            scaled_levels(&TWICE_FP4, half_power_of_two(block[0]), bytes_at::<16>(block, 1), low, high);
        });
    }

    pub(crate) fn nvfp4(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<36, 64>(blocks, elements, |block, elements| {
            for (part, elements) in elements.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let (low, high) = elements.split_at_mut(8);
                scaled_levels(&TWICE_FP4, half_f8(block[part]), bytes_at::<8>(block, 4 + part * 8), low, high);
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{TWICE_FP4, half_power_of_two};
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::levels::LevelTable;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::F32x16;

    const TABLE: LevelTable = LevelTable::new(&TWICE_FP4);

    pub(crate) fn mxfp4(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<17, 32>(blocks, elements, |block, elements| {
            let (scale, elements) = (f32x4_splat(half_power_of_two(block[0])), elements.as_chunks_mut().0);
            let [low, high] = TABLE.look_up(load(bytes_at(block, 1)));
            (low * scale).store(&mut elements[0]);
            (high * scale).store(&mut elements[1]);
        });
    }

    pub(crate) fn nvfp4(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<36, 64>(blocks, elements, |block, elements| {
            let scales = half_f8s(u32::from_le_bytes(*bytes_at(block, 0)));
            let elements = elements.as_chunks_mut().0;
            let [first, second] = look_up_two_parts(bytes_at(block, 4));
            (first * i32x4_shuffle::<0, 0, 0, 0>(scales, scales)).store(&mut elements[0]);
            (second * i32x4_shuffle::<1, 1, 1, 1>(scales, scales)).store(&mut elements[1]);
            let [third, fourth] = look_up_two_parts(bytes_at(block, 20));
            (third * i32x4_shuffle::<2, 2, 2, 2>(scales, scales)).store(&mut elements[2]);
            (fourth * i32x4_shuffle::<3, 3, 3, 3>(scales, scales)).store(&mut elements[3]);
        });
    }

    /// The levels of 2 × 16 elements, eight bytes each.
    #[inline(always)]
    fn look_up_two_parts(qs: &[u8; 16]) -> [F32x16; 2] {
        let [low, high] = TABLE.look_up(load(qs));
        let (low, high) = (low.into_vectors(), high.into_vectors());
        [F32x16::new([low[0], low[1], high[0], high[1]]), F32x16::new([low[2], low[3], high[2], high[3]])]
    }

    /// f8(d) / 2 of four bytes.
    #[inline(always)]
    fn half_f8s(bytes: u32) -> v128 {
        let (bytes, greatest) = (u32x4_splat(bytes), u8x16_splat(0x7f));
        let bits = v128_andnot(v128_and(bytes, greatest), u8x16_eq(bytes, greatest));
        let bits = u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(bits));
        let normal = u32x4_add(u32x4_shl(bits, 20), u32x4_splat((127 - 7 - 1) << 23));
        // An integer is converted here. Its bits as a subnormal f32 would be a slow operand on some processors.
        let subnormal = f32x4_mul(f32x4_convert_i32x4(bits), f32x4_splat(1.0 / 1024.0));
        v128_bitselect(subnormal, normal, i32x4_lt(bits, i32x4_splat(8)))
    }
}
