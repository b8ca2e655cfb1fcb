//! Types with one or two bits for a value, for models that are trained with so few.
//!
//! ```text
//! TQ1_0   qs 48 (five ternary digits)  qh 4 (four)  d f16    value = d (digit − 1)
//! TQ2_0   qs 64  d f16                                       value = d (q − 1)
//! Q1_0    d f16  bits 16 bytes, low bit first                value = ± d
//! ```
//!
//! The scale is the mean magnitude, as in the training of BitNet. With the peak as the scale, nearly every normally
//! distributed value would become 0.

use super::scale::{inverse, nearest, push_f16};

pub fn tq1_0(values: &[f32], out: &mut Vec<u8>) {
    let mut factor = Vec::with_capacity(2);
    let digits = ternary(values, &mut factor);
    let mut digits = digits.as_slice();
    // The values are in three stretches of rows. The first digit of a byte belongs to the first row.
    for (columns, rows) in [(32, 5), (16, 5), (4, 4)] {
        let (stretch, rest) = digits.split_at(columns * rows);
        out.extend((0..columns).map(|column| {
            let digit = |row| stretch.get(row * columns + column).map_or(0, |&digit| u32::from(digit));
            let number = (0..5).fold(0, |number, row| number * 3 + digit(row));
            // Scaled from 0..243 to 0..256 and rounded up, so that a reader gets a digit as the carry of × 3.
            (number * 256).div_ceil(243) as u8
        }));
        digits = rest;
    }
    out.extend_from_slice(&factor);
}

pub fn tq2_0(values: &[f32], out: &mut Vec<u8>) {
    let mut factor = Vec::with_capacity(2);
    let digits = ternary(values, &mut factor);
    // A half is four rows of 32, and a byte has one column of them.
    for half in digits.chunks_exact(128) {
        out.extend((0..32).map(|l| (0..4).fold(0, |byte, row| byte | half[32 * row + l] << (2 * row))));
    }
    out.extend_from_slice(&factor);
}

pub fn q1_0(values: &[f32], out: &mut Vec<u8>) {
    push_f16(mean_magnitude(values), out);
    for eight in values.chunks_exact(8) {
        out.push((0..8).fold(0, |byte, i| byte | u8::from(eight[i] >= 0.0) << i));
    }
}

/// Appends the scale to `factor` and returns each value as 0, 1 or 2; 1 stands for zero.
fn ternary(values: &[f32], factor: &mut Vec<u8>) -> Vec<u8> {
    let scale = inverse(push_f16(mean_magnitude(values), factor));
    values.iter().map(|value| (nearest(value * scale, -1, 1) + 1) as u8).collect()
}

fn mean_magnitude(values: &[f32]) -> f32 {
    values.iter().map(|value| value.abs()).sum::<f32>() / values.len() as f32
}
