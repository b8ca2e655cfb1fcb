//! Types whose quants are indices of sixteen levels.
//!
//! ```text
//! IQ4_NL   d f16  qs 16                                          value = d table[q]
//! IQ4_XS   d f16  scales_h u16  scales_l 4 bytes  qs 128         value = d (sc − 32) table[q]
//! MXFP4    e 1 byte  qs 16                                       value = 2^(e − 128) e2m1[q]
//! NVFP4    d 4 bytes, one for each 16 values  qs 32              value = ue4m3(d) / 2 · e2m1[q]
//! ```
//!
//! The low four bits of the bytes are the first half of a block or part, the high four bits the second half.

use super::scale::{inverse, nearest, peak, push_f16};

/// ggml's `kvalues_iq4nl`. The levels lie closer together near zero, as weights do.
const IQ4_NL: [i8; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/// Twice the magnitudes of the 4-bit floats of OCP Microscaling. The highest bit of an index is the sign.
const E2M1: [f32; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0];

pub fn iq4_nl(values: &[f32], out: &mut Vec<u8>) {
    let scale = inverse(push_f16(peak(values) / f32::from(IQ4_NL[0]), out));
    push_nibbles(values, |value| iq4_nl_index(value * scale), out);
}

pub fn iq4_xs(values: &[f32], out: &mut Vec<u8>) {
    let mut scales = [0.0; 8];
    for (scale, part) in scales.iter_mut().zip(values.chunks_exact(32)) {
        *scale = peak(part) / f32::from(IQ4_NL[0]);
    }
    let d = push_f16(peak(&scales) / -32.0, out);
    let scales = scales.map(|scale| nearest(scale * inverse(d), -32, 31));
    let stored = scales.map(|scale| (scale + 32) as u16);
    let high = (0..8).fold(0, |bits, i| bits | (stored[i] >> 4) << (2 * i));
    out.extend_from_slice(&high.to_le_bytes());
    out.extend(stored.chunks_exact(2).map(|pair| (pair[0] & 15 | (pair[1] & 15) << 4) as u8));
    for (part, scale) in values.chunks_exact(32).zip(scales) {
        let scale = inverse(d * scale as f32);
        push_nibbles(part, |value| iq4_nl_index(value * scale), out);
    }
}

pub fn mxfp4(values: &[f32], out: &mut Vec<u8>) {
    // The largest 4-bit float is 6. So the scale is the power of two that brings the peak between 4 and 8: the exponent
    // of the peak less two. The scale is halved below, because the table is doubled.
    let exponent = ((peak(values).to_bits() >> 23) & 0xff).saturating_sub(2);
    out.push(exponent as u8);
    let scale = match exponent {
        0 | 1 => 0.0, // all values are zero or nearly zero
        _ => inverse(f32::from_bits((exponent - 1) << 23)),
    };
    push_nibbles(values, |value| e2m1_index(value * scale), out);
}

pub fn nvfp4(values: &[f32], out: &mut Vec<u8>) {
    let mut scales = [0.0; 4];
    for (scale, part) in scales.iter_mut().zip(values.chunks_exact(16)) {
        let stored = ue4m3(peak(part).abs() / 6.0);
        out.push(stored);
        *scale = inverse(from_ue4m3(stored) / 2.0);
    }
    for (part, scale) in values.chunks_exact(16).zip(scales) {
        push_nibbles(part, |value| e2m1_index(value * scale), out);
    }
}

fn push_nibbles(values: &[f32], index: impl Fn(f32) -> u8, out: &mut Vec<u8>) {
    let (first, second) = values.split_at(values.len() / 2);
    out.extend(first.iter().zip(second).map(|(&low, &high)| index(low) | index(high) << 4));
}

/// The index of the nearest level: the number of midpoints below the value.
fn iq4_nl_index(value: f32) -> u8 {
    IQ4_NL.windows(2).filter(|pair| value * 2.0 > f32::from(pair[0]) + f32::from(pair[1])).count() as u8
}

fn e2m1_index(value: f32) -> u8 {
    let magnitude = E2M1.windows(2).filter(|pair| value.abs() * 2.0 > pair[0] + pair[1]).count() as u8;
    if value < 0.0 { magnitude | 8 } else { magnitude }
}

/// The nearest unsigned float with four bits of exponent (bias 7) and three of fraction. 0x7f is not a number.
fn ue4m3(value: f32) -> u8 {
    // Below 2^-6 the floats are steps of 2^-9. From there on they are the high bits of an f32, rounded.
    if value < 1.0 / 64.0 {
        return nearest(value * 512.0, 0, 8) as u8;
    }
    let rounded = (value.to_bits() + (1 << 19)) >> 20;
    (rounded - (120 << 3)).min(0x7e) as u8
}

fn from_ue4m3(bits: u8) -> f32 {
    match bits >> 3 {
        0 => f32::from(bits) / 512.0,
        _ => f32::from_bits((u32::from(bits) + (120 << 3)) << 20),
    }
}
