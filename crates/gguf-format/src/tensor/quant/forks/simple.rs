//! Types of ik_llama.cpp with one scale for a block or for a row, and their interleaved forms.
//!
//! ```text
//! type        rows   head            block of 32                               an element, by its quant q
//! Q6_0         1                     d f16 | qh 8 B | qs 16 B                   (q - 32) × d
//! Q6_0_R4      4                     d 4 × f16 | qh 32 B | qs 64 B              q × d - 32 d
//! Q8_KV        1     f32 | sum       qs 32 × i8                                 q × d
//! Q8_KV_R8     8     f32             qs 256 × i8                                q × d
//! Q4_0_R8      8                     d 8 × f16 | qs 128 B                       (q - 8) × d
//! Q5_0_R4      4                     d 4 × f16 | qh 16 B | qs 64 B              q × d - 16 d
//! Q8_0_R8      8                     d 8 × f16 | qs 256 × i8                    q × d
//! IQ4_NL_R4    4                     d 4 × f16 | qs 64 B                        level of IQ4_NL × d
//! MXFP4_R8     8                     e 8 B | qs 128 B                           2^(e - 127) × fp4(q)
//! Q8_K_R8      8                     d 8 × f16 | qs 2048 × i8 (of 256)          q × d
//! Q8_K_R16    16                     d 16 × f16 | qs 4096 × i8 (of 256)         q × d
//! BF16_R16    16                     16 × 2 bf16 (of 2)                          the number
//! ```
//!
//! Interleaved quants lie in words of four bytes: four columns of the first row, the same of the next row, and so on. Except Q5_0_R4
//! and Q6_0_R4, whose zeros are positive, the elements are those of the types without `_R`.

use super::codebooks::FOUR_BITS;
use super::lanes::{Lanes, Levels, NOTHING};
use super::rows::{Layout, RowGroup, field, for_each_block, for_each_part};
use crate::tensor::quant::fp4::{TWICE_FP4, half_power_of_two};

pub(super) fn q6_0(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 26), columns, groups, out, |part, out| {
        let (low, high) = (part.u32(2) >> (2 * part.half), part.u32(6) >> (2 * part.half));
        let high = Lanes::words([low, high, low >> 4, high >> 4]).bits(0, 3);
        let quants = part.lanes(10).bits(4 * part.half, 15).with(high, 4);
        quants.plus(-32).store(part.f16(0), NOTHING, out);
    })
}

pub(super) fn q6_0_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 26).together(4), columns, groups, out, |part, out| {
        let d = part.f16(2 * part.row);
        let high = Lanes::spread(part.u32(8 + 16 * part.half + 4 * part.row), [0, 2, 4, 6], 3);
        part.four_bits(40).with(high, 4).store(d, -32.0 * d, out);
    })
}

pub(super) fn q8_kv(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 32).head(8), columns, groups, out, |part, out| {
        part.lanes(16 * part.half).store(part.d, NOTHING, out);
    })
}

pub(super) fn q8_kv_r8(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 32).head(4).together(8), columns, groups, out, |part, out| {
        part.words(128 * part.half + 4 * part.row, 32).store(part.d, NOTHING, out);
    })
}

pub(super) fn q4_0_r8(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 18).together(8), columns, groups, out, |part, out| {
        let quants = part.words(16 + 4 * part.row, 32).bits(4 * part.half, 15);
        quants.plus(-8).store(part.f16(2 * part.row), NOTHING, out);
    })
}

pub(super) fn q5_0_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 22).together(4), columns, groups, out, |part, out| {
        let d = part.f16(2 * part.row);
        let high = Lanes::spread(part.u32(8 + 4 * part.row) >> part.half, [0, 2, 4, 6], 1);
        part.four_bits(24).with(high, 4).store(d, -16.0 * d, out);
    })
}

pub(super) fn q8_0_r8(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 34).together(8), columns, groups, out, |part, out| {
        part.words(16 + 128 * part.half + 4 * part.row, 32).store(part.f16(2 * part.row), NOTHING, out);
    })
}

pub(super) fn iq4_nl_r4(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(32, 18).together(4), columns, groups, out, |part, out| {
        part.four_bits(8).levels(&FOUR_BITS.levels).store(part.f16(2 * part.row), NOTHING, out);
    })
}

pub(super) fn mxfp4_r8(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    static LEVELS: Levels<1> = Levels::new(&TWICE_FP4);
    for_each_part(Layout::new(32, 17).together(8), columns, groups, out, |part, out| {
        let quants = part.words(8 + 4 * part.row, 32).bits(4 * part.half, 15);
        quants.levels(&LEVELS).store(half_power_of_two(part.u8(part.row) as u8), NOTHING, out);
    })
}

pub(super) fn q8_k_r8(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 258).together(8), columns, groups, out, |part, out| {
        part.words(16 + 128 * part.sixteenth() + 4 * part.row, 32).store(part.f16(2 * part.row), NOTHING, out);
    })
}

pub(super) fn q8_k_r16(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 258).together(16), columns, groups, out, |part, out| {
        part.words(32 + 256 * part.sixteenth() + 4 * part.row, 64).store(part.f16(2 * part.row), NOTHING, out);
    })
}

pub(super) fn bf16_r16(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_block(Layout::new(2, 4).together(16), columns, groups, out, &|part, out| {
        for (out, bytes) in out.iter_mut().zip(field::<4>(part.block, 4 * part.row).as_chunks().0) {
            *out = f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16);
        }
    })
}
