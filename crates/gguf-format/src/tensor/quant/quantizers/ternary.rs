//! TQ1_0 and TQ2_0. The scale is the greatest magnitude, and an element of at least half of it keeps its sign.

use super::block::{for_each_block, inverse_or_zero, put_f16};
use super::extremes::greatest_magnitude;

use_scalar_or_simd128!();

pub(super) fn tq1_0(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 54>(row, None, out, |x, _, block| {
        let digits = digits(x, &mut block[52..]);
        let (first, rest) = digits.split_at(160);
        let (second, third) = rest.split_at(80);
        put_rows::<32>(first, &mut block[..32]);
        put_rows::<16>(second, &mut block[32..48]);
        put_rows::<4>(third, &mut block[48..52]);
    });

    /// Stores a byte for each column: the digits of its rows, of which there are up to five.
    fn put_rows<const COLUMNS: usize>(digits: &[u8], bytes: &mut [u8]) {
        let rows = digits.as_chunks::<COLUMNS>().0;
        for (column, byte) in bytes.iter_mut().enumerate() {
            let number =
                (0..5).fold(0, |number, row| number * 3 + rows.get(row).map_or(0, |row| u16::from(row[column])));
            // The fraction number / 243, out of 256 and rounded up.
            *byte = (number * 256).div_ceil(243) as u8;
        }
    }
}

pub(super) fn tq2_0(row: &[f32], _: Option<&[f32]>, out: &mut [u8]) {
    for_each_block::<256, 66>(row, None, out, |x, _, block| {
        let digits = digits(x, &mut block[64..]);
        for (i, digit) in digits.iter().enumerate() {
            block[i / 128 * 32 + i % 32] |= digit << (i / 32 % 4 * 2);
        }
    });
}

/// Stores `d`. Returns 0, 1 or 2 for each element.
#[inline(always)]
fn digits(x: &[f32; 256], field: &mut [u8]) -> [u8; 256] {
    let d = greatest_magnitude(x);
    put_f16(field, 0, d);
    rounded_signs(x, inverse_or_zero(d))
}

#[cfg(not(target_feature = "simd128"))]
mod scalar {
    use crate::tensor::quant::quantizers::rounding::nearest_away_from_zero;

    /// 0, 1 or 2 for each element, by the nearest of -1, 0 and 1 to its product with the inverse of the scale.
    #[inline(always)]
    pub(crate) fn rounded_signs(x: &[f32; 256], inverse: f32) -> [u8; 256] {
        x.map(|x| (nearest_away_from_zero(x * inverse).clamp(-1, 1) + 1) as u8)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::mem::store_bytes;
    use crate::tensor::quant::quantizers::lanes::{load_16, map, signed_bytes};

    /// 0, 1 or 2 for each element, by the nearest of -1, 0 and 1 to its product with the inverse of the scale.
    #[inline(always)]
    pub(crate) fn rounded_signs(x: &[f32; 256], inverse: f32) -> [u8; 256] {
        let mut digits = [0; 256];
        for (digits, x) in digits.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
            let sign = |x| {
                let product = f32x4_mul(x, f32x4_splat(inverse));
                let (is_one, is_minus_one) =
                    (f32x4_ge(product, f32x4_splat(0.5)), f32x4_le(product, f32x4_splat(-0.5)));
                // What is true is -1.
                i32x4_sub(is_minus_one, is_one)
            };
            store_bytes(digits, i8x16_add(signed_bytes(map(load_16(x), sign)), i8x16_splat(1)));
        }
        digits
    }
}
