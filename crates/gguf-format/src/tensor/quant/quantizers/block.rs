//! The parts that quantizers share: the loop over blocks, and numbers that several of them need.

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

/// Calls `quantize` for each four blocks of a row, and for the rest of one to three: with the elements and their importance, in
/// which missing blocks are zeros, and with the bytes of these blocks, which are zero.
#[inline(always)]
pub(super) fn for_each_four_blocks<const ELEMENTS: usize, const BYTES: usize>(
    row: &[f32],
    importance: Option<&[f32]>,
    out: &mut [u8],
    mut quantize: impl FnMut(&[[f32; ELEMENTS]; 4], Option<&[[f32; ELEMENTS]; 4]>, &mut [[u8; BYTES]]),
) {
    let four = |numbers: &[f32], first: usize| {
        let mut four = [[0.0; ELEMENTS]; 4];
        for (block, of_row) in four.iter_mut().zip(&numbers.as_chunks().0[first..]) {
            *block = *of_row;
        }
        four
    };
    for (i, blocks) in out.as_chunks_mut::<BYTES>().0.chunks_mut(4).enumerate() {
        blocks.fill([0; BYTES]);
        let importance = importance.map(|importance| four(importance, 4 * i));
        quantize(&four(row, 4 * i), importance.as_ref(), blocks);
    }
}

/// The elements of a block as `COUNT` parts of `N` elements.
#[inline(always)]
pub(super) fn parts_of<const N: usize, const COUNT: usize>(elements: &[f32; 256]) -> &[[f32; N]; COUNT] {
    const { assert!(N * COUNT == 256) };
    elements.as_chunks().0.first_chunk().expect("the parts have all elements")
}

/// Stores a number as an f16. Returns the number that is stored.
#[inline(always)]
pub(super) fn put_f16(block: &mut [u8], offset: usize, number: f32) -> f32 {
    let rounded = half::f16::from_f32(number);
    block[offset..offset + 2].copy_from_slice(&rounded.to_le_bytes());
    rounded.to_f32()
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

/// Stores two quants of four bits in each byte: the first half of the quants in the low bits.
#[inline(always)]
pub(super) fn put_nibbles<const N: usize>(quants: &[u8; N], bytes: &mut [u8]) {
    let (low, high) = quants.split_at(N / 2);
    for ((byte, low), high) in bytes.iter_mut().zip(low).zip(high) {
        *byte = low & 15 | high << 4;
    }
}
