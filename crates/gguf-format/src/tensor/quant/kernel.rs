//! The parts that kernels share: their type, the loop over blocks, and the fields of a block.

/// Converts whole blocks to numbers: the bytes of the blocks, and the slice for their elements. If one slice is longer
/// than the other needs, its rest is ignored.
pub type Kernel<T = f32> = fn(&[u8], &mut [T]);

/// Calls `convert` for each block of `BYTES` bytes with the slice for its `ELEMENTS` elements.
#[inline(always)]
pub(super) fn for_each_block<const BYTES: usize, const ELEMENTS: usize>(
    blocks: &[u8],
    elements: &mut [f32],
    convert: impl Fn(&[u8; BYTES], &mut [f32; ELEMENTS]),
) {
    for (block, elements) in blocks.as_chunks().0.iter().zip(elements.as_chunks_mut().0) {
        convert(block, elements);
    }
}

/// The `N` bytes of a block from `offset` on. Kernels pass constants, so the compiler proves that they lie within.
#[inline(always)]
pub(super) fn bytes_at<const N: usize>(block: &[u8], offset: usize) -> &[u8; N] {
    block[offset..].first_chunk().expect("a field lies within its block")
}
