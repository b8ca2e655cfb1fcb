//! Vectors from memory and to it: the only `unsafe` of the crate.
#![allow(unsafe_code, reason = "loads and stores of vectors take pointers")]

use core::arch::wasm32::{u16x8_load_extend_u8x8, v128, v128_load, v128_load64_zero, v128_store};

/// 16 bytes as a vector.
#[inline(always)]
pub(super) fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the reference is to 16 bytes, and a vector is loaded from any address.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Four floats as a vector.
#[inline(always)]
pub(crate) fn load_floats(floats: &[f32; 4]) -> v128 {
    // SAFETY: the reference is to the 16 bytes that are loaded, and a vector is loaded from any address.
    unsafe { v128_load(floats.as_ptr().cast()) }
}

/// 8 bytes as the lower half of a vector; the upper half is zero.
#[inline(always)]
pub(super) fn load_low(bytes: &[u8; 8]) -> v128 {
    // SAFETY: the reference is to 8 bytes, and they are loaded from any address.
    unsafe { v128_load64_zero(bytes.as_ptr().cast()) }
}

/// 8 bytes as 16-bit numbers.
#[inline(always)]
pub(super) fn load_wide(bytes: &[u8; 8]) -> v128 {
    // SAFETY: the reference is to 8 bytes, and they are loaded from any address.
    unsafe { u16x8_load_extend_u8x8(bytes.as_ptr().cast()) }
}

/// Stores four elements.
#[inline(always)]
pub(super) fn store(out: &mut [f32; 4], elements: v128) {
    // SAFETY: the reference is to the 16 bytes that are written, and a vector is stored to any address.
    unsafe { v128_store(out.as_mut_ptr().cast(), elements) }
}
