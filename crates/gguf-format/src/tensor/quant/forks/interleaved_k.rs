//! Interleaved forms of the K types, those of ggml and those of ik_llama.cpp: four rows in a group, eight for IQ4_XS_R8.
//!
//! ```text
//! type        head   block of 256                                                                  sub-scales
//! Q2_K_R4            d 4 × f16 | dmin 4 × f16 | scales 64 B | qs 256 B                              64 s, m
//! Q3_K_R4            d 4 × f16 | scales_h 16 B | scales_l 32 B | qh 128 B | qs 256 B                64
//! Q4_K_R4            d 4 × f16 | dmin 4 × f16 | scales_h 16 B | scales_l 32 B | qs 512 B            32 s, m
//! Q5_K_R4            d 4 × f16 | dmin 4 × f16 | scales_h 16 B | scales_l 32 B | qh 128 B | qs 512 B 32 s, m
//! Q6_K_R4            d 4 × f16 | scales 64 × i8 | qh 256 B | qs 512 B                               64
//! IQ4_XS_R8          d 8 × f16 | scales_h 16 B | scales_l 32 B | qs 1024 B                          64
//! IQ2_K_R4           d 4 × f16 | shifted 8 B | scales 32 B | qs 256 B                               64
//! IQ3_K_R4           d 4 × f16 | shifted 8 B | signs 8 B | scales 32 B | qs 256 B | qh 128 B        64
//! IQ4_K_R4           d 4 × f16 | shifted 8 B | scales_h 16 B | scales_l 32 B | qs 512 B             64
//! IQ5_K_R4           d 4 × f16 | shifted 8 B | scales_h 16 B | scales_l 32 B | qs 512 B | qh 128 B  64
//! IQ4_KS_R4   f32    scales 32 B | qs 512 B                                                         32
//! IQ5_KS_R4   f32    scales 32 B | qs 512 B | qh 128 B                                              32
//! ```
//!
//! The elements are those of the types without `_R`. Only the places of quants, sub-scales (s) and minima (m) differ.

use super::codebooks::{Codebook, FIVE_BITS, FOUR_BITS, THREE_BITS, TWO_BITS, store_by_scale_byte};
use super::lanes::Lanes;
use super::rows::{Layout, Part, RowGroup, for_each_part};

pub(super) fn q2_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(84), columns, groups, out, |part, out| {
        let scales = part.u8(16 + part.scale_of_four());
        store_with_minimum(part, part.two_bits(80), scales & 15, scales >> 4, out);
    })
}

pub(super) fn q3_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(110), columns, groups, out, |part, out| {
        let quants = part.two_bits(184).with(part.third_bits(56), 2).plus(-4);
        quants.store_scaled(part.f16(2 * part.row), six_bits(part, part.scale_of_four(), 8), out);
    })
}

pub(super) fn q4_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(144), columns, groups, out, |part, out| {
        store_with_six_bit_minimum(part, part.four_bits(64), out);
    })
}

pub(super) fn q5_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(176), columns, groups, out, |part, out| {
        let high = part.u32(64 + 16 * part.pair + 4 * part.row) >> (4 * part.half);
        let quants = part.four_bits(192).with(Lanes::spread(high, [0, 2, 1, 3], 1), 4);
        store_with_six_bit_minimum(part, quants, out);
    })
}

pub(super) fn q6_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(210), columns, groups, out, |part, out| {
        let high = Lanes::spread(part.u32(72 + 4 * part.scale_of_four()), [0, 4, 2, 6], 3);
        let quants = part.four_bits(328).with(high, 4).plus(-32);
        quants.store_scaled(part.f16(2 * part.row), part.i8(8 + part.scale_of_four()), out);
    })
}

pub(super) fn iq4_xs_r8(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 136).together(8), columns, groups, out, |part, out| {
        let offset = 64 + 64 * part.sixteenth() + 4 * part.row;
        let (first, second) = (part.u32(offset), part.u32(offset + 32));
        let levels = Lanes::words([first, first >> 4, second, second >> 4]).bits(0, 15).levels(&FOUR_BITS.levels);
        levels.store_scaled(part.f16(2 * part.row), six_bits(part, 8 * part.pair + part.row, 16), out);
    })
}

