//! The K types: blocks of 256 values in parts of 16 or 32, whose scales are quantised too.
//!
//! ```text
//! Q2_K   scales 16 bytes (scale | min << 4)  qs 64  d f16  dmin f16   value = d sc q − dmin m
//! Q3_K   hmask 32  qs 64  scales 12 (6 bits each)  d f16              value = d (sc − 32) (q − 4)
//! Q4_K   d f16  dmin f16  scales 12 (6 bits each)  qs 128             value = d sc q − dmin m
//! Q5_K   d f16  dmin f16  scales 12 (6 bits each)  qh 32  qs 128      value = d sc q − dmin m
//! Q6_K   ql 128  qh 64  scales 16 signed bytes  d f16                 value = d sc (q − 32)
//! ```

use super::scale::{inverse, nearest, peak, push_f16};

pub fn q2_k(values: &[f32], out: &mut Vec<u8>) {
    let parts = Affine::<16>::fit(values, 3, 15);
    out.extend((0..16).map(|i| parts.scales[i] | parts.mins[i] << 4));
    push_crumbs(&parts.quants, out);
    out.extend_from_slice(&parts.factors);
}

pub fn q3_k(values: &[f32], out: &mut Vec<u8>) {
    let parts = Symmetric::<16>::fit(values, 4, 32);
    // Bit n of mask byte l is the third bit of value 32 n + l.
    out.extend((0..32).map(|l| (0..8).fold(0, |mask, n| mask | (parts.quants[32 * n + l] >> 2) << n)));
    push_crumbs(&parts.quants, out);
    // The low four bits of the scales fill eight bytes: scale i in the low half, scale i + 8 in the high half. The high
    // two bits of scales i, i + 4, i + 8 and i + 12 share a byte.
    let scales = parts.scales.map(|scale| (scale + 32) as u8);
    out.extend((0..8).map(|i| scales[i] & 15 | (scales[i + 8] & 15) << 4));
    out.extend((0..4).map(|i| (0..4).fold(0, |byte, n| byte | (scales[i + 4 * n] >> 4) << (2 * n))));
    out.extend_from_slice(&parts.factor);
}

pub fn q4_k(values: &[f32], out: &mut Vec<u8>) {
    let parts = Affine::<8>::fit(values, 15, 63);
    out.extend_from_slice(&parts.factors);
    push_scales_and_mins(&parts, out);
    push_nibbles(&parts.quants, out);
}

pub fn q5_k(values: &[f32], out: &mut Vec<u8>) {
    let parts = Affine::<8>::fit(values, 31, 63);
    out.extend_from_slice(&parts.factors);
    push_scales_and_mins(&parts, out);
    // Bit n of byte l is the fifth bit of value 32 n + l.
    out.extend((0..32).map(|l| (0..8).fold(0, |byte, n| byte | (parts.quants[32 * n + l] >> 4) << n)));
    push_nibbles(&parts.quants, out);
}

pub fn q6_k(values: &[f32], out: &mut Vec<u8>) {
    let parts = Symmetric::<16>::fit(values, 32, 128);
    // A half of 128 values is four rows of 32. Rows 0 and 2 share 32 bytes of `ql`, rows 1 and 3 the next 32. The two
    // high bits of a column share a byte of `qh`.
    for half in parts.quants.chunks_exact(128) {
        out.extend((0..64).map(|l| half[l] & 15 | half[l + 64] << 4));
    }
    for half in parts.quants.chunks_exact(128) {
        out.extend((0..32).map(|l| (0..4).fold(0, |byte, row| byte | (half[32 * row + l] >> 4) << (2 * row))));
    }
    out.extend(parts.scales.iter().map(|&scale| scale as u8));
    out.extend_from_slice(&parts.factor);
}

/// A block whose parts have a scale and a minimum: value = d scale q − dmin min.
struct Affine<const N: usize> {
    /// `d` and `dmin` as stored.
    factors: Vec<u8>,
    scales: [u8; N],
    mins: [u8; N],
    quants: [u8; 256],
}

