//! The types that are no blocks: a value is a number.

use crate::sample::half;

pub fn f32(values: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(&values[0].to_le_bytes());
}

pub fn f16(values: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(&half::f16(values[0]).to_le_bytes());
}

pub fn bf16(values: &[f32], out: &mut Vec<u8>) {
    out.extend_from_slice(&half::bf16(values[0]).to_le_bytes());
}
