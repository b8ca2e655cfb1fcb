//! Quantizers: functions that convert rows of numbers to the blocks of a tensor type.
//!
//! A quantizer computes the bytes that ggml's C code computes for a row of finite numbers when it is compiled without FMA
//! contraction: `ggml_quantize_chunk`, and for Q8_1 and Q8_K the functions of one row (`ggml-quants.c`, October 2026). So every
//! operation is one of ggml's, in the same order, and rounds to `f32`.
//!
//! There are four exceptions:
//!
//! - C does not define the conversion of a float to an integer that cannot hold it. Here the nearest integer is taken.
//! - ggml ends the program if the errors of all entries of a grid overflow. Here the first of the nearest entries is taken.
//! - Elements with equal values are sorted stably, as glibc sorted them until version 2.36.
//! - ggml does not write `bsums` of a Q8_K block of zeros. Here they are zeros.
//!
//! Infinity and NaN give blocks without a meaning.
//!
//! # Scalar and simd128
//!
//! As for the other kernels, the scalar code defines the bits, and a module `simd128` beside it is faster. The elements of a
//! part are added up one after the other, because each addition rounds. So a search with vectors works on four parts at once,
//! one in each lane (`lanes.rs`).

mod block;
mod extremes;
mod float16;
mod fp4;
mod grid_search;
mod iq1;
mod iq2_iq3;
mod iq4;
mod k;
#[cfg(target_feature = "simd128")]
mod lanes;
mod legacy;
mod low_bit;
mod neighbours;
mod offset_search;
mod requantize;
mod rounding;
mod scale_search;
mod shared_grids;
mod ternary;
mod weights;

use self::neighbours::NeighbourGrid;
use crate::error::{Result, error};
use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};

/// Converts rows of numbers to the blocks of a tensor type. All quantizers of a type share the table that the IQ1, IQ2 and IQ3 types need.
#[derive(Clone, Debug)]
pub struct Quantizer {
    info: &'static GgmlTypeInfo,
    method: Method,
}

