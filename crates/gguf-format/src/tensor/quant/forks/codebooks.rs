//! The K types of ik_llama.cpp: a quant is the index of a level in a codebook, and a sub-scale can choose the shifted codebook.
//!
//! ```text
//! type      head   block of 256                                                               sub-scales
//! IQ2_K            d f16 | shifted u16 | scales 8 B | qs 64 B                                 16
//! IQ3_K            d f16 | shifted u16 | signs u16 | scales 8 B | qs 64 B | qh 32 B           16
//! IQ4_K            d f16 | shifted u16 | scales_h 4 B | scales_l 8 B | qs 128 B               16
//! IQ5_K            d f16 | shifted u16 | scales_h 4 B | scales_l 8 B | qs 128 B | qh 32 B     16
//! IQ4_KS    f32    scales 8 B | qs 128 B                                                       8
//! IQ5_KS    f32    scales 8 B | qs 128 B | qh 32 B                                             8
//! IQ4_KSS   f32    8 × 8 × u16, each with a bit of a scale and 15 bits of quants               8
//! IQ2_KS    f16    shifted and scales_h u16 | scales_l 4 B | qs 64 B                           8
//! IQ3_KS    f16    scales_h and shifted u16 | scales_l 4 B | qs 64 B | qh 32 B                 8
//! IQ2_KL    f16    scales_h u16 | scales_l 4 B | qs 64 B | qh 16 B                             8
//! ```
//!
//! An element is d × sub-scale × level. `d` is in the block or in the head of the row. An index of IQ2_KL stands for a pair of
//! elements. The layouts and the codebooks are those of ik_llama.cpp, August 2026.

use super::lanes::{Lanes, Levels};
use super::rows::{Layout, Part, RowGroup, for_each_part};
use crate::tensor::quant::iq4::LEVELS;

/// The levels of a codebook, and how much larger those of the shifted one are.
pub(super) struct Codebook<const N: usize> {
    pub levels: Levels<N>,
    shift: i8,
}

pub(super) static TWO_BITS: Codebook<1> = Codebook { levels: Levels::new(&[-31, -13, 1, 17]), shift: 5 };
pub(super) static THREE_BITS: Codebook<1> =
    Codebook { levels: Levels::new(&[-63, -40, -23, -10, 1, 13, 28, 47]), shift: 4 };
pub(super) static FOUR_BITS: Codebook<1> = Codebook { levels: Levels::new(&LEVELS), shift: 4 };
pub(super) static FIVE_BITS: Codebook<2> = Codebook {
    levels: Levels::new(&[
        -126, -114, -103, -92, -83, -74, -65, -57, -50, -43, -36, -30, -24, -18, -12, -6, -1, 5, 11, 17, 23, 29, 36,
        43, 51, 59, 68, 77, 87, 97, 109, 121,
    ]),
    shift: 2,
};

/// The levels of the pairs of IQ2_KL.
static FIRST_OF_PAIR: Levels<2> = Levels::new(&[
    -63, -63, -40, -40, -40, -40, -23, -23, -23, -23, -23, -10, -10, -10, -10, 1, 1, 1, 1, 1, 13, 13, 13, 13, 13, 28,
    28, 28, 28, 28, 47, 47,
]);
static SECOND_OF_PAIR: Levels<2> = Levels::new(&[
    -23, 13, -63, -10, 13, 47, -40, -23, 1, 13, 28, -63, 1, 13, 47, -23, -10, 1, 13, 28, -40, -23, -10, 1, 13, -63,
    -23, 1, 28, 47, -23, 13,
]);

impl<const N: usize> Codebook<N> {
    /// The levels of indices, if the lowest bit of `shifted` is set those of the shifted codebook.
    pub fn look_up(&self, indices: Lanes, shifted: u32) -> Lanes {
        let shift = if shifted & 1 == 1 { self.shift } else { 0 };
        indices.levels(&self.levels).plus(shift)
    }
}

pub(super) fn iq2_k(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 76), columns, groups, out, |part, out| {
        let sub_scale = part.nibble(4 + part.pair, part.half) as i32 - 8;
        let levels = TWO_BITS.look_up(two_bits(part, 12), part.u16(2) >> part.sixteenth());
        levels.store_scaled(part.f16(0), sub_scale, out);
    })
}

pub(super) fn iq3_k(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 110), columns, groups, out, |part, out| {
        let sub_scale = 2 * part.nibble(6 + part.pair, part.half) as i32 + 1;
        let is_negative = part.u16(4) >> part.sixteenth() & 1 == 1;
        let indices = two_bits(part, 14).with(high_bit(part, 78), 2);
        let levels = THREE_BITS.look_up(indices, part.u16(2) >> part.sixteenth());
        levels.store_scaled(part.f16(0), if is_negative { -sub_scale } else { sub_scale }, out);
    })
}

