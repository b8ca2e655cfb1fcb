//! The K types: super-blocks of 256 in sub-blocks of 16 or 32, whose scales are quantised as well.
//!
//! ```text
//! Q2_K   scales 16 B (m << 4 | sc) | qs 64 B | d f16 | dmin f16            16 × 16   d × sc × q - dmin × m
//! Q3_K   hmask 32 B | qs 64 B | scales 12 B | d f16                        16 × 16   d × (sc - 32) × (q - 4)
//! Q4_K   d f16 | dmin f16 | scales 12 B | qs 128 B                          8 × 32   d × sc × q - dmin × m
//! Q5_K   d f16 | dmin f16 | scales 12 B | qh 32 B | qs 128 B                8 × 32   d × sc × q - dmin × m
//! Q6_K   ql 128 B | qh 64 B | scales 16 × i8 | d f16                       16 × 16   d × sc × (q - 32)
//! Q8_K   d f32 | qs 256 × i8 | bsums 16 × i16                               1 × 256  d × q
//! ```
//!
//! The elements are 8 rows of 32, and a byte holds bits of one column:
//!
//! ```text
//! qs of Q2_K, Q3_K     32 B for 4 rows, two bits each, the first row's lowest
//! qs of Q4_K, Q5_K     32 B for 2 rows, four bits each
//! ql of Q6_K           64 B for 4 rows, four bits each: the first two rows' low, the other two's high
//! qh of Q6_K           32 B for 4 rows, two bits each: q = qh << 4 | ql
//! hmask of Q3_K        32 B for 8 rows, one bit each: q = hmask << 2 | qs
//! qh of Q5_K           32 B for 8 rows, one bit each: q = qh << 4 | qs
//! ```
//!
//! Scales and minima of six bits in 12 bytes: `A` of the first, `I` of the ninth, and so on, high bits first.
//!
//! ```text
//!           Q3_K: sc           Q4_K, Q5_K: sc A…H, m a…h
//! byte 0…3  IIIIAAAA…LLLLDDDD  EEAAAAAA…HHDDDDDD
//! byte 4…7  MMMMEEEE…PPPPHHHH  eeaaaaaa…hhdddddd
//! byte 8…   MMIIEEAA…PPLLHHDD  eeeeEEEE…hhhhHHHH
//! ```

#[cfg(target_feature = "simd128")]
mod simd128;

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "the reference"))]
mod scalar {
    use crate::tensor::quant::half::f16_at;
    use crate::tensor::quant::{bytes_at, for_each_block};

    pub(crate) fn q2_k(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<84, 256>(blocks, out, |block, out| {
            let (d, dmin) = (f16_at(block, 80), f16_at(block, 82));
            for (part, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let scale = d * f32::from(block[part] & 15);
                let min = dmin * f32::from(block[part] >> 4);
                let (row, column) = (part / 2, part % 2 * 16);
                let qs = bytes_at::<16>(block, 16 + row / 4 * 32 + column);
                for (out, q) in out.iter_mut().zip(qs) {
                    *out = scale * f32::from(q >> (row % 4 * 2) & 3) - min;
                }
            }
        });
    }

    pub(crate) fn q3_k(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<110, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 108);
            let scales = bytes_at::<12>(block, 96);
            for (part, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let low = scales[part % 8] >> (part / 8 * 4) & 15;
                let high = scales[8 + part % 4] >> (part / 4 * 2) & 3;
                let scale = d * (i32::from(high << 4 | low) - 32) as f32;
                let (row, column) = (part / 2, part % 2 * 16);
                let qs = bytes_at::<16>(block, 32 + row / 4 * 32 + column);
                let hmask = bytes_at::<16>(block, column);
                for ((out, q), high) in out.iter_mut().zip(qs).zip(hmask) {
                    let q = (high >> row & 1) << 2 | q >> (row % 4 * 2) & 3;
                    *out = scale * (i32::from(q) - 4) as f32;
                }
            }
        });
    }

    pub(crate) fn q4_k(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<144, 256>(blocks, out, |block, out| {
            let (scales, mins) = scales_and_mins(block);
            for (row, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<32>(block, 16 + row / 2 * 32);
                for (out, q) in out.iter_mut().zip(qs) {
                    *out = scales[row] * f32::from(q >> (row % 2 * 4) & 15) - mins[row];
                }
            }
        });
    }

    pub(crate) fn q5_k(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<176, 256>(blocks, out, |block, out| {
            let (scales, mins) = scales_and_mins(block);
            for (row, out) in out.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<32>(block, 48 + row / 2 * 32);
                let qh = bytes_at::<32>(block, 16);
                for ((out, q), high) in out.iter_mut().zip(qs).zip(qh) {
                    let q = (high >> row & 1) << 4 | q >> (row % 2 * 4) & 15;
                    *out = scales[row] * f32::from(q) - mins[row];
                }
            }
        });
    }

    pub(crate) fn q6_k(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<210, 256>(blocks, out, |block, out| {
            let d = f16_at(block, 208);
            for (part, out) in out.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let scale = d * f32::from(block[192 + part].cast_signed());
                let (row, column) = (part / 2, part % 2 * 16);
                let ql = bytes_at::<16>(block, row / 4 * 64 + row % 2 * 32 + column);
                let qh = bytes_at::<16>(block, 128 + row / 4 * 32 + column);
                for ((out, low), high) in out.iter_mut().zip(ql).zip(qh) {
                    let q = (high >> (row % 4 * 2) & 3) << 4 | low >> (row % 4 / 2 * 4) & 15;
                    *out = scale * (i32::from(q) - 32) as f32;
                }
            }
        });
    }

    pub(crate) fn q8_k(blocks: &[u8], out: &mut [f32]) {
        for_each_block::<292, 256>(blocks, out, |block, out| {
            let d = f32::from_le_bytes(*bytes_at(block, 0));
            for (out, q) in out.iter_mut().zip(bytes_at::<256>(block, 4)) {
                *out = d * f32::from(q.cast_signed());
            }
        });
    }

    /// `d × sc` and `dmin × m` of each row of Q4_K and Q5_K.
    fn scales_and_mins(block: &[u8]) -> ([f32; 8], [f32; 8]) {
        let (d, dmin) = (f16_at(block, 0), f16_at(block, 2));
        let [a, b, c] = [4, 8, 12].map(|offset| bytes_at::<4>(block, offset));
        let (mut scales, mut mins) = ([0.0; 8], [0.0; 8]);
        for i in 0..4 {
            scales[i] = d * f32::from(a[i] & 63);
            mins[i] = dmin * f32::from(b[i] & 63);
            scales[i + 4] = d * f32::from(a[i] >> 6 << 4 | c[i] & 15);
            mins[i + 4] = dmin * f32::from(b[i] >> 6 << 4 | c[i] >> 4);
        }
        (scales, mins)
    }
}
