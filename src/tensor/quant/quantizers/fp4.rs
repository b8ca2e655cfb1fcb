//! MXFP4 and NVFP4. The scale follows from the greatest magnitude, and each element becomes the nearest 4-bit float.

use super::block::{extreme, for_each_block, put_nibbles};
use super::rounding::floor_of_log2;
use crate::tensor::quant::fp4::{TWICE_FP4, half_f8, half_power_of_two};

pub(super) fn mxfp4(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 17>(row, None, out, |x, _, block| {
        let magnitude = extreme(x).abs();
        block[0] = if magnitude > 0.0 { (floor_of_log2(magnitude) - 2 + 127).clamp(0, 255) as u8 } else { 0 };
        put_nibbles(&nearest_fp4(x, half_power_of_two(block[0])), &mut block[1..]);
    });
}

pub(super) fn nvfp4(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<64, 36>(row, None, out, |x, _, block| {
        for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
            // 6 is the greatest 4-bit float.
            block[part] = nearest_f8(extreme(x).abs() / 6.0);
            put_nibbles(&nearest_fp4(x, half_f8(block[part])), &mut block[4 + 8 * part..12 + 8 * part]);
        }
    });
}

/// The 4-bit floats that are nearest to the elements when multiplied by twice `half_scale`. Of two, it is the one with the
/// smaller magnitude. Zero is always positive.
#[inline(always)]
fn nearest_fp4<const N: usize>(x: &[f32; N], half_scale: f32) -> [u8; N] {
    let levels: [f32; 8] = core::array::from_fn(|i| f32::from(TWICE_FP4[i]) * half_scale);
    x.map(|x| {
        let magnitude = x.abs();
        let (mut nearest, mut least_error) = (0, magnitude);
        for (i, level) in (0..).zip(levels) {
            let error = (level - magnitude).abs();
            if error < least_error {
                (nearest, least_error) = (i, error);
            }
        }
        if x < 0.0 && nearest > 0 { nearest | 8 } else { nearest }
    })
}

/// The unsigned float of eight bits that is nearest to a number of 0 or more. A number that is rounded to 256 or more becomes
/// 448, the greatest one.
fn nearest_f8(x: f32) -> u8 {
    const LEAST_NORMAL: f32 = 1.0 / 64.0;
    const GREATEST: u8 = 0x7e;
    if x < LEAST_NORMAL {
        return ((x * 512.0 + 0.5) as u8).min(7);
    }
    // Half a step is added to the bits. The bias of the exponent changes from 127 to 7.
    let bits = ((x.to_bits() + (1 << 19)) >> 20) - ((127 - 7) << 3);
    if bits < 15 << 3 { bits as u8 } else { GREATEST }
}
