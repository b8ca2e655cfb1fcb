//! The ternary types: an element is -d, 0 or d. (The two bits of TQ2_0 can also say 2 × d.)
//!
//! ```text
//! type    block                         elements   an element
//! TQ1_0   qs 48 B | qh 4 B | d f16      256        (t - 1) × d, by its ternary digit t
//! TQ2_0   qs 64 B | d f16               256        (q - 1) × d, by its quant q
//! ```
//!
//! The elements are in rows. A byte has one element of each row of its group of rows, always in the same column:
//!
//! ```text
//! qs of TQ1_0     32 B for 5 rows of 32 elements, then 16 B for 5 rows of 16
//! qh of TQ1_0      4 B for 4 rows of 4
//! qs of TQ2_0     32 B for 4 rows of 32, then 32 B for 4 rows of 32; two bits for an element, the first row's lowest
//! ```
//!
//! A byte of TQ1_0 is a fraction, out of 256, whose first five ternary digits are the elements. Three times the fraction
//! has the first digit before the point, and the fraction with the next digits behind it. The encoder rounds the byte up,
//! so that no multiple falls short of its digit.

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn tq1_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<54, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 52);
            let (first, rest) = elements.split_at_mut(160);
            let (second, third) = rest.split_at_mut(80);
            convert_rows(d, bytes_at::<32>(block, 0), first);
            convert_rows(d, bytes_at::<16>(block, 32), second);
            convert_rows(d, bytes_at::<4>(block, 48), third);
        });
    }

    /// Converts as many rows as `elements` holds.
    #[inline(always)]
    fn convert_rows<const COLUMNS: usize>(d: f32, bytes: &[u8; COLUMNS], elements: &mut [f32]) {
        let mut fractions = *bytes;
        for row in elements.as_chunks_mut::<COLUMNS>().0 {
            for (element, fraction) in row.iter_mut().zip(&mut fractions) {
                let [rest, digit] = (u16::from(*fraction) * 3).to_le_bytes();
                *element = (f32::from(digit) - 1.0) * d;
                *fraction = rest;
            }
        }
    }

    pub(crate) fn tq2_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<66, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 64);
            for (row, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<32>(block, row / 4 * 32);
                for (element, q) in elements.iter_mut().zip(qs) {
                    *element = (f32::from(q >> (row % 4 * 2) & 3) - 1.0) * d;
                }
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{BIAS, F32x16};

    pub(crate) fn tq1_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<54, 256>(blocks, elements, |block, elements| {
            let half_d = f32x4_splat(f16_at(block, 52) / 2.0);
            let (rows, last) = elements.split_at_mut(240);
            let (first, second) = rows.split_at_mut(160);
            let (first, second) = (first.as_chunks_mut().0, second.as_chunks_mut().0);
            convert_rows(half_d, load(bytes_at(block, 0)), first.iter_mut().step_by(2));
            convert_rows(half_d, load(bytes_at(block, 16)), first.iter_mut().skip(1).step_by(2));
            convert_rows(half_d, load(bytes_at(block, 32)), second.iter_mut());
            // The fractions of four rows of four elements: those of the first row times 1, 3, 9 and 27.
            let qh = u32x4_splat(u32::from_le_bytes(*bytes_at(block, 48)));
            let (powers, even) = (u16x8(1, 1, 3, 3, 9, 9, 27, 27), u16x8_splat(0xff));
            let qh = v128_or(v128_and(i16x8_mul(qh, powers), even), i16x8_mul(v128_andnot(qh, even), powers));
            convert_rows(half_d, qh, last.as_chunks_mut().0.iter_mut());
        });
    }

    /// Converts the first digit of 16 fractions to the first row, the next digit to the next row, and so on.
    #[inline(always)]
    fn convert_rows<'a>(half_d: v128, fractions: v128, rows: impl Iterator<Item = &'a mut [f32; 16]>) {
        // The comparison of bytes is signed, so the fractions are stored less 128. Three times such a fraction is less
        // 384, which is the same as 128 in a byte.
        let mut fractions = v128_xor(fractions, u8x16_splat(0x80));
        for row in rows {
            let is_two = i8x16_gt(fractions, u8x16_splat(170 - 128));
            let is_zero = i8x16_lt(fractions, u8x16_splat(86u8.wrapping_sub(128)));
            // The high byte of the floats 2.0, 0.0 and -2.0, twice the element without d. Their other bytes are zero.
            let high_bytes = v128_or(v128_and(is_two, u8x16_splat(0x40)), v128_and(is_zero, u8x16_splat(0xc0)));
            (F32x16::from_high_bytes(high_bytes) * half_d).store(row);
            // Doubled by a shift, because the compiler would turn a sum of three into a product, which wasm lacks for
            // bytes.
            let doubled = v128_and(u16x8_shl(fractions, 1), u8x16_splat(0xfe));
            fractions = i8x16_add(fractions, doubled);
        }
    }

    pub(crate) fn tq2_0(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<66, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 64);
            for (group, elements) in elements.as_chunks_mut::<128>().0.iter_mut().enumerate() {
                let elements = elements.as_chunks_mut().0;
                for half in 0..2 {
                    let qs = F32x16::biased_u8(load(bytes_at(block, group * 32 + half * 16)));
                    convert_row::<1>(qs, d, &mut elements[half]);
                    convert_row::<4>(qs, d, &mut elements[2 + half]);
                    convert_row::<16>(qs, d, &mut elements[4 + half]);
                    convert_row::<64>(qs, d, &mut elements[6 + half]);
                }
            }
        });
    }

    /// Converts the quants of one row, which stay at their bits in the bytes and so are `FACTOR` times as large. The scale
    /// makes up for that, exactly.
    #[inline(always)]
    fn convert_row<const FACTOR: u32>(qs: F32x16, d: f32, row: &mut [f32; 16]) {
        let (mask, one) = (u32x4_splat(BIAS | (3 * FACTOR)), u32x4_splat(BIAS | FACTOR));
        (((qs & mask) - one) * f32x4_splat(d / FACTOR as f32)).store(row);
    }
}
