//! The IQ2 and IQ3 types. A search finds the scale of each part and the entries of the grid for its elements.

use super::block::{LEAST_MAGNITUDE, for_each_block, put_f16, sum_of_squares};
use super::extremes::max;
use super::grid_search::{Attempts, Magnitudes, Revision, four_bit_scale, search};
use super::neighbours::NeighbourGrid;
use super::scale_search::positive_scale;
use super::weights::{part_weights, squares};

/// A magnitude below which ggml takes all elements of a part of IQ2_S and IQ3_XXS for zero.
const LEAST_OF_SOME: f32 = 1e-8;

/// The greatest scale of a part, as a multiple of `d`.
const GREATEST_SCALE: f32 = 31.0;

pub(super) fn iq2_xxs(grid: &NeighbourGrid<8, 3>, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const ATTEMPTS: Attempts = Attempts { step: 0.1, last: 6, revision: Revision::All };

    for_each_block::<256, 66>(row, importance, out, |x, importance, block| {
        let variance = sum_of_squares(x) / 256.0;
        let mut scales = [0.0; 8];
        // The entries and the signs of each part.
        let mut words = [[0u32; 2]; 8];
        for (part, x) in x.as_chunks::<32>().0.iter().enumerate() {
            let weights = part_weights(x, part, importance, variance, squares);
            let mut signed = Magnitudes::with_even_signs(x, &weights);
            if signed.greatest() < LEAST_MAGNITUDE {
                continue;
            }
            let scale = positive_scale(4, &signed.magnitudes, &weights, &mut [0; 32]);
            let greatest = scale * 3.0;
            if greatest <= 0.0 {
                continue;
            }
            let mut levels = [0; 32];
            let guess = (scale, greatest);
            let scale = search(grid, &signed.magnitudes, &weights, &ATTEMPTS, guess, &mut levels);
            scales[part] = signed.positive(scale, 127);
            for (i, levels) in levels.as_chunks().0.iter().enumerate() {
                words[part][0] |= u32::from(entry_at(grid, levels)) << (8 * i);
            }
            words[part][1] = signed.seven_signs();
        }
        let Some(inverse) = put_scale(&scales, 1.0, block) else { return };
        for (part, field) in block[2..].as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let [entries, signs] = words[part];
            let signs = signs | u32::from(four_bit_scale(inverse, scales[part])) << 28;
            field[..4].copy_from_slice(&entries.to_le_bytes());
            field[4..].copy_from_slice(&signs.to_le_bytes());
        }
    });
}

pub(super) fn iq2_xs(grid: &NeighbourGrid<8, 3>, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const ATTEMPTS: Attempts = Attempts { step: 0.1, last: 9, revision: Revision::Neighbours };

    for_each_block::<256, 74>(row, importance, out, |x, importance, block| {
        let variance = sum_of_squares(x) / 256.0;
        let (mut scales, mut words) = ([0.0; 16], [0u16; 32]);
        for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
            let weights = part_weights(x, part, importance, variance, squares);
            let mut signed = Magnitudes::with_even_signs(x, &weights);
            let greatest = signed.greatest();
            if greatest < LEAST_MAGNITUDE {
                continue;
            }
            let mut levels = [0; 16];
            let guess = (greatest / 5.0, greatest);
            let scale = search(grid, &signed.magnitudes, &weights, &ATTEMPTS, guess, &mut levels);
            scales[part] = signed.positive(scale, 127);
            for (i, levels) in levels.as_chunks().0.iter().enumerate() {
                words[2 * part + i] = entry_at(grid, levels) | u16::from(signed.signs[i]) << 9;
            }
        }
        let Some(inverse) = put_scale(&scales, 1.0, block) else { return };
        for (field, word) in block[2..66].as_chunks_mut().0.iter_mut().zip(words) {
            *field = word.to_le_bytes();
        }
        put_four_bit_scales(inverse, &scales, &mut block[66..]);
    });
}

pub(super) fn iq2_s(grid: &NeighbourGrid<8, 3>, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const ATTEMPTS: Attempts = Attempts { step: 0.1, last: 9, revision: Revision::Neighbours };

    for_each_block::<256, 82>(row, importance, out, |x, importance, block| {
        let variance = 2.0 * sum_of_squares(x) / 256.0;
        let mut scales = [0.0; 16];
        for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
            let weights = part_weights(x, part, importance, variance, |x| x.map(|x| 0.25 * variance + x * x));
            let mut signed = Magnitudes::of(x);
            let greatest = signed.greatest();
            if greatest < LEAST_OF_SOME {
                continue;
            }
            let mut levels = [0; 16];
            let guess = (greatest / 5.0, greatest);
            let scale = search(grid, &signed.magnitudes, &weights, &ATTEMPTS, guess, &mut levels);
            scales[part] = signed.positive(scale, 255);
            for (i, levels) in levels.as_chunks().0.iter().enumerate() {
                let [low, high] = entry_at(grid, levels).to_le_bytes();
                let group = 2 * part + i;
                block[2 + group] = low;
                block[34 + group] = signed.signs[i];
                block[66 + group / 4] |= high << (group % 4 * 2);
            }
        }
        if let Some(inverse) = put_scale(&scales, 0.9875, block) {
            put_four_bit_scales(inverse, &scales, &mut block[74..]);
        }
    });
}

