//! Vectors of integers as vectors of floats.
//!
//! Interleaving is what every engine has one instruction for; a shuffle of any other pattern has to load its pattern
//! first, each time.

use core::arch::wasm32::*;

/// The lower halves of two vectors of bytes in turn: `a[0] b[0] a[1] b[1]`…
#[inline(always)]
pub(super) fn zip_low_u8(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
}

/// The upper halves of two vectors of bytes in turn.
#[inline(always)]
pub(super) fn zip_high_u8(a: v128, b: v128) -> v128 {
    i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
}

/// The lower halves of two vectors of 16-bit numbers in turn: `a[0] b[0] a[1] b[1]`…
#[inline(always)]
pub(super) fn zip_low_u16(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

/// The upper halves of two vectors of 16-bit numbers in turn.
#[inline(always)]
pub(super) fn zip_high_u16(a: v128, b: v128) -> v128 {
    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}

/// Eight 16-bit numbers without a sign, less the same integer, as floats.
#[inline(always)]
pub(super) fn floats(numbers: v128, less: u16) -> [v128; 2] {
    // With this as the upper half of an f32 the lower half counts from 2²³ on.
    let upper = u16x8_splat(0x4b00);
    let less = f32x4_splat((0x80_0000 + u32::from(less)) as f32);
    [f32x4_sub(zip_low_u16(numbers, upper), less), f32x4_sub(zip_high_u16(numbers, upper), less)]
}
