//! Each type is read back by a minimal reader of its layout and compared with the values that were stored.

use super::*;
use crate::sample::random::Random;
use half::f16;

struct Case {
    encoding: Encoding,
    decode: fn(&[u8]) -> Vec<f32>,
    /// The greatest root mean square error of normally distributed values, divided by their standard deviation.
    error: f32,
}

const IQ4_NL_VALUES: [i32; 16] = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
const E2M1_VALUES: [i32; 16] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12];

const CASES: &[Case] = &[
    case(F32, |b| vec![f32::from_le_bytes(b.try_into().unwrap())], 0.0),
    case(F16, |b| vec![f16_at(b, 0)], 0.0003),
    case(BF16, |b| vec![f32::from_le_bytes([0, 0, b[0], b[1]])], 0.002),
    case(Q4_0, |b| block(32, |i| f16_at(b, 0) * (nibble(&b[2..], i, 16) - 8) as f32), 0.09),
    case(Q4_1, |b| block(32, |i| f16_at(b, 0) * nibble(&b[4..], i, 16) as f32 + f16_at(b, 2)), 0.08),
    case(Q5_0, |b| block(32, |i| f16_at(b, 0) * (nibble(&b[6..], i, 16) + 16 * bit(&b[2..], i) - 16) as f32), 0.06),
    case(
        Q5_1,
        |b| block(32, |i| f16_at(b, 0) * (nibble(&b[8..], i, 16) + 16 * bit(&b[4..], i)) as f32 + f16_at(b, 2)),
        0.05,
    ),
    case(Q8_0, |b| block(32, |i| f16_at(b, 0) * f32::from(b[2 + i] as i8)), 0.006),
    case(
        Q2_K,
        |b| {
            block(256, |i| {
                let scale = b[i / 16];
                f16_at(b, 80) * f32::from(scale & 15) * crumb(&b[16..], i) as f32
                    - f16_at(b, 82) * f32::from(scale >> 4)
            })
        },
        0.4,
    ),
    case(
        Q3_K,
        |b| {
            block(256, |i| {
                let (group, scales) = (i / 16, &b[96..]);
                let low = if group < 8 { scales[group] & 15 } else { scales[group - 8] >> 4 };
                let scale = low | ((scales[8 + group % 4] >> (2 * (group / 4))) & 3) << 4;
                let quant = crumb(&b[32..], i) + 4 * i32::from((b[i % 32] >> (i / 32)) & 1) - 4;
                f16_at(b, 108) * ((i32::from(scale) - 32) * quant) as f32
            })
        },
        0.25,
    ),
    case(Q4_K, |b| block(256, |i| affine(b, i, nibble(&b[16 + i / 64 * 32..], i % 64, 32))), 0.08),
    case(
        Q5_K,
        |b| {
            block(256, |i| {
                let high = i32::from((b[16 + i % 32] >> (i / 32)) & 1);
                affine(b, i, nibble(&b[48 + i / 64 * 32..], i % 64, 32) + 16 * high)
            })
        },
        0.05,
    ),
    case(
        Q6_K,
        |b| {
            block(256, |i| {
                let (half, row, l) = (i / 128, i % 128 / 32, i % 32);
                let low = (b[64 * half + row % 2 * 32 + l] >> (row / 2 * 4)) & 15;
                let high = (b[128 + 32 * half + l] >> (2 * row)) & 3;
                f16_at(b, 208) * f32::from(b[192 + i / 16] as i8) * f32::from((low | high << 4) as i8 - 32)
            })
        },
        0.04,
    ),
    case(IQ4_NL, |b| block(32, |i| f16_at(b, 0) * IQ4_NL_VALUES[nibble(&b[2..], i, 16) as usize] as f32), 0.12),
    case(
        IQ4_XS,
        |b| {
            block(256, |i| {
                let part = i / 32;
                let low = (b[4 + part / 2] >> (part % 2 * 4)) & 15;
                let high = (u16::from_le_bytes([b[2], b[3]]) >> (2 * part)) & 3;
                let scale = i32::from(low) + 16 * i32::from(high) - 32;
                let value = IQ4_NL_VALUES[nibble(&b[8 + 16 * part..], i % 32, 16) as usize];
                f16_at(b, 0) * (scale * value) as f32
            })
        },
        0.12,
    ),
    case(
        MXFP4,
        |b| block(32, |i| 2f32.powi(i32::from(b[0]) - 128) * E2M1_VALUES[nibble(&b[1..], i, 16) as usize] as f32),
        0.15,
    ),
    case(
        NVFP4,
        |b| {
            block(64, |i| {
                let scale = b[i / 16];
                let fraction = f32::from(scale & 7) / 8.0;
                let scale = match scale >> 3 {
                    0 => fraction / 64.0,
                    exponent => (1.0 + fraction) * 2f32.powi(i32::from(exponent) - 7),
                };
                scale / 2.0 * E2M1_VALUES[nibble(&b[4 + i / 16 * 8..], i % 16, 8) as usize] as f32
            })
        },
        0.12,
    ),
    case(
        TQ1_0,
        |b| {
            block(256, |i| {
                let (byte, digit) = match i {
                    0..160 => (i % 32, i / 32),
                    160..240 => (32 + i % 16, (i - 160) / 16),
                    _ => (48 + i % 4, (i - 240) / 4),
                };
                let shifted = b[byte].wrapping_mul(3u8.pow(digit as u32));
                f16_at(b, 52) * (((u16::from(shifted) * 3) >> 8) as f32 - 1.0)
            })
        },
        0.52,
    ),
    case(TQ2_0, |b| block(256, |i| f16_at(b, 64) * (crumb(b, i) - 1) as f32), 0.51),
    case(Q1_0, |b| block(128, |i| f16_at(b, 0) * (2 * bit(&b[2..], i) - 1) as f32), 0.6),
];