impl<const N: usize> Affine<N> {
    /// Fits quants in `0..=levels` with scales and mins in `0..=top`.
    fn fit(values: &[f32], levels: i32, top: i32) -> Self {
        let mut scales = [0.0f32; N];
        let mut mins = [0.0f32; N];
        for (i, part) in values.chunks_exact(256 / N).enumerate() {
            // A minimum is stored as what is subtracted, without a sign. So the range of positive values begins at 0.
            let (mut min, mut max) = (0.0f32, part[0]);
            for &value in part {
                min = if value < min { value } else { min };
                max = if value > max { value } else { max };
            }
            scales[i] = (max - min) / levels as f32;
            mins[i] = -min;
        }
        let mut factors = Vec::with_capacity(4);
        let d = push_f16(peak(&scales) / top as f32, &mut factors);
        let dmin = push_f16(peak(&mins) / top as f32, &mut factors);
        let scales = scales.map(|scale| nearest(scale * inverse(d), 0, top) as u8);
        let mins = mins.map(|min| nearest(min * inverse(dmin), 0, top) as u8);
        let mut quants = [0; 256];
        for (i, part) in values.chunks_exact(256 / N).enumerate() {
            let scale = inverse(d * f32::from(scales[i]));
            let min = dmin * f32::from(mins[i]);
            for (quant, value) in quants[i * (256 / N)..].iter_mut().zip(part) {
                *quant = nearest((value + min) * scale, 0, levels) as u8;
            }
        }
        Self { factors, scales, mins, quants }
    }
}

/// A block whose parts have a signed scale: value = d scale (q − zero).
struct Symmetric<const N: usize> {
    /// `d` as stored.
    factor: Vec<u8>,
    scales: [i32; N],
    quants: [u8; 256],
}

impl<const N: usize> Symmetric<N> {
    /// Fits quants in `0..2 zero` with scales in `−scale_zero..scale_zero`.
    fn fit(values: &[f32], zero: i32, scale_zero: i32) -> Self {
        let mut scales = [0.0f32; N];
        for (scale, part) in scales.iter_mut().zip(values.chunks_exact(256 / N)) {
            *scale = peak(part) / -zero as f32;
        }
        let mut factor = Vec::with_capacity(2);
        let d = push_f16(peak(&scales) / -scale_zero as f32, &mut factor);
        let scales = scales.map(|scale| nearest(scale * inverse(d), -scale_zero, scale_zero - 1));
        let mut quants = [0; 256];
        for (i, part) in values.chunks_exact(256 / N).enumerate() {
            let scale = inverse(d * scales[i] as f32);
            for (quant, value) in quants[i * (256 / N)..].iter_mut().zip(part) {
                *quant = (nearest(value * scale, -zero, zero - 1) + zero) as u8;
            }
        }
        Self { factor, scales, quants }
    }
}

/// Appends the low two bits. A half of 128 values is four rows of 32, and a byte has one column of them.
fn push_crumbs(quants: &[u8; 256], out: &mut Vec<u8>) {
    for half in quants.chunks_exact(128) {
        out.extend((0..32).map(|l| (0..4).fold(0, |byte, row| byte | (half[32 * row + l] & 3) << (2 * row))));
    }
}

/// Appends the low four bits. A quarter of 64 values is two rows of 32, and a byte has one column of them.
fn push_nibbles(quants: &[u8; 256], out: &mut Vec<u8>) {
    for quarter in quants.chunks_exact(64) {
        out.extend((0..32).map(|l| quarter[l] & 15 | quarter[l + 32] << 4));
    }
}

/// Appends eight scales and minima of six bits in twelve bytes. The first four of each have the low six bits of a byte.
/// Of the last four, the low bits share a byte, and the high two bits are above the six of the first four.
fn push_scales_and_mins(parts: &Affine<8>, out: &mut Vec<u8>) {
    let Affine { scales, mins, .. } = parts;
    out.extend((0..4).map(|i| scales[i] | (scales[i + 4] >> 4) << 6));
    out.extend((0..4).map(|i| mins[i] | (mins[i + 4] >> 4) << 6));
    out.extend((4..8).map(|i| scales[i] & 15 | mins[i] << 4));
}
