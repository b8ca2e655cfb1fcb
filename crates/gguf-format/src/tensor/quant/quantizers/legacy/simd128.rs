//! Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 and Q8_1 with vectors.

use core::arch::wasm32::*;

use crate::tensor::quant::mem::{load, store_bytes};
use crate::tensor::quant::quantizers::block::{inverse_or_zero, put_nibbles};
use crate::tensor::quant::quantizers::extremes::{extreme, greatest_magnitude};
use crate::tensor::quant::quantizers::lanes::{load_16, map, nearest_away_from_zero, signed_bytes, unsigned_bytes};

/// The scale that makes the extreme element `-LIMIT`, and the quants plus `LIMIT`.
#[inline(always)]
pub(crate) fn scale_of_extreme<const LIMIT: i32>(x: &[f32; 32]) -> (f32, [u8; 32]) {
    let d = extreme(x) / -(LIMIT as f32);
    let (inverse, half) = (f32x4_splat(inverse_or_zero(d)), f32x4_splat(LIMIT as f32 + 0.5));
    let quants = limited_quants(x, 2 * LIMIT as u8 - 1, |x| f32x4_add(f32x4_mul(x, inverse), half));
    (d, quants)
}

#[inline(always)]
pub(crate) fn quants_from<const LIMIT: u8>(x: &[f32; 32], min: f32, inverse: f32) -> [u8; 32] {
    let (min, inverse, half) = (f32x4_splat(min), f32x4_splat(inverse), f32x4_splat(0.5));
    limited_quants(x, LIMIT, |x| f32x4_add(f32x4_mul(f32x4_sub(x, min), inverse), half))
}

/// The integers below the numbers that `convert` gives, from 0 to `limit`.
#[inline(always)]
fn limited_quants(x: &[f32; 32], limit: u8, convert: impl Fn(v128) -> v128) -> [u8; 32] {
    let mut quants = [0; 32];
    for (quants, x) in quants.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
        let integers = map(load_16(x), |x| i32x4_trunc_sat_f32x4(convert(x)));
        store_bytes(quants, u8x16_min(unsigned_bytes(integers), u8x16_splat(limit)));
    }
    quants
}

/// The scale that makes the greatest magnitude 127, and the quants as bytes.
#[inline(always)]
pub(crate) fn eight_bits(x: &[f32; 32]) -> (f32, [u8; 32]) {
    let d = greatest_magnitude(x) / 127.0;
    let inverse = f32x4_splat(inverse_or_zero(d));
    let mut quants = [0; 32];
    for (quants, x) in quants.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
        let quant = |x| nearest_away_from_zero(f32x4_mul(x, inverse));
        store_bytes(quants, signed_bytes(map(load_16(x), quant)));
    }
    (d, quants)
}

/// Stores `qh` and `qs`.
#[inline(always)]
pub(crate) fn put_five_bits(quants: &[u8; 32], bytes: &mut [u8]) {
    let [first, last] = quants.as_chunks().0 else { unreachable!("32 bytes are two vectors") };
    // The shift moves the fifth bit to the highest bit of its byte.
    let high_bits = |quants: &[u8; 16]| i8x16_bitmask(u16x8_shl(load(quants), 3));
    let qh = u32::from(high_bits(first)) | u32::from(high_bits(last)) << 16;
    bytes[..4].copy_from_slice(&qh.to_le_bytes());
    put_nibbles(quants, &mut bytes[4..]);
}
