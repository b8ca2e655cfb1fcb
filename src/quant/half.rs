//! The 16-bit floats, as types of their own and as the scales of others.
//!
//! ```text
//! F16    f16          sign 1 | exponent 5, bias 15 | fraction 10
//! BF16   bf16         the upper half of an f32
//! ```

use super::field;

/// The f16 at an offset of a block, as an f32: exactly, subnormal numbers included.
#[inline(always)]
pub(super) fn f16_at(block: &[u8], offset: usize) -> f32 {
    f16_to_f32(u16::from_le_bytes(*field(block, offset)))
}

/// Widens an f16, without a branch that data decides: scales are needed for every block.
#[inline(always)]
fn f16_to_f32(bits: u16) -> f32 {
    let bits = u32::from(bits);
    let (sign, rest) = (bits << 16 & 0x8000_0000, bits & 0x7fff);
    // The exponent's bias is 127 - 15 too small then, which the product mends, also for subnormal numbers.
    let scaled = f32::from_bits(rest << 13) * f32::from_bits((254 - 15) << 23);
    // Infinity and NaN have all bits of the exponent set.
    let special = if rest >= 0x7c00 { 0x7f80_0000 } else { 0 };
    f32::from_bits(scaled.to_bits() | special | sign)
}

pub(crate) fn f16(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
pub(crate) fn bf16(_blocks: &[u8], _out: &mut [f32]) {
    todo!()
}
