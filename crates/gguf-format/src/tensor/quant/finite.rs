//! Whether numbers are finite. The exponent of a NaN and of an infinity has all bits set, and no other exponent is as great.

#[cfg(not(target_feature = "simd128"))]
pub use scalar::{are_finite_16, are_finite_32};
#[cfg(target_feature = "simd128")]
pub use simd128::{are_finite_16, are_finite_32};

/// The bits of the exponent of an F16.
pub const F16_EXPONENT: u16 = 0x7c00;

/// The bits of the exponent of a BF16.
pub const BF16_EXPONENT: u16 = 0x7f80;

/// The bits of the exponent of an F32.
const F32_EXPONENT: u32 = 0x7f80_0000;

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "simd128 checks the last numbers with it"))]
mod scalar {
    use super::F32_EXPONENT;

    /// Whether all numbers of two bytes are finite. They are little-endian, and have the bits `exponent` for their exponents.
    pub fn are_finite_16(numbers: &[u8], exponent: u16) -> bool {
        numbers.as_chunks().0.iter().all(|bytes| u16::from_le_bytes(*bytes) & exponent != exponent)
    }

    /// Whether all F32s are finite. They are little-endian.
    pub fn are_finite_32(numbers: &[u8]) -> bool {
        numbers.as_chunks().0.iter().all(|bytes| u32::from_le_bytes(*bytes) & F32_EXPONENT != F32_EXPONENT)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::{F32_EXPONENT, scalar};
    use crate::tensor::quant::mem::load;

    /// Whether all numbers of two bytes are finite. They are little-endian, and have the bits `exponent` for their exponents.
    pub fn are_finite_16(numbers: &[u8], exponent: u16) -> bool {
        let (exponents, rest) = greatest_exponents(numbers, u16x8_splat(exponent), |a, b| u16x8_max(a, b));
        !v128_any_true(u16x8_eq(exponents, u16x8_splat(exponent))) && scalar::are_finite_16(rest, exponent)
    }

    /// Whether all F32s are finite. They are little-endian.
    pub fn are_finite_32(numbers: &[u8]) -> bool {
        let (exponents, rest) = greatest_exponents(numbers, u32x4_splat(F32_EXPONENT), |a, b| u32x4_max(a, b));
        !v128_any_true(u32x4_eq(exponents, u32x4_splat(F32_EXPONENT))) && scalar::are_finite_32(rest)
    }

    /// The greatest exponent of each lane, and the bytes after the last four vectors.
    #[inline(always)]
    fn greatest_exponents(numbers: &[u8], mask: v128, max: impl Fn(v128, v128) -> v128) -> (v128, &[u8]) {
        let (fours, rest) = numbers.as_chunks::<64>();
        let mut greatest = u32x4_splat(0);
        for four in fours {
            let [a, b, c, d] = four.as_chunks().0 else { unreachable!("64 bytes are four vectors") };
            let [a, b, c, d] = [a, b, c, d].map(|bytes| v128_and(load(bytes), mask));
            greatest = max(greatest, max(max(a, b), max(c, d)));
        }
        (greatest, rest)
    }
}
