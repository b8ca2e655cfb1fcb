//! F32, F16 and BF16: the nearest number; of two, the one whose last bit is 0.

use super::block::for_each_block;

pub(super) fn f32(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<1, 4>(row, None, out, |[element], _, bytes| *bytes = element.to_le_bytes());
}

pub(super) fn f16(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<1, 2>(row, None, out, |[element], _, bytes| *bytes = half::f16::from_f32(*element).to_le_bytes());
}

pub(super) fn bf16(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<1, 2>(row, None, out, |[element], _, bytes| *bytes = half::bf16::from_f32(*element).to_le_bytes());
}