const fn case(encoding: Encoding, decode: fn(&[u8]) -> Vec<f32>, error: f32) -> Case {
    Case { encoding, decode, error }
}

fn block(len: usize, value: impl Fn(usize) -> f32) -> Vec<f32> {
    (0..len).map(value).collect()
}

fn f16_at(bytes: &[u8], at: usize) -> f32 {
    f16::from_le_bytes([bytes[at], bytes[at + 1]]).to_f32()
}

fn bit(bytes: &[u8], i: usize) -> i32 {
    i32::from((bytes[i / 8] >> (i % 8)) & 1)
}

/// Quant `i` of four bits. The high halves of the bytes belong to the `columns` values after the first `columns`.
fn nibble(bytes: &[u8], i: usize, columns: usize) -> i32 {
    i32::from((bytes[i % columns] >> (i / columns * 4)) & 15)
}

/// Quant `i` of two bits, in halves of 128 values and rows of 32.
fn crumb(bytes: &[u8], i: usize) -> i32 {
    i32::from((bytes[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2)) & 3)
}

/// Value `i` of a Q4_K or Q5_K block, from its quant.
fn affine(bytes: &[u8], i: usize, quant: i32) -> f32 {
    let (part, packed) = (i / 32, &bytes[4..16]);
    let (scale, min) = match part {
        0..4 => (packed[part] & 63, packed[part + 4] & 63),
        _ => (packed[part + 4] & 15 | packed[part - 4] >> 6 << 4, packed[part + 4] >> 4 | packed[part] >> 6 << 4),
    };
    f16_at(bytes, 0) * (i32::from(scale) * quant) as f32 - f16_at(bytes, 2) * f32::from(min)
}

/// The values that a reader gets from the block of `values`.
fn stored(case: &Case, values: &[f32]) -> Vec<f32> {
    let mut bytes = Vec::new();
    (case.encoding.encode)(values, &mut bytes);
    let info = case.encoding.ggml_type.info().unwrap();
    assert_eq!(bytes.len(), info.type_size as usize, "{}", info.name);
    (case.decode)(&bytes)
}

#[test]
fn values_come_back_as_near_as_the_type_allows() {
    for case in CASES {
        let mut random = Random::new(7);
        let (mut squares, mut count) = (0.0, 0.0);
        // Blocks of different magnitudes reveal a scale that is read from the wrong place.
        for magnitude in [0.02, 0.05, 0.3, 1.0, 4.0].repeat(40) {
            let mut values = vec![0.0; case.encoding.block_size()];
            values.fill_with(|| random.gaussian() * magnitude);
            for (value, read) in values.iter().zip(stored(case, &values)) {
                squares += ((value - read) / magnitude).powi(2);
                count += 1.0;
            }
        }
        let found = f32::sqrt(squares / count);
        assert!(found <= case.error, "{}: {found}", case.encoding.ggml_type);
    }
}

#[test]
fn zeros_stay_zeros() {
    for case in CASES.iter().filter(|case| case.encoding.ggml_type != GgmlType::Q1_0) {
        let values = stored(case, &vec![0.0; case.encoding.block_size()]);
        assert!(values.iter().all(|&value| value == 0.0), "{}", case.encoding.ggml_type);
    }
}

#[test]
fn one_peak_keeps_its_place() {
    // Types whose scale is the mean magnitude flatten a peak.
    let flat = [GgmlType::Q1_0, GgmlType::TQ1_0, GgmlType::TQ2_0];
    for case in CASES.iter().filter(|case| !flat.contains(&case.encoding.ggml_type)) {
        for at in 0..case.encoding.block_size() {
            for peak in [0.75, -0.75] {
                let mut values = vec![0.0; case.encoding.block_size()];
                values[at] = peak;
                for (read, value) in stored(case, &values).into_iter().zip(values) {
                    assert!((read - value).abs() < 0.06, "{}: {read} at {at}", case.encoding.ggml_type);
                }
            }
        }
    }
}
