//! The parts that quantisers share: the loop over blocks, and numbers that several of them need.

use super::rounding::square_root;

/// A magnitude below which ggml takes all elements of a part for zero.
pub(super) const LEAST_MAGNITUDE: f32 = 1e-15;

/// Calls `quantize` for each block of a row: with its elements, their importance, and its bytes, which are zero.
#[inline(always)]
pub(super) fn for_each_block<const ELEMENTS: usize, const BYTES: usize>(
    row: &[f32],
    importance: Option<&[f32]>,
    out: &mut [u8],
    mut quantize: impl FnMut(&[f32; ELEMENTS], Option<&[f32; ELEMENTS]>, &mut [u8; BYTES]),
) {
    let importance = importance.map(|importance| importance.as_chunks().0);
    for (i, (elements, block)) in row.as_chunks().0.iter().zip(out.as_chunks_mut().0).enumerate() {
        *block = [0; BYTES];
        quantize(elements, importance.map(|importance| &importance[i]), block);
    }
}

/// Stores a number as an f16. Returns the number that is stored.
#[inline(always)]
pub(super) fn put_f16(block: &mut [u8], offset: usize, number: f32) -> f32 {
    let rounded = half::f16::from_f32(number);
    block[offset..offset + 2].copy_from_slice(&rounded.to_le_bytes());
    rounded.to_f32()
}

/// The first element with the greatest magnitude; 0 if all are 0 or NaN.
#[inline(always)]
pub(super) fn extreme(elements: &[f32]) -> f32 {
    let (mut magnitude, mut extreme) = (0.0, 0.0);
    for element in elements {
        if element.abs() > magnitude {
            (magnitude, extreme) = (element.abs(), *element);
        }
    }
    extreme
}

/// The greatest element above 0; 0 if there is none.
#[inline(always)]
pub(super) fn greatest(elements: &[f32]) -> f32 {
    elements.iter().fold(0.0, |greatest, element| if *element > greatest { *element } else { greatest })
}

/// C's `MAX`, which gives the second number if one is NaN.
#[inline(always)]
pub(super) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// 1 / x, or 0 if x is 0.
#[inline(always)]
pub(super) fn inverse_or_zero(x: f32) -> f32 {
    if x == 0.0 { 0.0 } else { 1.0 / x }
}

/// The sum of numbers in their order. It starts at +0, as in C, where `Iterator::sum` starts at -0.
#[inline(always)]
pub(super) fn sum(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |sum, number| sum + number)
}

/// The sum of the squares.
#[inline(always)]
pub(super) fn sum_of_squares(elements: &[f32]) -> f32 {
    elements.iter().fold(0.0, |sum, element| sum + element * element)
}

/// The weight of each element's error: its square.
#[inline(always)]
pub(super) fn squares<const N: usize>(elements: &[f32; N]) -> [f32; N] {
    elements.map(|element| element * element)
}

/// The weight of each element's error, by its importance and its magnitude. `variance` is that of the row or of the block, or
/// twice that.
#[inline(always)]
pub(super) fn weights<const N: usize>(elements: &[f32; N], importance: &[f32; N], variance: f32) -> [f32; N] {
    core::array::from_fn(|i| importance[i] * square_root(variance + elements[i] * elements[i]))
}

/// The weights of the errors of a block's part. Without importance they are those of `without`.
#[inline(always)]
pub(super) fn part_weights<const N: usize>(
    elements: &[f32; N],
    part: usize,
    importance: Option<&[f32; 256]>,
    variance: f32,
    without: impl FnOnce(&[f32; N]) -> [f32; N],
) -> [f32; N] {
    match importance {
        Some(importance) => weights(elements, &importance.as_chunks().0[part], variance),
        None => without(elements),
    }
}

/// Stores two quants of four bits in each byte: the first half of the quants in the low bits.
#[inline(always)]
pub(super) fn put_nibbles(quants: &[u8], bytes: &mut [u8]) {
    let (low, high) = quants.split_at(quants.len() / 2);
    for ((byte, low), high) in bytes.iter_mut().zip(low).zip(high) {
        *byte = low & 15 | high << 4;
    }
}
