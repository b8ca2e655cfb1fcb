//! The K types: Q2_K, Q3_K, Q4_K, Q5_K, Q6_K and Q8_K.
//!
//! A search finds the scale, the offset and the quants of each part. Then the scales of the parts are quantized, and the
//! elements once more, with the scales that are stored. A part whose scale is stored as 0 keeps its first quants.

use super::block::{LEAST_MAGNITUDE, for_each_block, parts_of, put_f16, put_nibbles, sum, sum_of_squares};
use super::extremes::{extreme, greatest};
use super::offset_search::{Attempts, FoundParts, WITH_IMPORTANCE, scales_and_offsets};
use super::requantize::requantize;
use super::rounding::{nearest, square_root};
use super::scale_search::{positive_scale, signed_scale, signed_scale_by_steps, signed_scales};
use super::weights::{squares, weights_of_parts};

pub(super) fn q2_k(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const WITHOUT_IMPORTANCE: Attempts =
        Attempts { first: -0.5, step: 0.1, last: 15, is_by_magnitude: true, is_bounded: false };

    for_each_block::<256, 84>(row, importance, out, |x, importance, block| {
        let variance = sum_of_squares(x) / 256.0;
        let attempts = if importance.is_some() { &WITH_IMPORTANCE } else { &WITHOUT_IMPORTANCE };
        let mut parts = Parts::<16, 16>::search(3, x, importance, variance, |x| x.map(f32::abs), attempts);
        let levels = parts.quantize_scales(15, importance.is_some(), &mut block[80..]);
        for (byte, (scale, min)) in block.iter_mut().zip(levels.scales.iter().zip(levels.mins)) {
            *byte = scale | min << 4;
        }
        parts.quantize_again(3, x, &levels);
        put_two_bits(parts.found.quants.as_flattened(), &mut block[16..80]);
    });
}

pub(super) fn q4_k(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const WITHOUT_IMPORTANCE: Attempts =
        Attempts { first: -1.0, step: 0.1, last: 20, is_by_magnitude: false, is_bounded: false };

    for_each_block::<256, 144>(row, importance, out, |x, importance, block| {
        let quants = rows_of_32(15, x, importance, &WITHOUT_IMPORTANCE, block);
        put_rows_of_four_bits(quants.as_flattened(), &mut block[16..]);
    });
}

pub(super) fn q5_k(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    const WITHOUT_IMPORTANCE: Attempts =
        Attempts { first: -0.5, step: 0.1, last: 15, is_by_magnitude: false, is_bounded: false };

    for_each_block::<256, 176>(row, importance, out, |x, importance, block| {
        let quants = rows_of_32(31, x, importance, &WITHOUT_IMPORTANCE, block);
        put_row_bits(quants.as_flattened(), 4, &mut block[16..48]);
        put_rows_of_four_bits(quants.as_flattened(), &mut block[48..]);
    });
}

/// Stores `d`, `dmin` and `scales` of Q4_K and Q5_K. Returns the quants of each row of 32 elements.
#[inline(always)]
fn rows_of_32(
    limit: i32,
    x: &[f32; 256],
    importance: Option<&[f32; 256]>,
    without_importance: &Attempts,
    block: &mut [u8],
) -> [[u8; 32]; 8] {
    let variance = 2.0 * sum_of_squares(x) / 256.0;
    let attempts = if importance.is_some() { &WITH_IMPORTANCE } else { without_importance };
    let weights_without = |x: &[f32; 32]| {
        let mean = square_root(sum_of_squares(x) / 32.0);
        x.map(|x| mean + x.abs())
    };
    let mut parts = Parts::<32, 8>::search(limit, x, importance, variance, weights_without, attempts);
    let levels = parts.quantize_scales(63, importance.is_some(), block);
    for i in 0..4 {
        let (scales, mins) = ([levels.scales[i], levels.scales[i + 4]], [levels.mins[i], levels.mins[i + 4]]);
        block[4 + i] = scales[0] | scales[1] >> 4 << 6;
        block[8 + i] = mins[0] | mins[1] >> 4 << 6;
        block[12 + i] = scales[1] & 15 | mins[1] << 4;
    }
    parts.quantize_again(limit, x, &levels);
    parts.found.quants
}

