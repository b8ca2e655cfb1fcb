//! Numbers to the blocks of ggml's tensor types: the nearest that a type can store, found the
//! plain way. ggml's own quantisers search for better scales; these only have to be right.

mod codebook;
mod float;
mod k;
mod legacy;
mod low_bit;

use gguf_wasm::GgmlType;

/// How a tensor is stored.
#[derive(Debug, Clone, Copy)]
pub struct Encoding {
    pub ggml_type: GgmlType,
    /// Appends the block that stores as many finite values as the type has in a block.
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

/// Appends `scale` as `F16` and gives the scale as it will be read back.
fn push_f16(scale: f32, out: &mut Vec<u8>) -> f32 {
    let bits = super::half::f16(scale);
    out.extend_from_slice(&bits.to_le_bytes());
    super::half::from_f16(bits)
}

/// `1 / scale`, and 0 where there is no scale: everything it multiplies becomes 0.
fn inverse(scale: f32) -> f32 {
    if scale == 0.0 { 0.0 } else { 1.0 / scale }
}

/// The value of the greatest magnitude.
fn peak(values: &[f32]) -> f32 {
    let mut peak = 0.0f32;
    for &value in values {
        if value.abs() > peak.abs() {
            peak = value;
        }
    }
    peak
}

/// The nearest integer in `low..=high`.
fn nearest(value: f32, low: i32, high: i32) -> i32 {
    // Half away from zero: truncation is far cheaper than `round` where nothing is optimised.
    let rounded = if value < 0.0 { (value - 0.5) as i32 } else { (value + 0.5) as i32 };
    rounded.clamp(low, high)
}

#[cfg(test)]
mod tests;
