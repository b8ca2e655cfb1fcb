//! Kernels: functions that convert the blocks of a tensor type to numbers.
//!
//! A kernel reads the bytes of whole blocks, as a little-endian file stores them, and writes the elements of these
//! blocks. It looks at nothing else, allocates nothing, and cannot fail: every bit pattern is a valid block.
//!
//! # Exact values
//!
//! A kernel computes the bits that ggml's C code computes when it is compiled without FMA contraction: the same
//! operations on the same operands in the same order, each rounded to `f32`. There are two liberties. A NaN may be any
//! NaN. An intermediate integer that `f32` represents exactly may be computed in any way.
//!
//! ggml has no such code for Q8_1 and for plain numbers other than F16 and BF16. Here Q8_1 is d × q, and a plain number
//! is converted by Rust's `as f32`.
//!
//! # Scalar and simd128
//!
//! A file holds one family of types. Its module `scalar` is the readable reference. Its module `simd128` holds the
//! vector kernels that are faster. A kernel that gains nothing from hand-written vector code exists once. The target
//! features choose between the modules at compile time, so a build carries one of them. Tests compare a build of each
//! with the other and with the output of ggml.
//!
//! The folder `quantizers` has the other direction. The folder `forks` has the kernels of types that ggml does not have.

use crate::format::ggml_type::GgmlType;

/// Re-exports the kernels of `scalar` or of `simd128` in a family's file: the one place where the target chooses.
macro_rules! use_scalar_or_simd128 {
    () => {
        #[cfg(not(target_feature = "simd128"))]
        pub(crate) use scalar::*;
        #[cfg(target_feature = "simd128")]
        pub(crate) use simd128::*;
    };
}

pub(crate) mod before_gguf;
#[doc(hidden)]
pub mod finite;
mod float16;
#[cfg(feature = "fork-kernels")]
mod forks;
mod fp4;
mod grids;
mod iq1;
mod iq2_iq3;
mod iq4;
mod k;
mod kernel;
mod legacy;
mod levels;
mod low_bit;
#[cfg(target_feature = "simd128")]
pub(crate) mod mem;
mod number;
mod quantizers;
mod ternary;
#[cfg(target_feature = "simd128")]
mod vector;

#[cfg(feature = "fork-kernels")]
pub use forks::{FORK_KERNELS, ForkKernel, RowGroup, fork_kernel};
pub use kernel::Kernel;
pub use quantizers::{Quantizer, quantizer};

/// The kernels of a tensor type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Kernels {
    /// Converts blocks to `f32`. The bits are those that ggml's C computes; a NaN may be any NaN. F64 and integers are
    /// rounded to the nearest `f32`; an element of Q8_1 is d × q.
    pub to_f32: Kernel,
    /// Converts numbers to `f64`, for the types that `to_f32` rounds: F64, I64 and I32. Only integers above 2^53 are
    /// rounded.
    pub to_f64: Option<Kernel<f64>>,
    /// Converts integers to `i64`: I8, I16, I32 and I64.
    pub to_i64: Option<Kernel<i64>>,
}

