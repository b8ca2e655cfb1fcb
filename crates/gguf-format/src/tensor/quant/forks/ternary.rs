//! Types of other programs whose elements are -d, 0 or d.
//!
//! ```text
//! type        rows   head   block                  elements   program
//! IQ1_BN       1     f16    qs 12 B | extra        64         ik_llama.cpp
//! IQ2_BN       1     f32    qs 16 B                64         ik_llama.cpp
//! IQ2_BN_R4    4     f32    qs 64 B                64         ik_llama.cpp
//! Q2_0_G128    1            d f16 | qs 32 B       128         PrismML's llama.cpp, later PQ2_0
//! ```
//!
//! A byte of IQ1_BN has five ternary digits: digit i is the first one of the byte times 3^i. A byte of IQ2_BN has elements of four rows
//! of 16. Number 3 of two bits stands for 2 d. The scale is that of the row, as in the products of ik_llama.cpp (its `to_float`
//! leaves the scale out).

use super::lanes::{Lanes, NOTHING};
use super::rows::{Layout, RowGroup, for_each_part};

pub(super) fn iq1_bn(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(64, 13).head(2), columns, groups, out, |part, out| {
        const POWERS: [u8; 5] = [81, 27, 9, 3, 1];
        let mut digits = [0; 16];
        for (i, digit) in digits.iter_mut().enumerate() {
            // Five digits of each of three bytes, then one of the last byte of the block.
            let (offset, power) = match i {
                15 => (12, part.sixteenth()),
                _ => (3 * part.sixteenth() + i / 5, i % 5),
            };
            let fraction = (part.u8(offset) as u8).wrapping_mul(POWERS.get(power).copied().unwrap_or_default());
            *digit = ((u32::from(fraction) + u32::from(fraction / 2)) >> 7) as u8 & 3;
        }
        Lanes::new(&digits).plus(-1).store(part.d, NOTHING, out);
    })
}

pub(super) fn iq2_bn(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(64, 16).head(4), columns, groups, out, |part, out| {
        part.lanes(0).bits(2 * part.sixteenth(), 3).plus(-1).store(part.d, NOTHING, out);
    })
}

pub(super) fn iq2_bn_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(64, 16).head(4).together(4), columns, groups, out, |part, out| {
        part.two_bits(0).plus(-1).store(part.d, NOTHING, out);
    })
}

pub(super) fn q2_0_g128(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(128, 34), columns, groups, out, |part, out| {
        let bytes = part.u32(2 + 4 * part.sixteenth());
        let four = |i: u32| {
            let byte = bytes >> (8 * i) & 255;
            byte | byte << 6 | byte << 12 | byte << 18
        };
        Lanes::words([four(0), four(1), four(2), four(3)]).bits(0, 3).plus(-1).store(part.f16(0), NOTHING, out);
    })
}