/// The parts of a block of a type whose elements are scale × quant - min.
struct Parts<const ELEMENTS: usize, const COUNT: usize> {
    found: FoundParts<ELEMENTS, COUNT>,
    /// The sum of the weights of the elements.
    weights: [f32; COUNT],
}

/// The scales and minima of the parts as they are stored: d × scale and dmin × min.
struct StoredScales<const COUNT: usize> {
    d: f32,
    dmin: f32,
    scales: [u8; COUNT],
    mins: [u8; COUNT],
}

impl<const ELEMENTS: usize, const COUNT: usize> Parts<ELEMENTS, COUNT> {
    #[inline(always)]
    fn search(
        limit: i32,
        x: &[f32; 256],
        importance: Option<&[f32; 256]>,
        variance: f32,
        weights_without: impl Fn(&[f32; ELEMENTS]) -> [f32; ELEMENTS],
        attempts: &Attempts,
    ) -> Self {
        let x = parts_of::<ELEMENTS, COUNT>(x);
        let weights = weights_of_parts(x, importance.map(parts_of), variance, weights_without);
        Self { found: scales_and_offsets(limit, x, &weights, attempts), weights: weights.map(|weights| sum(&weights)) }
    }

    /// Quantizes the scales and the minima to integers from 0 to `limit`. Stores `d` and `dmin`.
    #[inline(always)]
    fn quantize_scales(&self, limit: u8, has_importance: bool, fields: &mut [u8]) -> StoredScales<COUNT> {
        let quantize = |numbers: &[f32; COUNT]| {
            let mut quants = [0; COUNT];
            if has_importance {
                let d = positive_scale(i32::from(limit), numbers, &self.weights, &mut quants);
                return (d, quants.map(|quant| quant.min(limit)));
            }
            let greatest = greatest(numbers);
            if greatest > 0.0 {
                let inverse = f32::from(limit) / greatest;
                quants = numbers.map(|number| (nearest(inverse * number) as u8).min(limit));
            }
            (greatest / f32::from(limit), quants)
        };
        let ((d, scales), (dmin, mins)) = (quantize(&self.found.scales), quantize(&self.found.offsets));
        StoredScales { d: put_f16(fields, 0, d), dmin: put_f16(fields, 2, dmin), scales, mins }
    }

    #[inline(always)]
    fn quantize_again(&mut self, limit: i32, x: &[f32; 256], stored: &StoredScales<COUNT>) {
        for (part, x) in parts_of::<ELEMENTS, COUNT>(x).iter().enumerate() {
            let scale = stored.d * f32::from(stored.scales[part]);
            let min = stored.dmin * f32::from(stored.mins[part]);
            if scale != 0.0 {
                self.found.quants[part] = requantize(x, min, scale, [0, limit]);
            }
        }
    }
}

pub(super) fn q3_k(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 110>(row, importance, out, |x, importance, block| {
        let variance = 2.0 * sum_of_squares(x) / 256.0;
        let x = parts_of::<16, 16>(x);
        let (mut scales, mut sums, mut quants) = ([0.0; 16], [0.0; 16], [[0; 16]; 16]);
        if importance.is_some() {
            let weights = weights_of_parts(x, importance.map(parts_of), variance, squares);
            sums = weights.map(|weights| sum(&weights));
            (scales, quants) = signed_scales(4, x, &weights);
        } else {
            for ((scale, x), quants) in scales.iter_mut().zip(x).zip(&mut quants) {
                *scale = signed_scale_by_steps(4, x, quants);
            }
        }
        // The scales plus 32.
        let mut stored = [0; 16];
        let d = match importance {
            Some(_) => signed_scale(32, &scales, &sums, &mut stored),
            None => {
                let extreme = extreme(&scales);
                if extreme == 0.0 {
                    0.0
                } else {
                    let inverse = -32.0 / extreme;
                    stored = scales.map(|scale| ((nearest(inverse * scale) as i8).clamp(-32, 31) + 32).cast_unsigned());
                    1.0 / inverse
                }
            }
        };
        let d = put_f16(block, 108, d);
        for (part, scale) in stored.into_iter().enumerate() {
            block[96 + part % 8] |= (scale & 15) << (part / 8 * 4);
            block[104 + part % 4] |= scale >> 4 << (part / 4 * 2);
        }
        for (part, x) in x.iter().enumerate() {
            let scale = d * (f32::from(stored[part]) - 32.0);
            if scale != 0.0 {
                quants[part] = requantize(x, 0.0, scale, [-4, 3]);
            }
        }
        put_row_bits(quants.as_flattened(), 2, &mut block[..32]);
        put_two_bits(quants.as_flattened(), &mut block[32..96]);
    });
}

