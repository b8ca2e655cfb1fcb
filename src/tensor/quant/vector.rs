//! Vectors of integers as vectors of floats.
//!
//! Interleaving is what every engine has one instruction for; a shuffle of any other pattern has to load its pattern
//! first, each time.
//!
//! Arrays of vectors are taken apart, not mapped: where code is to be small, a map of them goes through memory.

use core::arch::wasm32::*;

use super::mem::store;

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

/// 16 numbers of 16 bits as the upper halves of `f32`s.
#[inline(always)]
pub(super) fn upper_halves(low: v128, high: v128) -> [v128; 4] {
    let zero = u16x8_splat(0);
    [zip_low_u16(zero, low), zip_high_u16(zero, low), zip_low_u16(zero, high), zip_high_u16(zero, high)]
}

/// 16 numbers of 16 bits as the lower halves of `f32`s that have the same upper half.
#[inline(always)]
pub(super) fn lower_halves(low: v128, high: v128, upper: u16) -> [v128; 4] {
    let upper = u16x8_splat(upper);
    [zip_low_u16(low, upper), zip_high_u16(low, upper), zip_low_u16(high, upper), zip_high_u16(high, upper)]
}

/// 16 bytes as the uppermost of `f32`s.
#[inline(always)]
pub(super) fn uppermost_bytes(bytes: v128) -> [v128; 4] {
    let zero = u8x16_splat(0);
    upper_halves(zip_low_u8(zero, bytes), zip_high_u8(zero, bytes))
}

/// The bits of 2²³ as an `f32`, whose lower bits count from there on.
pub(super) const COUNTER: u32 = 0x4b00_0000;

/// An integer as an `f32` that counts.
#[inline(always)]
pub(super) fn counter(integer: u32) -> v128 {
    u32x4_splat(COUNTER | integer)
}

/// 16 bytes as the lowest of `f32`s that count.
#[inline(always)]
pub(super) fn counted_bytes(bytes: v128) -> [v128; 4] {
    let zero = u8x16_splat(0);
    lower_halves(zip_low_u8(bytes, zero), zip_high_u8(bytes, zero), (COUNTER >> 16) as u16)
}

/// The bits of vectors that a mask has.
#[inline(always)]
pub(super) fn masked([a, b, c, d]: [v128; 4], mask: i32) -> [v128; 4] {
    let mask = i32x4_splat(mask);
    [v128_and(a, mask), v128_and(b, mask), v128_and(c, mask), v128_and(d, mask)]
}

/// Vectors less others.
#[inline(always)]
pub(super) fn less(a: [v128; 4], b: [v128; 4]) -> [v128; 4] {
    [f32x4_sub(a[0], b[0]), f32x4_sub(a[1], b[1]), f32x4_sub(a[2], b[2]), f32x4_sub(a[3], b[3])]
}

/// Vectors less the same one.
#[inline(always)]
pub(super) fn less_one([a, b, c, d]: [v128; 4], less: v128) -> [v128; 4] {
    [f32x4_sub(a, less), f32x4_sub(b, less), f32x4_sub(c, less), f32x4_sub(d, less)]
}

/// Vectors less the same one, times the same one.
#[inline(always)]
pub(super) fn less_times(a: [v128; 4], less: v128, factor: v128) -> [v128; 4] {
    times(less_one(a, less), factor)
}

/// Vectors times the same one.
#[inline(always)]
pub(super) fn times([a, b, c, d]: [v128; 4], factor: v128) -> [v128; 4] {
    [f32x4_mul(a, factor), f32x4_mul(b, factor), f32x4_mul(c, factor), f32x4_mul(d, factor)]
}

/// Stores 16 elements.
#[inline(always)]
pub(super) fn store_16(out: &mut [f32; 16], elements: [v128; 4]) {
    let ([a, b, c, d], out) = (elements, out.as_chunks_mut().0);
    store(&mut out[0], a);
    store(&mut out[1], b);
    store(&mut out[2], c);
    store(&mut out[3], d);
}
