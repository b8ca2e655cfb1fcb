//! F32, F16 and BF16: the nearest number; ties go to the even one.

use super::block::for_each_block;

use_scalar_or_simd128!();

pub(super) fn f32(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<1, 4>(row, None, out, |[element], _, bytes| *bytes = element.to_le_bytes());
}

pub(super) fn bf16(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<1, 2>(row, None, out, |[element], _, bytes| *bytes = half::bf16::from_f32(*element).to_le_bytes());
}

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "simd128 converts the last numbers with it"))]
mod scalar {
    use crate::tensor::quant::quantizers::block::for_each_block;

    pub(crate) fn f16(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
        for_each_block::<1, 2>(row, None, out, |[element], _, bytes| {
            *bytes = half::f16::from_f32(*element).to_le_bytes();
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use super::scalar;
    use crate::tensor::quant::mem::store_bytes;
    use crate::tensor::quant::quantizers::lanes::{load_16, map};

    pub(crate) fn f16(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
        let (rows, rest) = row.as_chunks();
        let (bytes, rest_bytes) = out.as_chunks_mut::<32>();
        for (x, bytes) in rows.iter().zip(bytes) {
            let [a, b, c, d] = map(load_16(x), narrow);
            let bytes = bytes.as_chunks_mut().0;
            store_bytes(&mut bytes[0], u16x8_narrow_i32x4(a, b));
            store_bytes(&mut bytes[1], u16x8_narrow_i32x4(c, d));
        }
        scalar::f16(rest, None, rest_bytes);
    }

    /// Four f16s as integers.
    ///
    /// Adds 2¹³ times the power of two of a number to the number. The lowest bits of the sum are the rounded significand that
    /// an f16 stores: 1 and the fraction. A subnormal f16 uses the power of the least normal one. The leading 1 of a normal f16
    /// is added to its exponent.
    #[inline(always)]
    fn narrow(x: v128) -> v128 {
        const INFINITY: i32 = 0x7f80_0000;
        let magnitude = v128_and(x, i32x4_splat(0x7fff_ffff));
        // 2¹⁶ and every number above it become infinity.
        let limited = i32x4_min(magnitude, i32x4_splat((127 + 16) << 23));
        let power = i32x4_max(v128_and(limited, i32x4_splat(INFINITY)), i32x4_splat((127 - 14) << 23));
        let power = i32x4_add(power, i32x4_splat(13 << 23));
        let significand = i32x4_sub(f32x4_add(limited, power), power);
        let exponent = i32x4_sub(u32x4_shr(power, 13), i32x4_splat((127 - 14 + 13) << 10));
        // As in the crate `half`, NaN keeps the high bits of its fraction and gets the highest.
        let fraction = v128_or(v128_and(u32x4_shr(magnitude, 13), i32x4_splat(0x3ff)), i32x4_splat(0x200));
        let nan = v128_and(fraction, i32x4_gt(magnitude, i32x4_splat(INFINITY)));
        let sign = v128_and(u32x4_shr(x, 16), i32x4_splat(0x8000));
        v128_or(v128_or(i32x4_add(exponent, significand), nan), sign)
    }
}
