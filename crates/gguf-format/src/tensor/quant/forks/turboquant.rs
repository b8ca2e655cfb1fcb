//! The weight types of llama-cpp-turboquant: their quants describe a Walsh-Hadamard transform of the elements.
//!
//! ```text
//! type     block of 32                              a transformed element, by its index q
//! TQ3_1S   d f16 | d of the last 16 f16 | qs 12 B   centre(q) × d
//! TQ4_1S   d f16 | d of the last 16 f16 | qs 16 B   centre(q) × d
//! ```
//!
//! The bits of `qs` follow each other, the lowest first. An element is a result of the transform, times 1/√32, with a sign that depends
//! on its place. The constants are those of llama-cpp-turboquant.

use super::rows::{Layout, RowGroup, for_each_block};
use crate::tensor::quant::float16::f16_at;

static CENTRES_OF_8: [f32; 8] = [-1.996684, -1.291398, -0.740341, -0.247508, 0.230106, 0.725222, 1.277503, 1.988943];

static CENTRES_OF_16: [f32; 16] = [
    -2.73259, -2.069017, -1.618046, -1.256231, -0.942340, -0.656759, -0.388048, -0.128395, 0.128395, 0.388048,
    0.656759, 0.942340, 1.256231, 1.618046, 2.069017, 2.73259,
];

/// A bit for each element that changes its sign, the lowest for the first.
const NEGATIVE: u32 = 0x696b_4b4a;

pub(super) fn tq3_1s(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_block(Layout::new(32, 16), columns, groups, out, &|row, out| {
        convert(row.block, &CENTRES_OF_8, 3, out);
    })
}

pub(super) fn tq4_1s(columns: usize, groups: &[u8], out: &mut [f32]) -> Option<RowGroup> {
    for_each_block(Layout::new(32, 20), columns, groups, out, &|row, out| {
        convert(row.block, &CENTRES_OF_16, 4, out);
    })
}

fn convert(block: &[u8], centres: &[f32], bits: usize, out: &mut [f32]) {
    let byte = |offset: usize| usize::from(block.get(offset).copied().unwrap_or_default());
    for (i, out) in out.iter_mut().enumerate() {
        let d = f16_at(&[byte(i / 16 * 2) as u8, byte(i / 16 * 2 + 1) as u8], 0);
        let (offset, shift) = (4 + bits * i / 8, bits * i % 8);
        let index = (byte(offset) | byte(offset + 1) << 8) >> shift & (centres.len() - 1);
        *out = centres.get(index).copied().unwrap_or_default() * d;
    }
    for step in [1, 2, 4, 8, 16] {
        for out in out.chunks_exact_mut(2 * step) {
            let (first, second) = out.split_at_mut(step);
            for (a, b) in first.iter_mut().zip(second) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
    }
    for (i, out) in out.iter_mut().enumerate() {
        let scaled = *out * (0.176_776_695_296_636_9_f64 as f32);
        *out = if NEGATIVE >> i & 1 == 1 { -scaled } else { scaled };
    }
}
