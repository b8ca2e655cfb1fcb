//! Quantisers for the sample: they convert values to the blocks of ggml's tensor types.
//!
//! The scale of a block follows from its extreme values, and each value is rounded to the nearest quant. ggml's own
//! quantisers search for better scales. These only have to be right.

mod codebook;
mod float;
mod k;
mod legacy;
mod low_bit;
mod scale;

use gguf_wasm::GgmlType;

/// How a tensor is stored.
#[derive(Debug, Clone, Copy)]
pub struct Encoding {
    pub ggml_type: GgmlType,
    /// Appends one block. The values are finite, and as many as the type has in a block.
    pub encode: fn(&[f32], &mut Vec<u8>),
}

impl Encoding {
    const fn new(ggml_type: GgmlType, encode: fn(&[f32], &mut Vec<u8>)) -> Self {
        Self { ggml_type, encode }
    }

    /// Values in a block.
    pub fn block_size(&self) -> usize {
        self.ggml_type.info().map_or(0, |info| info.block_size as usize)
    }
}

pub const F32: Encoding = Encoding::new(GgmlType::F32, float::f32);
pub const F16: Encoding = Encoding::new(GgmlType::F16, float::f16);
pub const Q4_0: Encoding = Encoding::new(GgmlType::Q4_0, legacy::q4_0);
pub const Q4_1: Encoding = Encoding::new(GgmlType::Q4_1, legacy::q4_1);
pub const Q5_0: Encoding = Encoding::new(GgmlType::Q5_0, legacy::q5_0);
pub const Q5_1: Encoding = Encoding::new(GgmlType::Q5_1, legacy::q5_1);
pub const Q8_0: Encoding = Encoding::new(GgmlType::Q8_0, legacy::q8_0);
pub const Q2_K: Encoding = Encoding::new(GgmlType::Q2_K, k::q2_k);
pub const Q3_K: Encoding = Encoding::new(GgmlType::Q3_K, k::q3_k);
pub const Q4_K: Encoding = Encoding::new(GgmlType::Q4_K, k::q4_k);
pub const Q5_K: Encoding = Encoding::new(GgmlType::Q5_K, k::q5_k);
pub const Q6_K: Encoding = Encoding::new(GgmlType::Q6_K, k::q6_k);
pub const IQ4_NL: Encoding = Encoding::new(GgmlType::IQ4_NL, codebook::iq4_nl);
pub const IQ4_XS: Encoding = Encoding::new(GgmlType::IQ4_XS, codebook::iq4_xs);
pub const BF16: Encoding = Encoding::new(GgmlType::BF16, float::bf16);
pub const TQ1_0: Encoding = Encoding::new(GgmlType::TQ1_0, low_bit::tq1_0);
pub const TQ2_0: Encoding = Encoding::new(GgmlType::TQ2_0, low_bit::tq2_0);
pub const MXFP4: Encoding = Encoding::new(GgmlType::MXFP4, codebook::mxfp4);
pub const NVFP4: Encoding = Encoding::new(GgmlType::NVFP4, codebook::nvfp4);
pub const Q1_0: Encoding = Encoding::new(GgmlType::Q1_0, low_bit::q1_0);

#[cfg(test)]
mod tests;
