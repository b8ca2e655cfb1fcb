//! Plain floats: a block is one value.

use half::{bf16, f16};

pub fn f32(values: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(&values[0].to_le_bytes());
}

pub fn f16(values: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(&f16::from_f32(values[0]).to_le_bytes());
}

pub fn bf16(values: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(&bf16::from_f32(values[0]).to_le_bytes());
}