pub(super) fn iq3_xxs(grid: &NeighbourGrid<4, 8>, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const ATTEMPTS: Attempts = Attempts { step: 0.2, last: 15, revision: Revision::Neighbours };

    for_each_block::<256, 98>(row, importance, out, |x, importance, block| {
        let variance = 2.0 * sum_of_squares(x) / 256.0;
        let (mut scales, mut entries, mut words) = ([0.0; 8], [0; 64], [0u32; 8]);
        for (part, x) in x.as_chunks::<32>().0.iter().enumerate() {
            let weights = part_weights(x, part, importance, variance, squares);
            let mut signed = Magnitudes::with_even_signs(x, &weights);
            let greatest = signed.greatest();
            if greatest < LEAST_OF_SOME {
                continue;
            }
            let mut levels = [0; 32];
            let guess = (greatest / 15.0, greatest);
            let scale = search(grid, &signed.magnitudes, &weights, &ATTEMPTS, guess, &mut levels);
            scales[part] = signed.positive(scale, 127);
            for (i, levels) in levels.as_chunks().0.iter().enumerate() {
                entries[8 * part + i] = entry_at(grid, levels) as u8;
            }
            words[part] = signed.seven_signs();
        }
        let Some(inverse) = put_scale(&scales, 1.0125, block) else { return };
        block[2..66].copy_from_slice(&entries);
        for (part, field) in block[66..].as_chunks_mut().0.iter_mut().enumerate() {
            *field = (words[part] | u32::from(four_bit_scale(inverse, scales[part])) << 28).to_le_bytes();
        }
    });
}

pub(super) fn iq3_s(grid: &NeighbourGrid<4, 8>, row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const ATTEMPTS: Attempts = Attempts { step: 0.2, last: 9, revision: Revision::AllIfOneIsNeighbour };

    for_each_block::<256, 110>(row, importance, out, |x, importance, block| {
        let variance = 2.0 * sum_of_squares(x) / 256.0;
        let mut scales = [0.0; 8];
        // As in ggml, a part of zeros takes no place in `qs` and `signs`, though it does in `qh`. So the parts after it are in
        // the place of others, and are read wrong.
        let mut stored_parts = 0;
        for (part, x) in x.as_chunks::<32>().0.iter().enumerate() {
            let weights = part_weights(x, part, importance, variance, squares);
            let mut signed = Magnitudes::of(x);
            let greatest = signed.greatest();
            if greatest == 0.0 {
                continue;
            }
            let mut levels = [0; 32];
            let guess = (greatest / 15.0, greatest);
            let scale = search(grid, &signed.magnitudes, &weights, &ATTEMPTS, guess, &mut levels);
            scales[part] = signed.positive(scale, 255);
            for (i, levels) in levels.as_chunks().0.iter().enumerate() {
                let [low, high] = entry_at(grid, levels).to_le_bytes();
                block[2 + 8 * stored_parts + i] = low;
                block[66 + part] |= high << i;
            }
            block[74 + 4 * stored_parts..78 + 4 * stored_parts].copy_from_slice(&signed.signs);
            stored_parts += 1;
        }
        if let Some(inverse) = put_scale(&scales, 1.033, block) {
            put_four_bit_scales(inverse, &scales, &mut block[106..]);
        }
    });
}

impl<const N: usize> Magnitudes<N> {
    /// The scale without its sign. If it is negative, the signs of `mask` change instead.
    #[inline(always)]
    fn positive(&mut self, scale: f32, mask: u8) -> f32 {
        if scale < 0.0 {
            self.signs = self.signs.map(|signs| !signs & mask);
            return -scale;
        }
        scale
    }

    /// Seven signs for each eight of 32 elements.
    #[inline(always)]
    fn seven_signs(&self) -> u32 {
        self.signs.iter().rev().fold(0, |bits, signs| bits << 7 | u32::from(*signs))
    }
}

/// The number of the entry for levels that the search has chosen.
#[inline(always)]
fn entry_at<const ELEMENTS: usize, const LEVELS: usize>(
    grid: &NeighbourGrid<ELEMENTS, LEVELS>,
    levels: &[u8; ELEMENTS],
) -> u16 {
    grid.entry_at(levels).unwrap_or(0)
}

/// Stores `d` from the scales of the parts, times a factor by which ggml's results are better. Returns 1 / d before that.
/// `None` if all scales are 0.
#[inline(always)]
fn put_scale(scales: &[f32], factor: f32, block: &mut [u8]) -> Option<f32> {
    let greatest = scales.iter().fold(0.0, |greatest, scale| max(greatest, *scale));
    if greatest == 0.0 {
        return None;
    }
    let d = greatest / GREATEST_SCALE;
    put_f16(block, 0, d * factor);
    Some(1.0 / d)
}

/// Stores two scales in each byte, the first in the low bits.
#[inline(always)]
fn put_four_bit_scales(inverse: f32, scales: &[f32], bytes: &mut [u8]) {
    for (byte, [low, high]) in bytes.iter_mut().zip(scales.as_chunks().0) {
        *byte = four_bit_scale(inverse, *low) | four_bit_scale(inverse, *high) << 4;
    }
}
