//! The ternary types: elements are -d, 0 or d. (The two bits of `TQ2_0` could say 2 × d as well.)
//!
//! ```text
//! TQ1_0   qs 48 B | qh 4 B | d f16      d × (t - 1)
//! TQ2_0   qs 64 B | d f16               d × (q - 1)
//! ```
//!
//! A byte holds elements of one column, one for each row of its group of bytes:
//!
//! ```text
//! qs of TQ1_0     32 B for 5 rows of 32, then 16 B for 5 rows of 16
//! qh of TQ1_0      4 B for 4 rows of 4
//! qs of TQ2_0     32 B for 4 rows of 32, then 32 B for 4 rows of 32: two bits each, the first row's lowest
//! ```
//!
//! Five ternary digits `t` are a byte as a fraction, out of 256: three times that is the first digit, and a fraction
//! with the others is left. The byte was rounded up, so that no multiple falls short of its digit.

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn tq1_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<54, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 52);
            let (first, rest) = out.split_at_mut(160);
            let (second, third) = rest.split_at_mut(80);
            digits(d, bytes_at::<32>(block, 0), first);
            digits(d, bytes_at::<16>(block, 32), second);
            digits(d, bytes_at::<4>(block, 48), third);
        });
    }

    /// As many rows as `out` has place for.
    #[inline(always)]
    fn digits<const COLUMNS: usize>(d: f32, bytes: &[u8; COLUMNS], out: &mut [f32]) {
        let mut fractions = *bytes;
        for out in out.as_chunks_mut::<COLUMNS>().0 {
            for (out, fraction) in out.iter_mut().zip(&mut fractions) {
                let [rest, digit] = (u16::from(*fraction) * 3).to_le_bytes();
                *out = (f32::from(digit) - 1.0) * d;
                *fraction = rest;
            }
        }
    }

    pub(crate) fn tq2_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<66, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 64);
            for (row, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<32>(block, row / 4 * 32);
                for (out, q) in out.iter_mut().zip(qs) {
                    *out = (f32::from(q >> (row % 4 * 2) & 3) - 1.0) * d;
                }
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use core::arch::wasm32::*;

    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::mem::load;
    use crate::tensor::quant::vector::{COUNTER, counted_bytes, less_times, store_16, times, uppermost_bytes};
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn tq1_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<54, 256>(blocks, out, |block, out| {
            // For twice what the digits stand for, -2, 0 or 2: of these as f32s only the uppermost byte is not zero.
            let half = f32x4_splat(f16_at(block, 52) * 0.5);
            let (rows, last) = out.split_at_mut(240);
            let (first, second) = rows.split_at_mut(160);
            digits(half, load(bytes_at(block, 0)), first.as_chunks_mut().0.iter_mut().step_by(2));
            digits(half, load(bytes_at(block, 16)), first.as_chunks_mut().0.iter_mut().skip(1).step_by(2));
            digits(half, load(bytes_at(block, 32)), second.as_chunks_mut().0.iter_mut());
            // Each row's fractions at once: those of the first row times powers of three.
            let qh = u32x4_splat(u32::from_le_bytes(*bytes_at(block, 48)));
            let (powers, even) = (u16x8(1, 1, 3, 3, 9, 9, 27, 27), u16x8_splat(0xff));
            let qh = v128_or(v128_and(i16x8_mul(qh, powers), even), i16x8_mul(v128_andnot(qh, even), powers));
            digits(half, qh, last.as_chunks_mut().0.iter_mut());
        });
    }

    /// Each fraction's first digit, then its next one, and so on.
    #[inline(always)]
    fn digits<'a>(half: v128, fractions: v128, rows: impl Iterator<Item = &'a mut [f32; 16]>) {
        // Less 128, because bytes with a sign are what one instruction compares. Times three they still are: less 384.
        let mut fractions = v128_xor(fractions, u8x16_splat(0x80));
        for out in rows {
            let greater = i8x16_gt(fractions, u8x16_splat(170 - 128));
            let less = i8x16_lt(fractions, u8x16_splat(86u8.wrapping_sub(128)));
            let twice = v128_or(v128_and(greater, u8x16_splat(0x40)), v128_and(less, u8x16_splat(0xc0)));
            store_16(out, times(uppermost_bytes(twice), half));
            // The compiler makes a product of three summands, which for bytes takes a dozen instructions.
            let doubled = v128_and(u16x8_shl(fractions, 1), u8x16_splat(0xfe));
            fractions = i8x16_add(fractions, doubled);
        }
    }

    pub(crate) fn tq2_0(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<66, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 64);
            for (group, out) in out.as_chunks_mut::<128>().0.iter_mut().enumerate() {
                for half in 0..2 {
                    let qs = counted_bytes(load(bytes_at(block, group * 32 + half * 16)));
                    let out = out.as_chunks_mut().0;
                    row::<1>(qs, d, &mut out[half]);
                    row::<4>(qs, d, &mut out[2 + half]);
                    row::<16>(qs, d, &mut out[4 + half]);
                    row::<64>(qs, d, &mut out[6 + half]);
                }
            }
        });
    }

    /// The row of bits that stand at a factor, which the scale makes up for.
    #[inline(always)]
    fn row<const FACTOR: u32>(qs: [v128; 4], d: f32, out: &mut [f32; 16]) {
        let scale = f32x4_splat(d * (1.0 / FACTOR as f32));
        let (mask, one) = (u32x4_splat(COUNTER | (3 * FACTOR)), u32x4_splat(COUNTER | FACTOR));
        let [a, b, c, d] = qs;
        let qs = [v128_and(a, mask), v128_and(b, mask), v128_and(c, mask), v128_and(d, mask)];
        store_16(out, less_times(qs, one, scale));
    }
}
