//! MXFP4 and NVFP4. The scale follows from the greatest magnitude, and each element becomes the nearest 4-bit float.

use super::block::{for_each_block, put_nibbles};
use super::extremes::greatest_magnitude;
use super::rounding::floor_of_log2;
use crate::tensor::quant::fp4::{half_f8, half_power_of_two};

use_scalar_or_simd128!();

pub(super) fn mxfp4(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<32, 17>(row, None, out, |x, _, block| {
        let magnitude = greatest_magnitude(x);
        block[0] = if magnitude > 0.0 { (floor_of_log2(magnitude) - 2 + 127).clamp(0, 255) as u8 } else { 0 };
        put_nibbles(&nearest_fp4(x, half_power_of_two(block[0])), &mut block[1..]);
    });
}

pub(super) fn nvfp4(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<64, 36>(row, None, out, |x, _, block| {
        for (part, x) in x.as_chunks::<16>().0.iter().enumerate() {
            // 6 is the greatest 4-bit float.
            block[part] = nearest_f8(greatest_magnitude(x) / 6.0);
            put_nibbles(&nearest_fp4(x, half_f8(block[part])), &mut block[4 + 8 * part..12 + 8 * part]);
        }
    });
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

#[cfg(not(target_feature = "simd128"))]
mod scalar {
    use crate::tensor::quant::fp4::TWICE_FP4;

    /// The 4-bit floats that are nearest to the elements when multiplied by twice `half_scale`. Of two, it is the one with the
    /// smaller magnitude. Zero is always positive.
    #[inline(always)]
    pub(crate) fn nearest_fp4<const N: usize>(x: &[f32; N], half_scale: f32) -> [u8; N] {
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
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::fp4::TWICE_FP4;
    use crate::tensor::quant::mem::store_bytes;
    use crate::tensor::quant::quantizers::lanes::{load_16, map, signed_bytes};

    /// The 4-bit floats that are nearest to the elements when multiplied by twice `half_scale`. Of two, it is the one with the
    /// smaller magnitude. Zero is always positive.
    #[inline(always)]
    pub(crate) fn nearest_fp4<const N: usize>(x: &[f32; N], half_scale: f32) -> [u8; N] {
        const { assert!(N.is_multiple_of(16)) };
        let levels: [f32; 8] = core::array::from_fn(|i| f32::from(TWICE_FP4[i]) * half_scale);
        let nearest = |x: v128| {
            let magnitude = f32x4_abs(x);
            let (mut nearest, mut least_error) = (i32x4_splat(0), magnitude);
            let mut compare = |i: usize| {
                let error = f32x4_abs(f32x4_sub(f32x4_splat(levels[i]), magnitude));
                nearest = v128_bitselect(i32x4_splat(i as i32), nearest, f32x4_lt(error, least_error));
                least_error = f32x4_pmin(least_error, error);
            };
            compare(1);
            compare(2);
            compare(3);
            compare(4);
            compare(5);
            compare(6);
            compare(7);
            let has_sign = v128_and(f32x4_lt(x, f32x4_splat(0.0)), i32x4_gt(nearest, i32x4_splat(0)));
            v128_or(nearest, v128_and(has_sign, i32x4_splat(8)))
        };
        let mut quants = [0; N];
        for (quants, x) in quants.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
            store_bytes(quants, signed_bytes(map(load_16(x), nearest)));
        }
        quants
    }
}
