//! Loads and stores of vectors: the only `unsafe` code of the crate.
#![allow(unsafe_code, reason = "the instructions that load and store vectors take pointers")]

use core::arch::wasm32::{v128, v128_load, v128_load64_lane, v128_load64_zero, v128_store};

/// 16 bytes as a vector.
#[inline(always)]
pub(super) fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the reference covers the 16 bytes that are read, and a vector may be loaded from any address.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Four floats as a vector.
#[inline(always)]
pub(crate) fn load_floats(floats: &[f32; 4]) -> v128 {
    // SAFETY: the reference covers the 16 bytes that are read, and a vector may be loaded from any address.
    unsafe { v128_load(floats.as_ptr().cast()) }
}

/// 8 bytes as the low half of a vector. The high half is zero.
#[inline(always)]
pub(super) fn load_low(bytes: &[u8; 8]) -> v128 {
    // SAFETY: the reference covers the 8 bytes that are read, and they may be loaded from any address.
    unsafe { v128_load64_zero(bytes.as_ptr().cast()) }
}

/// Eight 16-bit integers as a vector.
#[inline(always)]
pub(super) fn load_u16(integers: &[u16; 8]) -> v128 {
    // SAFETY: the reference covers the 16 bytes that are read, and a vector may be loaded from any address.
    unsafe { v128_load(integers.as_ptr().cast()) }
}

/// Four 16-bit integers as the low half of a vector, and four as its high half.
#[inline(always)]
pub(super) fn load_u16_halves([low, high]: [&[u16; 4]; 2]) -> v128 {
    // SAFETY: each reference covers the 8 bytes that are read, and they may be loaded from any address.
    unsafe { v128_load64_lane::<1>(v128_load64_zero(low.as_ptr().cast()), high.as_ptr().cast()) }
}

/// Stores 16 bytes.
#[inline(always)]
pub(super) fn store_bytes(out: &mut [u8; 16], bytes: v128) {
    // SAFETY: the reference covers the 16 bytes that are written, and a vector may be stored to any address.
    unsafe { v128_store(out.as_mut_ptr().cast(), bytes) }
}

/// Stores four floats.
#[inline(always)]
pub(super) fn store(out: &mut [f32; 4], floats: v128) {
    // SAFETY: the reference covers the 16 bytes that are written, and a vector may be stored to any address.
    unsafe { v128_store(out.as_mut_ptr().cast(), floats) }
}
