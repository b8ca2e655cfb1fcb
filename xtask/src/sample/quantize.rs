//! Numbers to the blocks of ggml's tensor types: the nearest that a type can store, found the
//! plain way. ggml's own quantisers search for better scales; these only have to be right.

mod codebook;
mod float;
mod k;
mod legacy;
mod low_bit;

/// How a tensor is stored.
#[derive(Debug, Clone, Copy)]
pub struct Encoding {
    /// `ggml_type`.
    pub id: u32,
    /// Values in a block.
    pub block_size: usize,
    /// Appends the block that stores `block_size` finite values.
    pub encode: fn(&[f32], &mut Vec<u8>),
}

const fn encoding(id: u32, block_size: usize, encode: fn(&[f32], &mut Vec<u8>)) -> Encoding {
    Encoding { id, block_size, encode }
}

pub const F32: Encoding = encoding(0, 1, float::f32);
pub const F16: Encoding = encoding(1, 1, float::f16);
pub const Q4_0: Encoding = encoding(2, 32, legacy::q4_0);
pub const Q4_1: Encoding = encoding(3, 32, legacy::q4_1);
pub const Q5_0: Encoding = encoding(6, 32, legacy::q5_0);
pub const Q5_1: Encoding = encoding(7, 32, legacy::q5_1);
pub const Q8_0: Encoding = encoding(8, 32, legacy::q8_0);
pub const Q2_K: Encoding = encoding(10, 256, k::q2_k);
pub const Q3_K: Encoding = encoding(11, 256, k::q3_k);
pub const Q4_K: Encoding = encoding(12, 256, k::q4_k);
pub const Q5_K: Encoding = encoding(13, 256, k::q5_k);
pub const Q6_K: Encoding = encoding(14, 256, k::q6_k);
pub const IQ4_NL: Encoding = encoding(20, 32, codebook::iq4_nl);
pub const IQ4_XS: Encoding = encoding(23, 256, codebook::iq4_xs);
pub const BF16: Encoding = encoding(30, 1, float::bf16);
pub const TQ1_0: Encoding = encoding(34, 256, low_bit::tq1_0);
pub const TQ2_0: Encoding = encoding(35, 256, low_bit::tq2_0);
pub const MXFP4: Encoding = encoding(39, 32, codebook::mxfp4);
pub const NVFP4: Encoding = encoding(40, 64, codebook::nvfp4);
pub const Q1_0: Encoding = encoding(41, 128, low_bit::q1_0);

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
