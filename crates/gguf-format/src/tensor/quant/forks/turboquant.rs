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

use super::rows::{Layout, RowGroup, field, for_each_block};
use crate::tensor::quant::float16::f16_at;

static CENTRES_OF_8: [f32; 8] = [-1.996684, -1.291398, -0.740341, -0.247508, 0.230106, 0.725222, 1.277503, 1.988943];

static CENTRES_OF_16: [f32; 16] = [
    -2.73259, -2.069017, -1.618046, -1.256231, -0.942340, -0.656759, -0.388048, -0.128395, 0.128395, 0.388048,
    0.656759, 0.942340, 1.256231, 1.618046, 2.069017, 2.73259,
];

/// A bit for each element that changes its sign, the lowest for the first.
const NEGATIVE: u32 = 0x696b_4b4a;

/// 1/√32.
const SCALE: f32 = 0.176_776_695_296_636_9_f64 as f32;

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
    let Some(out) = out.first_chunk_mut() else { return };
    for (half, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let d = f16_at(&field::<2>(block, 2 * half), 0);
        let offset = 4 + 2 * bits * half;
        // The last two bytes are those of four bits for an element.
        let [first, last] = [4, 6].map(|at| u64::from(u16::from_le_bytes(field(block, offset + at))));
        let mut quants = u64::from(u32::from_le_bytes(field(block, offset))) | first << 32 | last << 48;
        for out in out {
            *out = centres.get(quants as usize & (centres.len() - 1)).copied().unwrap_or_default() * d;
            quants >>= bits;
        }
    }
    transform(out);
}

#[cfg(not(target_feature = "simd128"))]
fn transform(out: &mut [f32; 32]) {
    for step in [1, 2, 4, 8, 16] {
        for out in out.chunks_exact_mut(2 * step) {
            let (first, second) = out.split_at_mut(step);
            for (a, b) in first.iter_mut().zip(second) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
    }
    for (i, out) in out.iter_mut().enumerate() {
        let scaled = *out * SCALE;
        *out = if NEGATIVE >> i & 1 == 1 { -scaled } else { scaled };
    }
}

#[cfg(target_feature = "simd128")]
fn transform(out: &mut [f32; 32]) {
    use crate::tensor::quant::mem::{load_floats, store};
    use core::arch::wasm32::*;

    const SIGN: u32 = 1 << 31;
    let out = out.as_chunks_mut().0;
    for out in out.iter_mut() {
        // The first two steps are within a vector. A difference is the sum with the negative.
        let floats = load_floats(out);
        let (first, second) =
            (i32x4_shuffle::<0, 0, 2, 2>(floats, floats), i32x4_shuffle::<1, 1, 3, 3>(floats, floats));
        let floats = f32x4_add(first, v128_xor(second, u32x4(0, SIGN, 0, SIGN)));
        let (first, second) =
            (i32x4_shuffle::<0, 1, 0, 1>(floats, floats), i32x4_shuffle::<2, 3, 2, 3>(floats, floats));
        store(out, f32x4_add(first, v128_xor(second, u32x4(0, 0, SIGN, SIGN))));
    }
    for step in [1, 2, 4] {
        for out in out.chunks_exact_mut(2 * step) {
            let (first, second) = out.split_at_mut(step);
            for (a, b) in first.iter_mut().zip(second) {
                let (floats, others) = (load_floats(a), load_floats(b));
                store(a, f32x4_add(floats, others));
                store(b, f32x4_sub(floats, others));
            }
        }
    }
    for (i, out) in out.iter_mut().enumerate() {
        let negative = NEGATIVE >> (4 * i);
        let signs = u32x4(negative << 31, negative << 30 & SIGN, negative << 29 & SIGN, negative << 28 & SIGN);
        store(out, v128_xor(f32x4_mul(load_floats(out), f32x4_splat(SCALE)), signs));
    }
}
