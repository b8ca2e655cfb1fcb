//! Q1_0 and Q2_0. The scale of Q1_0 is the mean magnitude, that of Q2_0 the greatest.

use super::block::{for_each_block, inverse_or_zero, put_f16};
use super::extremes::greatest_magnitude;
use super::rounding::nearest_away_from_zero;

pub(super) fn q1_0(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<128, 18>(row, None, out, |x, _, block| {
        put_f16(block, 0, x.iter().fold(0.0, |sum, x| sum + x.abs()) / 128.0);
        for (byte, x) in block[2..].iter_mut().zip(x.as_chunks::<8>().0) {
            *byte = x.iter().rev().fold(0, |bits, x| bits << 1 | u8::from(*x >= 0.0));
        }
    });
}

pub(super) fn q2_0(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<64, 18>(row, None, out, |x, _, block| {
        let d = greatest_magnitude(x);
        let inverse = inverse_or_zero(d);
        put_f16(block, 0, d);
        for (byte, x) in block[2..].iter_mut().zip(x.as_chunks::<4>().0) {
            *byte = x
                .iter()
                .rev()
                .fold(0, |bits, x| bits << 2 | nearest_away_from_zero(x * inverse).saturating_add(1).clamp(0, 3) as u8);
        }
    });
}
