//! Kernels of types without golden floats: simple rules define their elements.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gguf_format::GgmlType;
use gguf_format::format::GGML_TYPES;
use gguf_format::tensor::kernels;
use half::f16;
use proptest::collection::vec;
use proptest::prelude::*;

/// The rule for the elements of a block.
type Rule = fn(&[u8]) -> Vec<f32>;

/// A type, and the width in bytes of each number in its blocks.
const RULES: [(GgmlType, usize, Rule); 7] = [
    (GgmlType::F32, 4, |bytes| vec![f32::from_le_bytes(bytes.try_into().unwrap())]),
    (GgmlType::F64, 8, |bytes| vec![f64::from_le_bytes(bytes.try_into().unwrap()) as f32]),
    (GgmlType::I8, 1, |bytes| vec![i8::from_le_bytes(bytes.try_into().unwrap()) as f32]),
    (GgmlType::I16, 2, |bytes| vec![i16::from_le_bytes(bytes.try_into().unwrap()) as f32]),
    (GgmlType::I32, 4, |bytes| vec![i32::from_le_bytes(bytes.try_into().unwrap()) as f32]),
    (GgmlType::I64, 8, |bytes| vec![i64::from_le_bytes(bytes.try_into().unwrap()) as f32]),
    (GgmlType::Q8_1, 2, |block| {
        let d = f16::from_le_bytes([block[0], block[1]]).to_f32();
        block[4..].iter().map(|q| d * f32::from(q.cast_signed())).collect()
    }),
];

#[test]
fn a_type_has_golden_floats_or_a_rule() {
    let golden = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden")).unwrap();
    let golden: BTreeSet<String> =
        golden.map(|file| file.unwrap().file_name().to_str().unwrap().split('.').next().unwrap().to_owned()).collect();
    for info in GGML_TYPES.iter().filter(|info| !info.is_removed()) {
        assert!(
            golden.contains(info.name) || RULES.iter().any(|(ggml_type, ..)| ggml_type.0 == info.id),
            "{} has neither golden floats nor a rule: say in tests/values/numbers.rs what its elements are",
            info.name
        );
    }
}

/// Numbers at the limits of rounding and of the exponent, infinities and NaN: ±2ⁱ ± 2ʲ.
#[test]
fn extreme_numbers_follow_the_rules() {
    for (ggml_type, width, rule) in RULES {
        let powers = || (0..8 * width).map(|i| 1i128 << i);
        let sums = powers().flat_map(|a| powers().flat_map(move |b| [a + b, a - b, b - a, -a - b]));
        let block_size = ggml_type.info().unwrap().type_size as usize;
        let blocks = sums.flat_map(|sum| sum.to_le_bytes()[..width].repeat(block_size / width));
        check(ggml_type, rule, &blocks.collect::<Vec<u8>>());
    }
}

proptest! {
    #[test]
    fn any_numbers_follow_the_rules(bytes in vec(any::<u8>(), 0..36 * 20)) {
        for (ggml_type, _, rule) in RULES {
            check(ggml_type, rule, &bytes);
        }
    }
}

fn check(ggml_type: GgmlType, rule: Rule, bytes: &[u8]) {
    let info = ggml_type.info().unwrap();
    let blocks = bytes.chunks_exact(info.type_size as usize);
    let mut out = vec![7.0; blocks.len() * info.block_size as usize];
    (kernels(ggml_type).unwrap().to_f32)(bytes, &mut out);
    let expected: Vec<f32> = blocks.flat_map(rule).collect();
    assert_eq!(out.len(), expected.len());
    for (i, (out, expected)) in out.iter().zip(expected).enumerate() {
        let is_same = out.to_bits() == expected.to_bits() || out.is_nan() && expected.is_nan();
        assert!(is_same, "element {i} of {ggml_type} is {out:e} and not {expected:e}");
    }
}
