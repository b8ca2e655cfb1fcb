//! The 16-bit floats, as types of their own and as the scales of others.
//!
//! ```text
//! F16    f16          sign 1 | exponent 5, bias 15 | fraction 10
//! BF16   bf16         the upper half of an f32
//! ```

use super::{each, field};

/// The f16 at an offset of a block, as an f32: exactly.
#[inline(always)]
pub(super) fn f16_at(block: &[u8], offset: usize) -> f32 {
    f16_to_f32(u16::from_le_bytes(*field(block, offset)))
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

pub(crate) fn f16(blocks: &[u8], out: &mut [f32]) {
    each::<2, 1>(blocks, out, |bytes, [out]| *out = f16_to_f32(u16::from_le_bytes(*bytes)));
}

pub(crate) fn bf16(blocks: &[u8], out: &mut [f32]) {
    each::<2, 1>(blocks, out, |bytes, [out]| *out = f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16));
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
