//! The trellis types of ik_llama.cpp: a quant is the seed of a generator, which makes eight or four numbers of it.
//!
//! ```text
//! type     head   block of 256                                   numbers of a seed   sub-scale, for 32 elements
//! IQ1_KT   f32    sh 8 B | ql 32 B | qh 16 B                     8                   level of IQ4_NL, by four bits of sh
//! IQ2_KT   f32    scales 4 B | seeds 32 × u16                    8                   level of IQ4_NL
//! IQ3_KT   f32    scales 4 B | seeds 32 × u16 | signs 32 B       8                   s
//! IQ4_KT   f32    sh 8 × u32 | ql 64 B | qh 32 B                 4                   (sh & 255) / 2 - 64
//! ```
//!
//! An element is d × sub-scale × number. A number of IQ3_KT is an absolute value, and the product gets a sign. Seeds of IQ1_KT and
//! IQ4_KT have their low eight bits in `ql`, four in `qh`, and one or three in `sh`.
//!
//! The generator begins with the state seed + 4096 and multiplies it by 0xcbac1fed, modulo 2³². A number is the sum of the low six bits
//! of the four bytes of a state, less 126. The layouts and the generator are those of ik_llama.cpp, August 2026.

use super::codebooks::FOUR_BITS;
use super::lanes::Lanes;
use super::rows::{Layout, Part, RowGroup, for_each_part};

const MULTIPLIER: u32 = 0xcbac_1fed;

/// The factors from a state to the four next ones.
const POWERS: [u32; 4] = {
    let square = MULTIPLIER.wrapping_mul(MULTIPLIER);
    [MULTIPLIER, square, square.wrapping_mul(MULTIPLIER), square.wrapping_mul(square)]
};

/// The four numbers of each seed.
fn numbers_of_four(seeds: [u32; 4]) -> Lanes {
    Lanes::sums(seeds.map(|seed| seed + 4096), POWERS).plus(-126)
}

/// The eight numbers of each seed.
fn numbers_of_two([a, b]: [u32; 2]) -> Lanes {
    let (a, b) = (a + 4096, b + 4096);
    Lanes::sums([a, a.wrapping_mul(POWERS[3]), b, b.wrapping_mul(POWERS[3])], POWERS).plus(-126)
}

pub(super) fn iq1_kt(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 56).head(4), columns, groups, out, |part, out| {
        let sh = part.u8(part.pair);
        let seed = |eight: usize| {
            let high = part.nibble(40 + part.pair % 4 * 4 + eight, part.pair / 4);
            part.u8(8 + 4 * part.pair + eight) | high << 8 | (sh << (8 - eight) & 0x1000)
        };
        let numbers = numbers_of_two([seed(2 * part.half), seed(2 * part.half + 1)]);
        numbers.store_scaled(part.d, FOUR_BITS.levels.get(sh & 15), out);
    })
}

pub(super) fn iq2_kt(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 68).head(4), columns, groups, out, |part, out| {
        let sub_scale = FOUR_BITS.levels.get(part.nibble(part.pair % 4, part.pair / 4));
        numbers_of_two(stored_seeds(part)).store_scaled(part.d, sub_scale, out);
    })
}

pub(super) fn iq3_kt(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 100).head(4), columns, groups, out, |part, out| {
        let sub_scale = part.nibble(part.pair % 4, part.pair / 4);
        numbers_of_two(stored_seeds(part)).absolute().store_scaled(part.d, sub_scale as i32, out);
        // A sign is that of the product, because a zero has one, too.
        for (element, offset) in out.iter_mut().zip(68 + 16 * part.half..) {
            let sign = part.u8(offset) >> part.pair << 31;
            *element = f32::from_bits(element.to_bits() ^ sign);
        }
    })
}

/// The two seeds of IQ2_KT and IQ3_KT.
fn stored_seeds(part: &Part) -> [u32; 2] {
    let offset = 4 + 4 * part.sixteenth();
    [part.u16(offset), part.u16(offset + 2)]
}

pub(super) fn iq4_kt(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_part(Layout::new(256, 128).head(4), columns, groups, out, |part, out| {
        let sh = part.u32(4 * part.pair);
        let seed = |four: usize| {
            let four = 4 * part.half + four;
            let high = part.nibble(96 + part.pair % 4 * 8 + four, part.pair / 4);
            let low = part.u8(32 + 8 * part.pair + four) | high << 8;
            (low | (sh >> (8 + 3 * four) & 7) << 12) + ((sh & 1) << 15)
        };
        let numbers = numbers_of_four([seed(0), seed(1), seed(2), seed(3)]);
        numbers.store_scaled(part.d, (sh >> 1 & 127) as i32 - 64, out);
    })
}
