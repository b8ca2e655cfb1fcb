//! The K types: blocks of 256 elements in parts of 16 or 32, whose scales are quantized too.
//!
//! ```text
//! type   block                                                      parts      an element, by its quant q
//! Q2_K   scales 16 B (m << 4 | s) | qs 64 B | d f16 | dmin f16      16 × 16    d × s × q - dmin × m
//! Q3_K   hmask 32 B | qs 64 B | scales 12 B | d f16                 16 × 16    d × (s - 32) × (q - 4)
//! Q4_K   d f16 | dmin f16 | scales 12 B | qs 128 B                   8 × 32    d × s × q - dmin × m
//! Q5_K   d f16 | dmin f16 | scales 12 B | qh 32 B | qs 128 B         8 × 32    d × s × q - dmin × m
//! Q6_K   ql 128 B | qh 64 B | scales 16 × i8 | d f16                16 × 16    d × s × (q - 32)
//! Q8_K   d f32 | qs 256 × i8 | bsums 16 × i16                        1 × 256   d × q; bsums are for dot products
//! ```
//!
//! The elements are 8 rows of 32 columns. A byte has bits of several rows, always in the same column:
//!
//! ```text
//! qs of Q2_K, Q3_K     32 B for 4 rows, two bits each, the first row's lowest
//! qs of Q4_K, Q5_K     32 B for 2 rows, four bits each, the first row's lowest
//! ql of Q6_K           64 B for 4 rows, four bits each: the low bits are the first two rows', the high bits the others'
//! qh of Q6_K           32 B for 4 rows, two bits each: q = qh << 4 | ql
//! hmask of Q3_K        32 B for 8 rows, one bit each: q = hmask << 2 | qs
//! qh of Q5_K           32 B for 8 rows, one bit each: q = qh << 4 | qs
//! ```
//!
//! The scales (A to P, or A to H) and the minima (a to h) of six bits are in 12 bytes. A letter stands for a bit, the
//! highest bit first:
//!
//! ```text
//!              scales of Q3_K         scales and minima of Q4_K and Q5_K
//! byte 0…3     IIIIAAAA … LLLLDDDD    EEAAAAAA … HHDDDDDD
//! byte 4…7     MMMMEEEE … PPPPHHHH    eeaaaaaa … hhdddddd
//! byte 8…11    MMIIEEAA … PPLLHHDD    eeeeEEEE … hhhhHHHH
//! ```

#[cfg(target_feature = "simd128")]
mod simd128;

use_scalar_or_simd128!();

#[cfg_attr(target_feature = "simd128", allow(dead_code, reason = "tests compare it with simd128"))]
mod scalar {
    use crate::tensor::quant::float16::f16_at;
    use crate::tensor::quant::kernel::{bytes_at, for_each_block};

    pub(crate) fn q2_k(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<84, 256>(blocks, elements, |block, elements| {
            let (d, dmin) = (f16_at(block, 80), f16_at(block, 82));
            for (part, elements) in elements.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let scale = d * f32::from(block[part] & 15);
                let min = dmin * f32::from(block[part] >> 4);
                let (row, column) = (part / 2, part % 2 * 16);
                let qs = bytes_at::<16>(block, 16 + row / 4 * 32 + column);
                for (element, q) in elements.iter_mut().zip(qs) {
                    *element = scale * f32::from(q >> (row % 4 * 2) & 3) - min;
                }
            }
        });
    }

    pub(crate) fn q3_k(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<110, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 108);
            let scales = bytes_at::<12>(block, 96);
            for (part, elements) in elements.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let low = scales[part % 8] >> (part / 8 * 4) & 15;
                let high = scales[8 + part % 4] >> (part / 4 * 2) & 3;
                let scale = d * (i32::from(high << 4 | low) - 32) as f32;
                let (row, column) = (part / 2, part % 2 * 16);
                let qs = bytes_at::<16>(block, 32 + row / 4 * 32 + column);
                let hmask = bytes_at::<16>(block, column);
                for ((element, q), high) in elements.iter_mut().zip(qs).zip(hmask) {
                    let q = (high >> row & 1) << 2 | q >> (row % 4 * 2) & 3;
                    *element = scale * (i32::from(q) - 4) as f32;
                }
            }
        });
    }

    pub(crate) fn q4_k(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<144, 256>(blocks, elements, |block, elements| {
            let (scales, mins) = scales_and_mins(block);
            for (row, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<32>(block, 16 + row / 2 * 32);
                for (element, q) in elements.iter_mut().zip(qs) {
                    *element = scales[row] * f32::from(q >> (row % 2 * 4) & 15) - mins[row];
                }
            }
        });
    }

    pub(crate) fn q5_k(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<176, 256>(blocks, elements, |block, elements| {
            let (scales, mins) = scales_and_mins(block);
            for (row, elements) in elements.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let qs = bytes_at::<32>(block, 48 + row / 2 * 32);
                let qh = bytes_at::<32>(block, 16);
                for ((element, q), high) in elements.iter_mut().zip(qs).zip(qh) {
                    let q = (high >> row & 1) << 4 | q >> (row % 2 * 4) & 15;
                    *element = scales[row] * f32::from(q) - mins[row];
                }
            }
        });
    }

    /// `d × s` and `dmin × m` of each row of Q4_K and Q5_K.
    fn scales_and_mins(block: &[u8]) -> ([f32; 8], [f32; 8]) {
        let (d, dmin) = (f16_at(block, 0), f16_at(block, 2));
        let [first, second, third] = [4, 8, 12].map(|offset| bytes_at::<4>(block, offset));
        let (mut scales, mut mins) = ([0.0; 8], [0.0; 8]);
        for i in 0..4 {
            scales[i] = d * f32::from(first[i] & 63);
            mins[i] = dmin * f32::from(second[i] & 63);
            scales[i + 4] = d * f32::from(first[i] >> 6 << 4 | third[i] & 15);
            mins[i + 4] = dmin * f32::from(second[i] >> 6 << 4 | third[i] >> 4);
        }
        (scales, mins)
    }

    pub(crate) fn q6_k(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<210, 256>(blocks, elements, |block, elements| {
            let d = f16_at(block, 208);
            for (part, elements) in elements.as_chunks_mut::<16>().0.iter_mut().enumerate() {
                let scale = d * f32::from(block[192 + part].cast_signed());
                let (row, column) = (part / 2, part % 2 * 16);
                let ql = bytes_at::<16>(block, row / 4 * 64 + row % 2 * 32 + column);
                let qh = bytes_at::<16>(block, 128 + row / 4 * 32 + column);
                for ((element, low), high) in elements.iter_mut().zip(ql).zip(qh) {
                    let q = (high >> (row % 4 * 2) & 3) << 4 | low >> (row % 4 / 2 * 4) & 15;
                    *element = scale * (i32::from(q) - 32) as f32;
                }
            }
        });
    }

    pub(crate) fn q8_k(blocks: &[u8], elements: &mut [f32]) {
        for_each_block::<292, 256>(blocks, elements, |block, elements| {
            let d = f32::from_le_bytes(*bytes_at(block, 0));
            for (element, q) in elements.iter_mut().zip(bytes_at::<256>(block, 4)) {
                *element = d * f32::from(q.cast_signed());
            }
        });
    }
}