pub(super) fn iq2_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(76), columns, groups, out, |part, out| {
        let scale = part.scale_of_four();
        let sub_scale = part.nibble(16 + scale % 32, scale / 32) as i32 - 8;
        store_levels(part, &TWO_BITS, part.two_bits(48), sub_scale, out);
    })
}

pub(super) fn iq3_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(110), columns, groups, out, |part, out| {
        let scale = part.scale_of_four();
        let sub_scale = 2 * part.nibble(24 + scale % 32, scale / 32) as i32 + 1;
        let is_negative = part.u8(16 + scale % 8) >> (scale / 8) & 1 == 1;
        let indices = part.two_bits(56).with(part.third_bits(312), 2);
        store_levels(part, &THREE_BITS, indices, if is_negative { -sub_scale } else { sub_scale }, out);
    })
}

pub(super) fn iq4_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(144), columns, groups, out, |part, out| {
        store_levels(part, &FOUR_BITS, part.four_bits(64), six_bits(part, part.scale_of_four(), 16), out);
    })
}

pub(super) fn iq5_k_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(176), columns, groups, out, |part, out| {
        let sub_scale = six_bits(part, part.scale_of_four(), 16);
        store_levels(part, &FIVE_BITS, five_bits(part, 64), sub_scale, out);
    })
}

pub(super) fn iq4_ks_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(136).head(4), columns, groups, out, |part, out| {
        store_by_scale_byte(part, part.u8(4 * part.pair + part.row), &FOUR_BITS, part.four_bits(32), out);
    })
}

pub(super) fn iq5_ks_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(168).head(4), columns, groups, out, |part, out| {
        store_by_scale_byte(part, part.u8(4 * part.pair + part.row), &FIVE_BITS, five_bits(part, 32), out);
    })
}

const fn of_four(bytes: usize) -> Layout {
    Layout::new(256, bytes).together(4)
}

/// A sub-scale of six bits, less 32: `scales_h` at an offset, then `scales_l`.
fn six_bits(part: &Part, scale: usize, offset: usize) -> i32 {
    let high = part.u8(offset + scale % 16) >> (scale / 16 * 2) & 3;
    (part.nibble(offset + 16 + scale % 32, scale / 32) | high << 4) as i32 - 32
}

/// The indices of five bits in `qs` at an offset, and in `qh` behind it.
fn five_bits(part: &Part, offset: usize) -> Lanes {
    let high = part.u32(offset + 512 + 16 * part.pair + 4 * part.row) >> (2 * part.half);
    part.four_bits(offset).with(Lanes::spread(high, [0, 4, 1, 5], 1), 4)
}

/// Stores quants of types with a minimum for each sub-scale.
fn store_with_minimum(part: &Part, quants: Lanes, scale: u32, minimum: u32, out: &mut [f32; 16]) {
    let (d, dmin) = (part.f16(2 * part.row), part.f16(8 + 2 * part.row));
    quants.store(d * scale as f32, -(dmin * minimum as f32), out);
}

/// Stores quants of Q4_K_R4 and Q5_K_R4. Their sub-scales and minima have six bits.
fn store_with_six_bit_minimum(part: &Part, quants: Lanes, out: &mut [f32; 16]) {
    let scale = 4 * part.pair + part.row;
    let (low, high) = (part.u8(32 + scale), part.u8(16 + scale % 16) >> (scale / 16 * 4));
    store_with_minimum(part, quants, low & 15 | (high & 3) << 4, low >> 4 | (high & 12) << 2, out);
}

/// Stores the levels of indices. `shifted` at byte 8 of the block chooses the codebook.
fn store_levels<const N: usize>(
    part: &Part,
    codebook: &Codebook<N>,
    indices: Lanes,
    sub_scale: i32,
    out: &mut [f32; 16],
) {
    let shifted = part.u8(8 + 4 * part.half + part.row) >> part.pair;
    codebook.look_up(indices, shifted).store_scaled(part.f16(2 * part.row), sub_scale, out);
}
