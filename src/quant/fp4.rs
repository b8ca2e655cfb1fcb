//! The 4-bit floats: sign 1 | exponent 2, bias 1 | fraction 1, under scales of eight bits.
//!
//! ```text
//! MXFP4   e u8 | qs 16 B         1 × 32   2^(e - 127) × fp4(q)
//! NVFP4   d 4 × u8 | qs 32 B     4 × 16   f8(d) × fp4(q)
//! ```
//!
//! A part's first half is in the low four bits of its bytes of `qs`, the second half in the high ones. `f8` is a float
//! without sign: exponent 4, bias 7 | fraction 3; its greatest is 0 instead, and bit 7 is in nobody's way otherwise.
//!
//! ggml works with twice the 4-bit floats, which are integers, and with half the scales; either is zero without a sign.

#[cfg(not(target_feature = "simd128"))]
pub(crate) use scalar::*;
#[cfg(target_feature = "simd128")]
pub(crate) use simd128::*;

/// Twice each 4-bit float.
const TWICE: [i8; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

/// Half of 2^(e - 127): subnormal for the two lowest.
#[inline(always)]
fn half_power(e: u8) -> f32 {
    f32::from_bits(if e < 2 { 0x20_0000 << e } else { (u32::from(e) - 1) << 23 })
}

/// Half of an unsigned float of eight bits.
#[inline(always)]
fn half_f8(byte: u8) -> f32 {
    // The exponent's bias is 127 - 7 too small, which the product mends, also for subnormal numbers.
    let bits = if byte == 0x7f { 0 } else { u32::from(byte & 0x7f) };
    f32::from_bits(bits << 20) * f32::from_bits((254 - 7 - 1) << 23)
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use super::{TWICE, half_f8, half_power};
    use crate::quant::{each, field};

    pub(crate) fn mxfp4(blocks: &[u8], out: &mut [f32]) {
        each::<17, 32>(blocks, out, |block, out| {
            let (low, high) = out.split_at_mut(16);
            floats(half_power(block[0]), field::<16>(block, 1), low, high);
        });
    }

    pub(crate) fn nvfp4(blocks: &[u8], out: &mut [f32]) {
        each::<36, 64>(blocks, out, |block, out| {
            for (part, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let (low, high) = out.split_at_mut(8);
                floats(half_f8(block[part]), field::<8>(block, 4 + part * 8), low, high);
            }
        });
    }

    #[inline(always)]
    fn floats(half_scale: f32, qs: &[u8], low: &mut [f32], high: &mut [f32]) {
        for ((q, low), high) in qs.iter().zip(low).zip(high) {
            *low = f32::from(TWICE[usize::from(q & 15)]) * half_scale;
            *high = f32::from(TWICE[usize::from(q >> 4)]) * half_scale;
        }
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    pub(crate) use super::scalar::{mxfp4, nvfp4};
}