pub(super) fn iq4_k(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 144), columns, groups, out, |part, out| {
        let indices = part.lanes(16 + 16 * part.pair).bits(4 * part.half, 15);
        store_six_bit_scaled(part, FOUR_BITS.look_up(indices, part.u16(2) >> part.sixteenth()), out);
    })
}

pub(super) fn iq5_k(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 176), columns, groups, out, |part, out| {
        let indices = five_bits(part, 16);
        store_six_bit_scaled(part, FIVE_BITS.look_up(indices, part.u16(2) >> part.sixteenth()), out);
    })
}

pub(super) fn iq4_ks(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 136).head(4), columns, groups, out, |part, out| {
        let indices = part.lanes(8 + 16 * part.pair).bits(4 * part.half, 15);
        store_by_scale_byte(part, part.u8(part.pair), &FOUR_BITS, indices, out);
    })
}

pub(super) fn iq5_ks(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 168).head(4), columns, groups, out, |part, out| {
        store_by_scale_byte(part, part.u8(part.pair), &FIVE_BITS, five_bits(part, 8), out);
    })
}

pub(super) fn iq4_kss(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 128).head(4), columns, groups, out, |part, out| {
        let offset = 16 * part.pair;
        let scale = (0..8).fold(0, |scale, i| scale | (part.u8(offset + 2 * i) & 1) << i);
        let word = |i: usize| {
            // The lowest bits of both halves are clear, so none moves from one to the other.
            let word = part.u32(offset + 4 * i) & 0xfffe_fffe;
            word ^ word >> 1
        };
        let indices = Lanes::words([word(0), word(1), word(2), word(3)]).bits(4 * part.half, 15);
        store_by_scale_byte(part, scale, &FOUR_BITS, indices, out);
    })
}

pub(super) fn iq2_ks(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 70).head(2), columns, groups, out, |part, out| {
        let bits = part.u16(0) >> part.pair;
        let sub_scale = part.nibble(2 + part.pair / 2, part.pair % 2) | (bits >> 8 & 1) << 4;
        TWO_BITS.look_up(two_bits(part, 6), bits).store_scaled(part.d, sub_scale as i32 - 16, out);
    })
}

pub(super) fn iq3_ks(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 102).head(2), columns, groups, out, |part, out| {
        let bits = part.u16(0) >> part.pair;
        let sub_scale = part.nibble(2 + part.pair % 4, part.pair / 4) | (bits & 1) << 4;
        let indices = two_bits(part, 6).with(high_bit(part, 70), 2);
        THREE_BITS.look_up(indices, bits >> 8).store_scaled(part.d, sub_scale as i32 - 16, out);
    })
}

pub(super) fn iq2_kl(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 86).head(2), columns, groups, out, |part, out| {
        let sub_scale = part.nibble(2 + part.pair % 4, part.pair / 4) | (part.u16(0) >> (2 * part.pair) & 3) << 4;
        let low = part.lanes(6 + part.pair / 2 * 16).bits(part.pair % 2 * 4, 15);
        let indices = low.with(part.lanes(70).bits(part.pair, 1), 4);
        let pairs = indices.levels(&FIRST_OF_PAIR).zip(indices.levels(&SECOND_OF_PAIR), part.half);
        pairs.store_scaled(part.d, sub_scale as i32 - 32, out);
    })
}

/// The indices of two bits in `qs` at an offset: four sub-blocks of 32 in each 32 bytes.
fn two_bits(part: &Part, offset: usize) -> Lanes {
    part.lanes(offset + part.pair / 4 * 32 + part.half * 16).bits(part.pair % 4 * 2, 3)
}

/// The indices of five bits in `qs` at an offset, two sub-blocks of 32 in each 32 bytes, and in `qh` behind it.
fn five_bits(part: &Part, offset: usize) -> Lanes {
    let low = part.lanes(offset + part.pair / 2 * 32 + part.half * 16).bits(part.pair % 2 * 4, 15);
    low.with(high_bit(part, offset + 128), 4)
}

/// The bits in `qh` at an offset: one sub-block of 32 has the same bit of all 32 bytes.
fn high_bit(part: &Part, offset: usize) -> Lanes {
    part.lanes(offset + part.half * 16).bits(part.pair, 1)
}

/// Stores levels of IQ4_K and IQ5_K. Their sub-scales have six bits.
fn store_six_bit_scaled(part: &Part, levels: Lanes, out: &mut [f32; 16]) {
    let high = part.u8(4 + part.pair / 2) >> (part.sixteenth() % 4 * 2) & 3;
    let sub_scale = part.nibble(8 + part.pair, part.half) | high << 4;
    levels.store_scaled(part.f16(0), sub_scale as i32 - 32, out);
}

/// Stores the levels of indices. The lowest bit of the scale byte chooses the codebook.
pub(super) fn store_by_scale_byte<const N: usize>(
    part: &Part,
    scale: u32,
    codebook: &Codebook<N>,
    indices: Lanes,
    out: &mut [f32; 16],
) {
    codebook.look_up(indices, scale).store_scaled(part.d, (scale & 254) as i32 - 127, out);
}
