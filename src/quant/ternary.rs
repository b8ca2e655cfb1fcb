//! The ternary types: elements are -d, 0 or d.
//!
//! ```text
//! TQ1_0   qs 48 B | qh 4 B | d f16      d × (t - 1)
//! TQ2_0   qs 64 B | d f16               d × (q - 1)
//! ```
//!
//! A byte holds elements of one column; the rows of a group of bytes follow each other:
//!
//! ```text
//! qs of TQ1_0     32 B for 5 rows of 32, then 16 B for 5 rows of 16
//! qh of TQ1_0      4 B for 4 rows of 4
//! qs of TQ2_0     32 B for 4 rows of 32, then 32 B for 4 rows of 32: two bits each, the first row's lowest
//! ```
//!
//! Five digits of base three, `t`, are a byte as a fraction of 256: three times it is the first digit and what is left
//! is a fraction that has the others. Bytes are rounded up such that the multiples do not fall short of a digit.

#[cfg(not(target_feature = "simd128"))]
pub(crate) use scalar::*;
#[cfg(target_feature = "simd128")]
pub(crate) use simd128::*;

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use crate::quant::half::f16_at;
    use crate::quant::{each, field};

    pub(crate) fn tq1_0(blocks: &[u8], out: &mut [f32]) {
        each::<54, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 52);
            let (first, rest) = out.split_at_mut(160);
            let (second, third) = rest.split_at_mut(80);
            digits(d, field::<32>(block, 0), first);
            digits(d, field::<16>(block, 32), second);
            digits(d, field::<4>(block, 48), third);
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
        each::<66, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 64);
            for (row, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = field::<32>(block, row / 4 * 32);
                for (out, q) in out.iter_mut().zip(qs) {
                    *out = (f32::from(q >> (row % 4 * 2) & 3) - 1.0) * d;
                }
            }
        });
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    pub(crate) use super::scalar::{tq1_0, tq2_0};
}
