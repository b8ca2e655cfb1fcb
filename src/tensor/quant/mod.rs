//! Kernels: a tensor type's blocks to `f32`s.
//!
//! A kernel is `fn(&[u8], &mut [f32])`: whole blocks as they lie in a little-endian file, and as many elements as they
//! hold; what is left over at the end of the longer one is not touched. Kernels look at nothing else, allocate
//! nothing, and cannot fail: every pattern of bits is a block. [`GGML_TYPES`](crate::format::ggml_type::GGML_TYPES) names them.
//!
//! # What is computed
//!
//! The bits that ggml's C computes without contraction: the same operations on the same operands in the same order,
//! each rounded to `f32`. Where that is NaN, any NaN. An integer that `f32` holds may come about in any way.
//!
//! For plain numbers other than F16 and BF16, and for Q8_1, ggml has no such code: these are Rust's `as f32`, and d × q.
//!
//! # Scalar and simd128
//!
//! A family's file has a module `scalar`, which says what is computed, and a module `simd128` with what is faster than
//! that; what compilers make vectors of, or what is not worth them, is written once. The target decides at compile time
//! which of them a build has, so that none carries both; tests hold a build of each against the other and against ggml's
//! own output.

/// Has a family's file offer the kernels of one of its modules: the one place where the target chooses.
macro_rules! use_scalar_or_simd128 {
    () => {
        #[cfg(not(target_feature = "simd128"))]
        pub(crate) use scalar::*;
        #[cfg(target_feature = "simd128")]
        pub(crate) use simd128::*;
    };
}

pub(crate) mod fp4;
pub(crate) mod half;
pub(crate) mod iq;
pub(crate) mod iq1;
pub(crate) mod iq4;
pub(crate) mod k;
pub(crate) mod legacy;
mod levels;
pub(crate) mod low_bit;
#[cfg(target_feature = "simd128")]
pub(crate) mod mem;
pub(crate) mod number;
pub(crate) mod ternary;
#[cfg(target_feature = "simd128")]
mod vector;
pub(crate) mod wide;

mod grids;

/// Makes numbers of whole blocks: the bytes of the blocks, and where the numbers go.
pub type Kernel<T = f32> = fn(&[u8], &mut [T]);

/// Goes through blocks of `BYTES` bytes that hold `ELEMENTS` elements each.
#[inline(always)]
fn each<const BYTES: usize, const ELEMENTS: usize>(
    blocks: &[u8],
    out: &mut [f32],
    to_float: impl Fn(&[u8; BYTES], &mut [f32; ELEMENTS]),
) {
    for (block, out) in blocks.as_chunks().0.iter().zip(out.as_chunks_mut().0) {
        to_float(block, out);
    }
}

/// The `N` bytes of a block from `offset` on. Both are known when it is compiled, and so is that they lie within.
#[inline(always)]
fn field<const N: usize>(block: &[u8], offset: usize) -> &[u8; N] {
    block[offset..].first_chunk().expect("a field lies within its block")
}
