//! Interleaved forms of the IQ1, IQ2 and IQ3 types: four rows in a group.
//!
//! ```text
//! type         head   block                                                                        elements
//! IQ2_XXS_R4          d 4 × f16 | signs and scales 32 × u32 | qs 128 B                             256
//! IQ2_XS_R4           d 4 × f16 | qs 128 × u16 | scales 32 B                                       256
//! IQ2_S_R4            d 4 × f16 | qs 128 B | qh 32 B | signs 128 B | scales 32 B                   256
//! IQ3_XXS_R4          d 4 × f16 | signs and scales 32 × u32 | qs 256 B                             256
//! IQ3_S_R4            d 4 × f16 | qs 256 B | qh 32 B | signs 128 B | scales 16 B                   256
//! IQ1_S_R4     f16    qs 16 B | qh 4 × u16                                                          32
//! IQ1_M_R4     f16    qs 16 B | qh 8 B | scales 4 B                                                 32
//! ```
//!
//! The grids are those of ggml. The elements of the IQ2 and IQ3 types are those of the types without `_R4`; IQ1_S_R4 and IQ1_M_R4 are
//! types of their own.

use super::rows::{Layout, Part, RowGroup, for_each_part};
use crate::tensor::quant::grids;
use crate::tensor::quant::iq2_iq3::{SIGNS, store_4_and_4, store_8};

pub(super) fn iq2_xxs_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(66), columns, groups, out, |part, out| {
        let grid = grids::IQ2_XXS.get();
        let (signs, scale) = signs_and_scale(part);
        for (i, out) in eights(part, out) {
            let index = part.u8(136 + 4 * thirty_second(part) + i);
            store_8(
                &grid[index as usize % 256],
                signs_of(signs >> (8 * i)),
                part.f16(2 * part.row) * scale * 0.125,
                out,
            );
        }
    })
}

pub(super) fn iq2_xs_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(74), columns, groups, out, |part, out| {
        let grid = grids::IQ2_XS.get();
        let scale = odd(part.nibble(264 + thirty_second(part), part.half));
        for (i, out) in eights(part, out) {
            let q = part.u16(8 + 2 * (4 * thirty_second(part) + i));
            let signs = q >> 9;
            store_8(&grid[q as usize % 512], signs_of(signs ^ signs << 1), part.f16(2 * part.row) * scale * 0.125, out);
        }
    })
}

pub(super) fn iq2_s_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(82), columns, groups, out, |part, out| {
        let grid = grids::IQ2_S.get();
        let scale = odd(part.nibble(296 + thirty_second(part), part.half));
        for (i, out) in eights(part, out) {
            let offset = 4 * thirty_second(part) + i;
            let index = part.u8(8 + offset) | (part.u8(136 + thirty_second(part)) >> (2 * i) & 3) << 8;
            let signs = signs_of(part.u8(168 + offset));
            store_8(&grid[index as usize % 1024], signs, part.f16(2 * part.row) * scale * 0.125, out);
        }
    })
}

pub(super) fn iq3_xxs_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(98), columns, groups, out, |part, out| {
        let grid = grids::IQ3_XXS.get();
        let (signs, scale) = signs_and_scale(part);
        for (i, out) in eights(part, out) {
            let offset = 136 + 8 * thirty_second(part) + 2 * i;
            let levels = [offset, offset + 1].map(|offset| &grid[part.u8(offset) as usize % 256]);
            store_4_and_4(levels, signs_of(signs >> (8 * i)), part.f16(2 * part.row) * scale * 0.25, out);
        }
    })
}

pub(super) fn iq3_s_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(of_four(110), columns, groups, out, |part, out| {
        let grid = grids::IQ3_S.get();
        let at = thirty_second(part);
        let scale = odd(part.nibble(424 + at % 16, at / 16));
        let (signs, high) = (part.u32(296 + 4 * at), part.u8(264 + at));
        for (i, out) in eights(part, out) {
            // Of eight groups of four columns, the first four are in the even words of `qs`, the others in the odd ones.
            let first = 2 * i;
            let offset = 8 + 32 * part.pair + part.row + first % 4 * 8 + first / 4 * 4;
            let index = |i: usize| part.u8(offset + 8 * i) | (high >> (first + i) & 1) << 8;
            let levels = [&grid[index(0) as usize % 512], &grid[index(1) as usize % 512]];
            let signs = signs_of(fours(signs >> first) | fours(signs >> (first + 1)) << 4);
            store_4_and_4(levels, signs, part.f16(2 * part.row) * scale, out);
        }
    })
}

pub(super) fn iq1_s_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 6).head(2).together(4), columns, groups, out, |part, out| {
        let qh = part.u16(16 + 2 * part.row);
        for (i, out) in eights(part, out) {
            let index = part.u8(4 * i + part.row) | (qh >> (3 * i) & 7) << 8;
            store_iq1(index, qh >> 15, part.d * odd(qh >> 12 & 7), out);
        }
    })
}

pub(super) fn iq1_m_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 7).head(2).together(4), columns, groups, out, |part, out| {
        let scale = part.d * part.nibble(24 + part.row, part.half) as f32;
        for (i, out) in eights(part, out) {
            let qh = part.nibble(16 + 4 * part.half + part.row, i % 2);
            store_iq1(part.u8(4 * i + part.row) | (qh & 7) << 8, qh >> 3, scale, out);
        }
    })
}

const fn of_four(bytes: usize) -> Layout {
    Layout::new(256, bytes).together(4)
}

/// The two eights of a part, with their numbers among the four of 32 elements.
fn eights<'a>(part: &Part, out: &'a mut [f32; 16]) -> impl Iterator<Item = (usize, &'a mut [f32; 8])> {
    (2 * part.half..).zip(out.as_chunks_mut().0)
}

/// The number of the 32 elements among those of all four rows.
fn thirty_second(part: &Part) -> usize {
    4 * part.pair + part.row
}

/// The signs of IQ2_XXS_R4 and IQ3_XXS_R4, a byte for eight elements, and 2 s + 1: the lowest bit of each byte is one of `s`.
fn signs_and_scale(part: &Part) -> (u32, f32) {
    let word = part.u32(8 + 4 * thirty_second(part));
    let signs = word & 0xfefe_fefe;
    (signs ^ signs >> 1, odd(fours(word)))
}

/// The lowest bits of four bytes.
fn fours(word: u32) -> u32 {
    (word & 0x0101_0101).wrapping_mul(0x0102_0408) >> 24 & 15
}

/// 2 s + 1.
fn odd(s: u32) -> f32 {
    (2 * s + 1) as f32
}

fn signs_of(bits: u32) -> &'static [u16; 8] {
    &SIGNS[bits as usize % 256]
}

fn store_iq1(index: u32, sign: u32, scale: f32, out: &mut [f32; 8]) {
    let shift = if sign & 1 == 0 { 0.125 } else { -0.125 };
    for (out, level) in out.iter_mut().zip(&grids::IQ1.get()[index as usize % 2048]) {
        *out = scale * (f32::from_bits(u32::from(*level) << 16) + shift);
    }
}