/// The kernels of a tensor type; `None` if the type is unknown, or if ggml removed it.
///
/// # Examples
///
/// ```
/// use gguf_format::{GgmlType, tensor::kernels};
///
/// let to_f32 = kernels(GgmlType::BF16).unwrap().to_f32;
/// let mut elements = [0.0; 2];
/// to_f32(&[0x80, 0x3f, 0x20, 0xc0], &mut elements);
/// assert_eq!(elements, [1.0, -2.5]);
/// ```
pub const fn kernels(ggml_type: GgmlType) -> Option<Kernels> {
    Some(match ggml_type {
        GgmlType::F32 => Kernels::to_f32_only(number::f32_to_f32),
        GgmlType::F16 => Kernels::to_f32_only(float16::f16),
        GgmlType::BF16 => Kernels::to_f32_only(float16::bf16),
        GgmlType::F64 => Kernels { to_f64: Some(number::f64_to_f64), ..Kernels::to_f32_only(number::f64_to_f32) },
        GgmlType::I8 => Kernels { to_i64: Some(number::i8_to_i64), ..Kernels::to_f32_only(number::i8_to_f32) },
        GgmlType::I16 => Kernels { to_i64: Some(number::i16_to_i64), ..Kernels::to_f32_only(number::i16_to_f32) },
        GgmlType::I32 => {
            Kernels { to_f32: number::i32_to_f32, to_f64: Some(number::i32_to_f64), to_i64: Some(number::i32_to_i64) }
        }
        GgmlType::I64 => {
            Kernels { to_f32: number::i64_to_f32, to_f64: Some(number::i64_to_f64), to_i64: Some(number::i64_to_i64) }
        }
        GgmlType::Q4_0 => Kernels::to_f32_only(legacy::q4_0),
        GgmlType::Q4_1 => Kernels::to_f32_only(legacy::q4_1),
        GgmlType::Q5_0 => Kernels::to_f32_only(legacy::q5_0),
        GgmlType::Q5_1 => Kernels::to_f32_only(legacy::q5_1),
        GgmlType::Q8_0 => Kernels::to_f32_only(legacy::q8_0),
        GgmlType::Q8_1 => Kernels::to_f32_only(legacy::q8_1),
        GgmlType::Q2_K => Kernels::to_f32_only(k::q2_k),
        GgmlType::Q3_K => Kernels::to_f32_only(k::q3_k),
        GgmlType::Q4_K => Kernels::to_f32_only(k::q4_k),
        GgmlType::Q5_K => Kernels::to_f32_only(k::q5_k),
        GgmlType::Q6_K => Kernels::to_f32_only(k::q6_k),
        GgmlType::Q8_K => Kernels::to_f32_only(k::q8_k),
        GgmlType::IQ2_XXS => Kernels::to_f32_only(iq2_iq3::iq2_xxs),
        GgmlType::IQ2_XS => Kernels::to_f32_only(iq2_iq3::iq2_xs),
        GgmlType::IQ2_S => Kernels::to_f32_only(iq2_iq3::iq2_s),
        GgmlType::IQ3_XXS => Kernels::to_f32_only(iq2_iq3::iq3_xxs),
        GgmlType::IQ3_S => Kernels::to_f32_only(iq2_iq3::iq3_s),
        GgmlType::IQ1_S => Kernels::to_f32_only(iq1::iq1_s),
        GgmlType::IQ1_M => Kernels::to_f32_only(iq1::iq1_m),
        GgmlType::IQ4_NL => Kernels::to_f32_only(iq4::iq4_nl),
        GgmlType::IQ4_XS => Kernels::to_f32_only(iq4::iq4_xs),
        GgmlType::TQ1_0 => Kernels::to_f32_only(ternary::tq1_0),
        GgmlType::TQ2_0 => Kernels::to_f32_only(ternary::tq2_0),
        GgmlType::MXFP4 => Kernels::to_f32_only(fp4::mxfp4),
        GgmlType::NVFP4 => Kernels::to_f32_only(fp4::nvfp4),
        GgmlType::Q1_0 => Kernels::to_f32_only(low_bit::q1_0),
        GgmlType::Q2_0 => Kernels::to_f32_only(low_bit::q2_0),
        _ => return None,
    })
}

impl Kernels {
    /// The kernels of a type whose elements are `f32`s.
    pub(crate) const fn to_f32_only(to_f32: Kernel) -> Self {
        Self { to_f32, to_f64: None, to_i64: None }
    }
}

#[cfg(test)]
mod tests {
    use super::kernels;
    use crate::format::ggml_type::{GGML_TYPES, GgmlType};

    #[test]
    fn every_type_that_is_not_removed_has_kernels() {
        for info in GGML_TYPES {
            assert_eq!(kernels(GgmlType(info.id)).is_some(), !info.is_removed(), "{}", info.name);
        }
        assert!(kernels(GgmlType(u32::MAX)).is_none());
    }

    #[test]
    fn a_kernel_converts_the_elements_of_whole_blocks_and_no_more() {
        for info in GGML_TYPES.iter().filter(|info| !info.is_removed()) {
            let to_f32 = kernels(GgmlType(info.id)).unwrap().to_f32;
            let (bytes, length) = (info.type_size as usize, info.block_size as usize);
            for block_count in [0, 1, 2, 3, 9] {
                let blocks = vec![0x11; block_count * bytes + bytes - 1];
                let mut elements = vec![f32::NEG_INFINITY; (block_count + 1) * length];
                to_f32(&blocks, &mut elements);
                let (converted, rest) = elements.split_at(block_count * length);
                assert!(converted.iter().all(|element| *element != f32::NEG_INFINITY), "{}", info.name);
                assert!(rest.iter().all(|element| *element == f32::NEG_INFINITY), "{}", info.name);
                let whole = (block_count * length).saturating_sub(1) / length * length;
                let mut elements = vec![f32::NEG_INFINITY; (block_count * length).saturating_sub(1)];
                to_f32(&blocks, &mut elements);
                assert!(elements[whole..].iter().all(|element| *element == f32::NEG_INFINITY), "{}", info.name);
            }
        }
    }
}
