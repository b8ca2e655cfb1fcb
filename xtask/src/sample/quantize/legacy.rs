//! The first quantised types: blocks of 32 values with a scale, and with a minimum in the `_1` types.
//!
//! ```text
//! Q4_0   d f16         qs 16 bytes                value = d (q − 8)
//! Q4_1   d f16  m f16  qs 16 bytes                value = d q + m
//! Q5_0   d f16         qh u32   qs 16 bytes       value = d (q − 16)
//! Q5_1   d f16  m f16  qh u32   qs 16 bytes       value = d q + m
//! Q8_0   d f16         qs 32 signed bytes         value = d q
//! ```
//!
//! Byte j of a `qs` of 16 bytes has value j in its low four bits and value j + 16 in its high four bits. Bit j of `qh` is
//! the fifth bit of value j.

use super::scale::{inverse, nearest, peak, push_f16};

pub fn q4_0(values: &[f32], out: &mut Vec<u8>) {
    let quants = symmetric(values, 8, out);
    push_nibbles(&quants, out);
}

pub fn q4_1(values: &[f32], out: &mut Vec<u8>) {
    let quants = affine(values, 15, out);
    push_nibbles(&quants, out);
}

pub fn q5_0(values: &[f32], out: &mut Vec<u8>) {
    let quants = symmetric(values, 16, out);
    push_fifth_bits(&quants, out);
    push_nibbles(&quants, out);
}

pub fn q5_1(values: &[f32], out: &mut Vec<u8>) {
    let quants = affine(values, 31, out);
    push_fifth_bits(&quants, out);
    push_nibbles(&quants, out);
}

pub fn q8_0(values: &[f32], out: &mut Vec<u8>) {
    let scale = inverse(push_f16(peak(values).abs() / 127.0, out));
    out.extend(values.iter().map(|value| nearest(value * scale, -127, 127) as u8));
}

/// Appends the scale and returns quants around `zero`. The peak gets the quant −`zero`, which has no positive
/// counterpart. So the sign of the scale is the opposite of the peak's.
fn symmetric(values: &[f32], zero: i32, out: &mut Vec<u8>) -> [u8; 32] {
    let scale = inverse(push_f16(peak(values) / -zero as f32, out));
    core::array::from_fn(|i| (nearest(values[i] * scale, -zero, zero - 1) + zero) as u8)
}

/// Appends the scale and the minimum, and returns quants in `0..=levels`.
fn affine(values: &[f32], levels: i32, out: &mut Vec<u8>) -> [u8; 32] {
    let min = values.iter().copied().fold(f32::INFINITY, f32::min);
    let max = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let scale = inverse(push_f16((max - min) / levels as f32, out));
    let min = push_f16(min, out);
    core::array::from_fn(|i| nearest((values[i] - min) * scale, 0, levels) as u8)
}

fn push_nibbles(quants: &[u8; 32], out: &mut Vec<u8>) {
    out.extend((0..16).map(|i| quants[i] & 15 | quants[i + 16] << 4));
}

fn push_fifth_bits(quants: &[u8; 32], out: &mut Vec<u8>) {
    let bits = (0..32).fold(0u32, |bits, i| bits | u32::from(quants[i] >> 4) << i);
    out.extend_from_slice(&bits.to_le_bytes());
}