pub(super) fn q6_k(row: &[f32], importance: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 210>(row, importance, out, |x, importance, block| {
        let x = parts_of::<16, 16>(x);
        let (scales, mut quants) = match importance {
            Some(importance) => signed_scales(32, x, parts_of(importance)),
            None => signed_scales(32, x, &x.map(|x| squares(&x))),
        };
        let extreme = extreme(&scales);
        if extreme.abs() < LEAST_MAGNITUDE {
            return;
        }
        let inverse = -128.0 / extreme;
        let d = put_f16(block, 208, 1.0 / inverse);
        for (part, x) in x.iter().enumerate() {
            let stored = nearest(inverse * scales[part]).min(127) as i8;
            block[192 + part] = stored.cast_unsigned();
            let scale = d * f32::from(stored);
            if scale != 0.0 {
                quants[part] = requantize(x, 0.0, scale, [-32, 31]);
            }
        }
        for (i, quant) in quants.as_flattened().iter().enumerate() {
            let (half, row, column) = (i / 128, i / 32 % 4, i % 32);
            block[half * 64 + row % 2 * 32 + column] |= (quant & 15) << (row / 2 * 4);
            block[128 + half * 32 + column] |= quant >> 4 << (row * 2);
        }
    });
}

pub(super) fn q8_k(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 292>(row, None, out, |x, _, block| {
        let extreme = extreme(x);
        if extreme == 0.0 {
            return;
        }
        let inverse = -127.0 / extreme;
        let quants = x.map(|x| nearest(inverse * x).min(127) as i8);
        block[..4].copy_from_slice(&(1.0 / inverse).to_le_bytes());
        block[4..260].copy_from_slice(&quants.map(i8::cast_unsigned));
        for (field, quants) in block[260..].as_chunks_mut().0.iter_mut().zip(quants.as_chunks::<16>().0) {
            *field = quants.iter().map(|quant| i16::from(*quant)).sum::<i16>().to_le_bytes();
        }
    });
}

/// Stores the low two bits of the quants: a byte has those of four rows of 32.
#[inline(always)]
fn put_two_bits(quants: &[u8], bytes: &mut [u8]) {
    for (bytes, quants) in bytes.as_chunks_mut::<32>().0.iter_mut().zip(quants.as_chunks::<128>().0) {
        for (column, byte) in bytes.iter_mut().enumerate() {
            *byte = (0..4).fold(0, |bits, row| bits | (quants[row * 32 + column] & 3) << (row * 2));
        }
    }
}

/// Stores the low four bits of the quants: a byte has those of two rows.
#[inline(always)]
fn put_rows_of_four_bits(quants: &[u8], bytes: &mut [u8]) {
    for (bytes, quants) in bytes.as_chunks_mut::<32>().0.iter_mut().zip(quants.as_chunks::<64>().0) {
        put_nibbles(quants, bytes);
    }
}

/// Stores one bit of each quant: a byte has those of eight rows of 32.
#[inline(always)]
fn put_row_bits(quants: &[u8], bit: u32, bytes: &mut [u8]) {
    for (row, quants) in quants.as_chunks::<32>().0.iter().enumerate() {
        for (byte, quant) in bytes.iter_mut().zip(quants) {
            *byte |= (quant >> bit & 1) << row;
        }
    }
}
