//! The 16-bit floats, as types of their own and as the scales of others.
//!
//! ```text
//! F16    f16          sign 1 | exponent 5, bias 15 | fraction 10
//! BF16   bf16         the upper half of an f32
//! ```

use super::bytes_at;

use_scalar_or_simd128!();

/// The f16 at an offset of a block, as an f32: exactly.
#[inline(always)]
pub(super) fn f16_at(block: &[u8], offset: usize) -> f32 {
    f16_to_f32(u16::from_le_bytes(*bytes_at(block, offset)))
}

/// Widens an f16 as `base + fraction × step`, both of which its sign and exponent tell: a scale is needed for every
/// block, and this takes no branch and no subnormal operand, which some processors are slow with.
#[inline(always)]
fn f16_to_f32(bits: u16) -> f32 {
    let row = usize::from(bits >> 10);
    let fraction = i32::from(bits) << 10 & 0xffc00;
    fraction as f32 * STEPS[row] + BASES[row]
}

static BASES: [f32; 64] = BASES_AND_STEPS.0;
static STEPS: [f32; 64] = BASES_AND_STEPS.1;

/// For each sign and exponent: what the number is without a fraction, and what 2⁻¹⁰ of its fraction's last bit are.
const BASES_AND_STEPS: ([f32; 64], [f32; 64]) = {
    let (mut bases, mut steps) = ([0.0; 64], [0.0; 64]);
    let mut i = 0;
    while i < 32 {
        let power = f32::from_bits((i as u32 + 127 - 15) << 23);
        let step = 1.0 / (1 << 20) as f32;
        (bases[i], steps[i]) = match i {
            0 => (0.0, power * 2.0 * step),
            // No fraction leaves infinity; with any, infinity is taken from infinity, which is NaN.
            31 => (f32::INFINITY, f32::MIN),
            _ => (power, power * step),
        };
        (bases[i + 32], steps[i + 32]) = (-bases[i], -steps[i]);
        i += 1;
    }
    (bases, steps)
};

mod scalar {
    use crate::tensor::quant::{for_each_block, half::f16_at};

    pub(crate) fn f16(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<2, 1>(blocks, out, |bytes, [out]| *out = f16_at(bytes, 0));
    }

    pub(crate) fn bf16(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<2, 1>(blocks, out, |bytes, [out]| {
            *out = f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16)
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    //! F16 by eight at a time, and without a subnormal operand:
    //!
    //! ```text
    //! n    2¹⁶ × the magnitude; of a subnormal number, 2¹⁶ × (1 + fraction) × 2⁻¹⁵
    //! ```
    //!
    //! A subnormal number is fraction × 2⁻¹⁴, and so 2 n - 4, which is less than n for these and for no others.

    use core::arch::wasm32::*;

    use super::scalar;
    use crate::tensor::quant::mem::{load, store};
    use crate::tensor::quant::vector::{zip_high_u16, zip_low_u16};
    use crate::tensor::quant::{Kernel, for_each_block};

    pub(crate) fn f16(blocks: &[u8], out: &mut [f32]) {
        by_eight(blocks, out, scalar::f16, |halves| {
            let magnitudes = v128_and(halves, u16x8_splat(0x7fff));
            // What has all bits of the exponent, infinity and NaN, becomes negative, so that copies of the sign come in.
            // One of them stays, and makes the exponent that of infinity and NaN; others' is 16 too large.
            let shifted = i16x8_shr(i16x8_add(magnitudes, i16x8_splat(0x400)), 3);
            let upper = i16x8_add(v128_and(shifted, u16x8_splat(0x4fff)), u16x8_splat(0x3f80));
            let lower = u16x8_shl(halves, 13);
            let factors = v128_or(v128_and(halves, u16x8_splat(0x8000)), u16x8_splat(0x3780));
            let zero = u16x8_splat(0);
            [
                signed(zip_low_u16(lower, upper), zip_low_u16(zero, factors)),
                signed(zip_high_u16(lower, upper), zip_high_u16(zero, factors)),
            ]
        });
    }

    #[inline(always)]
    fn signed(n: v128, factor: v128) -> v128 {
        f32x4_mul(f32x4_pmin(n, f32x4_sub(f32x4_add(n, n), f32x4_splat(4.0))), factor)
    }

    pub(crate) fn bf16(blocks: &[u8], out: &mut [f32]) {
        let zero = u16x8_splat(0);
        by_eight(blocks, out, scalar::bf16, |halves| [zip_low_u16(zero, halves), zip_high_u16(zero, halves)]);
    }

    #[inline(always)]
    fn by_eight(blocks: &[u8], out: &mut [f32], rest: Kernel, to_floats: impl Fn(v128) -> [v128; 2]) {
        for_each_block::<16, 8>(blocks, out, |halves, out| {
            let ([a, b], out) = (to_floats(load(halves)), out.as_chunks_mut().0);
            store(&mut out[0], a);
            store(&mut out[1], b);
        });
        let done = (blocks.len() / 2).min(out.len()) & !7;
        rest(&blocks[2 * done..], &mut out[done..]);
    }
}

#[cfg(test)]
mod tests {
    use super::f16_at;

    #[test]
    fn every_f16_is_widened() {
        for bits in 0..=u16::MAX {
            let (float, expected) = (f16_at(&bits.to_le_bytes(), 0), half::f16::from_bits(bits).to_f32());
            assert!(float.to_bits() == expected.to_bits() || float.is_nan() && expected.is_nan(), "{bits:#06x}");
        }
    }
}
