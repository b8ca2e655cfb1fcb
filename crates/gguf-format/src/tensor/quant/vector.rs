//! Vectors of integers as vectors of floats.
//!
//! Bytes are widened by interleaving, because every engine has one instruction for that. Any other shuffle first loads
//! its pattern, each time.
//!
//! # Biased integers
//!
//! The biased form of an integer n below 2²³ is the `f32` 2²³ + n. Its bits are those of 2²³ with n in the lowest bits.
//! So an integer becomes a float by placing its bits, and a subtraction of floats removes the bias, exactly.

use core::arch::wasm32::*;
use core::ops::{Add, BitAnd, Mul, Sub};

use super::mem::store;

/// The low halves of two vectors of bytes, interleaved: `a[0] b[0] a[1] b[1]`…
#[inline(always)]
pub(super) fn zip_low_u8(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
}

/// The high halves of two vectors of bytes, interleaved.
#[inline(always)]
pub(super) fn zip_high_u8(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
}

/// The low halves of two vectors of 16-bit integers, interleaved: `a[0] b[0] a[1] b[1]`…
#[inline(always)]
pub(super) fn zip_low_u16(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

/// The high halves of two vectors of 16-bit integers, interleaved.
#[inline(always)]
pub(super) fn zip_high_u16(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}

/// 16 floats. Arithmetic with a vector applies the vector to each four of them.
#[derive(Clone, Copy)]
pub(super) struct F32x16([v128; 4]);

impl F32x16 {
    #[inline(always)]
    pub(super) fn new(vectors: [v128; 4]) -> Self {
        Self(vectors)
    }

    /// The floats whose high halves are 16 integers of 16 bits; the low halves are zero.
    #[inline(always)]
    pub(super) fn from_high_halves(first: v128, last: v128) -> Self {
        let zero = u16x8_splat(0);
        Self([zip_low_u16(zero, first), zip_high_u16(zero, first), zip_low_u16(zero, last), zip_high_u16(zero, last)])
    }

    /// The floats whose low halves are 16 integers of 16 bits; all have the same high half.
    #[inline(always)]
    pub(super) fn from_low_halves(first: v128, last: v128, high: u16) -> Self {
        let high = u16x8_splat(high);
        Self([zip_low_u16(first, high), zip_high_u16(first, high), zip_low_u16(last, high), zip_high_u16(last, high)])
    }

    /// The floats whose highest bytes are 16 bytes; their other bytes are zero.
    #[inline(always)]
    pub(super) fn from_high_bytes(bytes: v128) -> Self {
        let zero = u8x16_splat(0);
        Self::from_high_halves(zip_low_u8(zero, bytes), zip_high_u8(zero, bytes))
    }

    /// 16 biased integers of 8 bits.
    #[inline(always)]
    pub(super) fn biased_u8(bytes: v128) -> Self {
        let zero = u8x16_splat(0);
        Self::biased_u16(zip_low_u8(bytes, zero), zip_high_u8(bytes, zero))
    }

    /// 16 biased integers of 16 bits.
    #[inline(always)]
    pub(super) fn biased_u16(first: v128, last: v128) -> Self {
        Self::from_low_halves(first, last, (BIAS >> 16) as u16)
    }

    #[inline(always)]
    pub(super) fn map(self, convert: impl Fn(v128) -> v128) -> Self {
        let [a, b, c, d] = self.0;
        Self([convert(a), convert(b), convert(c), convert(d)])
    }

    #[inline(always)]
    pub(super) fn into_vectors(self) -> [v128; 4] {
        self.0
    }

    #[inline(always)]
    pub(super) fn store(self, out: &mut [f32; 16]) {
        let ([a, b, c, d], out) = (self.0, out.as_chunks_mut().0);
        store(&mut out[0], a);
        store(&mut out[1], b);
        store(&mut out[2], c);
        store(&mut out[3], d);
    }
}

/// The bits of the `f32` 2²³, the bias of biased integers.
pub(super) const BIAS: u32 = 0x4b00_0000;

/// The biased form of an integer in every lane.
#[inline(always)]
pub(super) fn biased(integer: u32) -> v128 {
    u32x4_splat(BIAS | integer)
}

impl Add<v128> for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, addend: v128) -> Self {
        self.map(|vector| f32x4_add(vector, addend))
    }
}

impl Sub<v128> for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, subtrahend: v128) -> Self {
        self.map(|vector| f32x4_sub(vector, subtrahend))
    }
}

impl Sub for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, Self([e, f, g, h]): Self) -> Self {
        let [a, b, c, d] = self.0;
        Self([f32x4_sub(a, e), f32x4_sub(b, f), f32x4_sub(c, g), f32x4_sub(d, h)])
    }
}

impl Mul<v128> for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: v128) -> Self {
        self.map(|vector| f32x4_mul(vector, factor))
    }
}

/// The bits that are set in the mask.
impl BitAnd<v128> for F32x16 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, mask: v128) -> Self {
        self.map(|vector| v128_and(vector, mask))
    }
}

/// 32 bits as bytes, the lowest bit first: 0xff if the bit is set, 0 if it is clear.
#[inline(always)]
pub(super) fn bits_as_bytes(bits: u32) -> [v128; 2] {
    let bytes = u32x4_splat(bits);
    let twice = zip_low_u8(bytes, bytes);
    let four_times = zip_low_u16(twice, twice);
    let bit = u64x2_splat(0x8040_2010_0804_0201);
    [
        i8x16_eq(v128_and(i32x4_shuffle::<0, 0, 1, 1>(four_times, four_times), bit), bit),
        i8x16_eq(v128_and(i32x4_shuffle::<2, 2, 3, 3>(four_times, four_times), bit), bit),
    ]
}
