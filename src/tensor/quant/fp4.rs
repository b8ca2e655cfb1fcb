//! The 4-bit floats: sign 1 | exponent 2, bias 1 | fraction 1, under scales of eight bits.
//!
//! ```text
//! MXFP4   e u8 | qs 16 B         1 × 32   2^(e - 127) × fp4(q)
//! NVFP4   d 4 × u8 | qs 32 B     4 × 16   f8(d) × fp4(q)
//! ```
//!
//! The low four bits of a part's bytes of `qs` are its first half, the high ones its second half. `f8` has no sign:
//! exponent 4, bias 7 | fraction 3. It ignores bit 7, and 0x7f is 0.
//!
//! ggml takes 4-bit floats twice, which makes integers of them, and scales by half: a negative zero becomes a positive
//! one.

use_scalar_or_simd128!();

/// Twice each 4-bit float.
const TWICE: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Half of 2^(e - 127), which is subnormal for the two least.
#[inline(always)]
fn half_of_power(e: u8) -> f32 {
    f32::from_bits(if e < 2 { 0x20_0000 << e } else { (u32::from(e) - 1) << 23 })
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use super::{TWICE, half_of_power};
    use crate::tensor::quant::levels::scaled;
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn mxfp4(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<17, 32>(blocks, out, |block, out| {
            let (low, high) = out.split_at_mut(16);
            scaled(&TWICE, half_of_power(block[0]), bytes_at::<16>(block, 1), low, high);
        });
    }

    pub(crate) fn nvfp4(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<36, 64>(blocks, out, |block, out| {
            for (part, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let (low, high) = out.split_at_mut(8);
                scaled(&TWICE, half_of_f8(block[part]), bytes_at::<8>(block, 4 + part * 8), low, high);
            }
        });
    }

    /// Half of an unsigned float of eight bits.
    #[inline(always)]
    fn half_of_f8(byte: u8) -> f32 {
        match (byte, u32::from(byte & 0x7f)) {
            (0x7f, _) => 0.0,
            (_, fraction @ 0..8) => fraction as f32 / 1024.0,
            (_, bits) => f32::from_bits((bits << 20) + ((127 - 7 - 1) << 23)),
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{TWICE, half_of_power};
    use crate::tensor::quant::levels::Planes;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{store_16, times};
    use crate::tensor::quant::{bytes_at, for_each_block};

    const PLANES: Planes = Planes::of(&TWICE);

    pub(crate) fn mxfp4(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<17, 32>(blocks, out, |block, out| {
            let (scale, out) = (f32x4_splat(half_of_power(block[0])), out.as_chunks_mut().0);
            let [low, high] = PLANES.look_up(load(bytes_at(block, 1)));
            store_16(&mut out[0], times(low, scale));
            store_16(&mut out[1], times(high, scale));
        });
    }

    pub(crate) fn nvfp4(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<36, 64>(blocks, out, |block, out| {
            let mut scales = halves_of_f8s(u32::from_le_bytes(*bytes_at(block, 0)));
            for (pair, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let [low, high] = PLANES.look_up(load(bytes_at(block, 4 + pair * 16)));
                let out = out.as_chunks_mut().0;
                let scale = i32x4_shuffle::<0, 0, 0, 0>(scales, scales);
                store_16(&mut out[0], times([low[0], low[1], high[0], high[1]], scale));
                let scale = i32x4_shuffle::<1, 1, 1, 1>(scales, scales);
                store_16(&mut out[1], times([low[2], low[3], high[2], high[3]], scale));
                scales = i32x4_shuffle::<2, 3, 2, 3>(scales, scales);
            }
        });
    }

    /// Half of each of four unsigned floats of eight bits.
    #[inline(always)]
    fn halves_of_f8s(bytes: u32) -> v128 {
        let (bytes, greatest) = (u32x4_splat(bytes), u8x16_splat(0x7f));
        let bits = v128_andnot(v128_and(bytes, greatest), u8x16_eq(bytes, greatest));
        let bits = u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(bits));
        let normal = u32x4_add(u32x4_shl(bits, 20), u32x4_splat((127 - 7 - 1) << 23));
        // These bits could be a subnormal f32's, times a power of two: some processors are slow with such an operand.
        let subnormal = f32x4_mul(f32x4_convert_i32x4(bits), f32x4_splat(1.0 / 1024.0));
        v128_bitselect(subnormal, normal, i32x4_lt(bits, i32x4_splat(8)))
    }
}