/// The function that quantizes a row: the elements, their importance and the bytes of the blocks. It may need a grid.
#[derive(Clone, Debug)]
enum Method {
    Row(fn(&[f32], Option<&[f32]>, &mut [u8])),
    /// For entries of eight elements.
    Grid8(&'static NeighbourGrid<8, 3>, WithGrid<8, 3>),
    /// For entries of four elements.
    Grid4(&'static NeighbourGrid<4, 8>, WithGrid<4, 8>),
}

type WithGrid<const ELEMENTS: usize, const LEVELS: usize> =
    fn(&NeighbourGrid<ELEMENTS, LEVELS>, &[f32], Option<&[f32]>, &mut [u8]);

/// The quantizer of a tensor type. `None` if ggml does not quantize to the type.
///
/// ggml quantizes to all types but integers, F64 and the types that it has removed.
///
/// The first quantizer of an IQ1, IQ2 or IQ3 type computes a table of up to a megabyte, which takes up to a tenth of a second. The table
/// stays in memory for all further quantizers of the type.
///
/// # Examples
///
/// ```
/// use gguf_format::{GgmlType, tensor::{kernels, quantizer}};
///
/// // A row of 32 elements: one block of Q8_0.
/// let row: Vec<f32> = (0..32).map(|i| i as f32 / 31.0).collect();
/// let mut block = [0; 34];
/// quantizer(GgmlType::Q8_0).unwrap().quantize(&row, 32, None, &mut block)?;
///
/// let mut elements = [0.0; 32];
/// (kernels(GgmlType::Q8_0).unwrap().to_f32)(&block, &mut elements);
/// assert!((elements[31] - 1.0).abs() < 1e-3);
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn quantizer(ggml_type: GgmlType) -> Option<Quantizer> {
    let method = match ggml_type {
        GgmlType::F32 => Method::Row(float16::f32),
        GgmlType::F16 => Method::Row(float16::f16),
        GgmlType::BF16 => Method::Row(float16::bf16),
        GgmlType::Q4_0 => Method::Row(legacy::q4_0),
        GgmlType::Q4_1 => Method::Row(legacy::q4_1),
        GgmlType::Q5_0 => Method::Row(legacy::q5_0),
        GgmlType::Q5_1 => Method::Row(legacy::q5_1),
        GgmlType::Q8_0 => Method::Row(legacy::q8_0),
        GgmlType::Q8_1 => Method::Row(legacy::q8_1),
        GgmlType::Q2_K => Method::Row(k::q2_k),
        GgmlType::Q3_K => Method::Row(k::q3_k),
        GgmlType::Q4_K => Method::Row(k::q4_k),
        GgmlType::Q5_K => Method::Row(k::q5_k),
        GgmlType::Q6_K => Method::Row(k::q6_k),
        GgmlType::Q8_K => Method::Row(k::q8_k),
        GgmlType::IQ1_S => Method::Grid8(shared_grids::IQ1.get(), iq1::iq1_s),
        GgmlType::IQ1_M => Method::Grid8(shared_grids::IQ1.get(), iq1::iq1_m),
        GgmlType::IQ2_XXS => Method::Grid8(shared_grids::IQ2_XXS.get(), iq2_iq3::iq2_xxs),
        GgmlType::IQ2_XS => Method::Grid8(shared_grids::IQ2_XS.get(), iq2_iq3::iq2_xs),
        GgmlType::IQ2_S => Method::Grid8(shared_grids::IQ2_S.get(), iq2_iq3::iq2_s),
        GgmlType::IQ3_XXS => Method::Grid4(shared_grids::IQ3_XXS.get(), iq2_iq3::iq3_xxs),
        GgmlType::IQ3_S => Method::Grid4(shared_grids::IQ3_S.get(), iq2_iq3::iq3_s),
        GgmlType::IQ4_NL => Method::Row(iq4::iq4_nl),
        GgmlType::IQ4_XS => Method::Row(iq4::iq4_xs),
        GgmlType::TQ1_0 => Method::Row(ternary::tq1_0),
        GgmlType::TQ2_0 => Method::Row(ternary::tq2_0),
        GgmlType::MXFP4 => Method::Row(fp4::mxfp4),
        GgmlType::NVFP4 => Method::Row(fp4::nvfp4),
        GgmlType::Q1_0 => Method::Row(low_bit::q1_0),
        GgmlType::Q2_0 => Method::Row(low_bit::q2_0),
        _ => return None,
    };
    Some(Quantizer { info: ggml_type.info()?, method })
}

impl Quantizer {
    /// The tensor type.
    pub fn ggml_type(&self) -> GgmlType {
        GgmlType(self.info.id)
    }

    /// Whether the type cannot be quantized to without importance.
    pub fn requires_importance(&self) -> bool {
        matches!(self.ggml_type(), GgmlType::IQ1_S | GgmlType::IQ2_XXS | GgmlType::IQ2_XS)
    }

    /// Quantizes rows of `row_length` elements each.
    ///
    /// `importance` has a number of 0 or more for each column, which an importance matrix gives: how much an error in this
    /// column counts. It changes the result of Q4_0, Q4_1, Q5_0, Q5_1, of the K types but Q8_K, and of the IQ types.
    ///
    /// `out` receives the blocks of all rows, as a little-endian file stores them. Its length is that of these blocks.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if `row_length` is 0 or no multiple of the type's block size, if the number of elements is no
    /// multiple of `row_length`, if `importance` is missing although it is required, or if it or `out` has another length.
    pub fn quantize(&self, rows: &[f32], row_length: usize, importance: Option<&[f32]>, out: &mut [u8]) -> Result<()> {
        let row_bytes = self.check(rows, row_length, importance, out.len())?;
        for (row, out) in rows.chunks_exact(row_length).zip(out.chunks_exact_mut(row_bytes)) {
            match &self.method {
                Method::Row(quantize) => quantize(row, importance, out),
                Method::Grid8(grid, quantize) => quantize(grid, row, importance, out),
                Method::Grid4(grid, quantize) => quantize(grid, row, importance, out),
            }
        }
        Ok(())
    }

    /// Checks the arguments of `quantize`. Returns the length of a quantized row in bytes.
    fn check(&self, rows: &[f32], row_length: usize, importance: Option<&[f32]>, out_length: usize) -> Result<usize> {
        let (name, block_size) = (self.info.name, self.info.block_size as usize);
        if row_length == 0 || !row_length.is_multiple_of(block_size) {
            return Err(error!(InvalidArgument:
                "rows of {row_length} elements cannot be quantized to {name}: expected a multiple of {block_size}"));
        }
        if !rows.len().is_multiple_of(row_length) {
            return Err(error!(InvalidArgument:
                "{} elements cannot be quantized to {name}: expected a multiple of the row length, {row_length}",
                rows.len()));
        }
        match importance {
            Some(importance) if importance.len() != row_length => {
                return Err(error!(InvalidArgument:
                    "the importance has {} numbers: expected one for each of the {row_length} elements of a row",
                    importance.len()));
            }
            None if self.requires_importance() => {
                return Err(error!(InvalidArgument: "{name} cannot be quantized to without importance"));
            }
            _ => {}
        }
        let row_bytes = row_length / block_size * self.info.type_size as usize;
        // Divided, because a product could overflow.
        if !out_length.is_multiple_of(row_bytes) || out_length / row_bytes != rows.len() / row_length {
            return Err(error!(InvalidArgument:
                "the blocks of {} rows of {name} need {row_bytes} bytes for each row, but there is room for {out_length} bytes",
                rows.len() / row_length));
        }
        Ok(row_bytes)
    }
}

#[cfg(test)]
mod tests {
    use core::ptr::from_ref;

    use super::*;

    fn grid_of(ggml_type: GgmlType) -> *const () {
        match quantizer(ggml_type).unwrap().method {
            Method::Grid8(grid, _) => from_ref(grid).cast(),
            Method::Grid4(grid, _) => from_ref(grid).cast(),
            Method::Row(_) => panic!("{ggml_type} needs no grid"),
        }
    }

    #[test]
    fn quantizers_of_a_type_share_their_grid() {
        for ggml_type in [GgmlType::IQ1_S, GgmlType::IQ2_XS, GgmlType::IQ3_S] {
            assert_eq!(grid_of(ggml_type), grid_of(ggml_type), "{ggml_type}");
        }
        assert_eq!(grid_of(GgmlType::IQ1_S), grid_of(GgmlType::IQ1_M), "they have the same entries");
        assert_ne!(grid_of(GgmlType::IQ2_XXS), grid_of(GgmlType::IQ2_XS));
    }
}
