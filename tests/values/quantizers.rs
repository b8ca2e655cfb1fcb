//! Quantizers give the bytes that ggml's own C code gives.
//!
//! `golden/quantize` of the reference corpus has rows and the blocks that ggml makes of them. Its README says how ggml was
//! compiled, and for which rows of a type the bytes do not depend on that: the portable ones. `golden-quantize` of a later
//! version replaces the blocks of types whose quantizer has changed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gguf_format::format::{GGML_TYPES, GgmlTypeInfo};
use gguf_format::tensor::{Quantizer, kernels, quantizer};
use gguf_format::{ErrorCode, GgmlType};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::corpus;

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// The types that have a quantizer. The quantizers are made once, because those of the IQ types compute tables.
static QUANTIZERS: LazyLock<Vec<(&GgmlTypeInfo, Quantizer)>> =
    LazyLock::new(|| GGML_TYPES.iter().filter_map(|info| Some((info, quantizer(GgmlType(info.id))?))).collect());

#[test]
fn portable_rows_have_the_bytes_of_ggml() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("golden/quantize");
    let index = corpus::json(&folder.join("index.json"));
    let row_length = index["row_elements"].as_u64().unwrap() as usize;
    let rows = floats(&corpus::read(&folder.join("input.f32.bin")));
    let importance = floats(&corpus::read(&folder.join("imatrix.f32.bin")));
    let later = folder.join("../../llama-cpp-2026-10/golden-quantize");
    let later_index = corpus::json(&later.join("index.json"));
    let entries = |index: &'_ Json| index["entries"].as_array().unwrap().clone();
    let kind = |entry: &Json| [entry["type"].to_string(), entry["mode"].to_string()];
    let replaced: BTreeSet<_> = entries(&later_index).iter().map(kind).collect();
    let kept =
        entries(&index).into_iter().filter(|entry| !replaced.contains(&kind(entry))).map(|entry| (&folder, entry));
    let (mut compared, mut differences, mut seen) = (0, Vec::new(), BTreeSet::new());
    for (folder, entry) in kept.chain(entries(&later_index).into_iter().map(|entry| (&later, entry))) {
        let name = entry["type"].as_str().unwrap();
        let mode = entry["mode"].as_str().unwrap();
        let Some((_, quantizer)) = QUANTIZERS.iter().find(|(info, _)| info.name == name) else {
            differences.push(format!("{name} has no quantizer"));
            continue;
        };
        let ones = vec![1.0; row_length];
        let importance = match mode {
            "imatrix" => Some(importance.as_slice()),
            "ones" => Some(ones.as_slice()),
            _ => None,
        };
        let mut expected = corpus::read(&folder.join(entry["output"]["file"].as_str().unwrap()));
        if name == "Q8_K" {
            expected.chunks_mut(292).for_each(clear_unwritten_sums);
        }
        let mut found = vec![0xaa; expected.len()];
        quantizer.quantize(&rows, row_length, importance, &mut found).unwrap();
        let row_bytes = entry["row_bytes"].as_u64().unwrap() as usize;
        for row in entry["portable_rows"].as_array().unwrap().iter().map(|row| row.as_u64().unwrap() as usize) {
            let range = row * row_bytes..(row + 1) * row_bytes;
            if let Some(byte) = (0..row_bytes).find(|i| found[range.clone()][*i] != expected[range.clone()][*i]) {
                differences.push(format!("{name}, {mode}, row {row}, byte {byte}: {}", index["rows"][row]["flavour"]));
            }
            compared += 1;
        }
        seen.insert(name.to_string());
    }
    assert!(differences.is_empty(), "{} of {compared} rows differ:\n{}", differences.len(), differences.join("\n"));
    assert!(compared > 2000, "only {compared} rows were compared");
    let without_rows: Vec<_> =
        QUANTIZERS.iter().map(|(info, _)| info.name).filter(|name| !seen.contains(*name)).collect();
    assert_eq!(without_rows, ["F32"], "F32 stores the elements as they are");
}

/// ggml does not write `bsums` of a Q8_K block of zeros. The corpus has the bytes that were there before.
fn clear_unwritten_sums(block: &mut [u8]) {
    if block[..4] == [0; 4] {
        block[260..].fill(0);
    }
}

/// With importance, the offset that fits best can lie just below the greatest element. Then other elements are millions of steps
/// away from it, and ggml takes the least quant for them. The blocks are those of llama.cpp b11549.
#[test]
fn elements_far_beyond_the_range_of_an_attempt_get_the_nearest_quant() {
    let sparse = |numbers: &[(usize, f32)]| {
        let mut row = vec![0.0; 128];
        numbers.iter().for_each(|(i, number)| row[*i] = *number);
        row
    };
    let quantizer = quantizer(GgmlType::Q5_1).unwrap();
    for block in 0..4 {
        let at = |i: usize| block * 32 + i;
        let far = [(at(0), -0.5), (at(10), -0.5), (at(20), -0.5), (at(22), -0.5)];
        let row = sparse(&[&far[..], &[(at(27), -0.0015), (at(31), 2e-9)]].concat());
        let importance = sparse(&[(at(1), 0.3), (at(7), 1e-6), (at(31), 8.4e-6)]);
        let (mut blocks, mut expected) = (vec![0; 4 * 24], vec![0; 4 * 24]);
        (expected[block * 24 + 7], expected[block * 24 + 23]) = (0x80, 0xf0);
        quantizer.quantize(&row, 128, Some(&importance), &mut blocks).unwrap();
        assert_eq!(blocks, expected, "block {block}");
    }
}

#[test]
fn rows_are_quantized_alone() {
    for (info, quantizer) in &*QUANTIZERS {
        let rows: Vec<f32> = (0..1536).map(|i| ((i * 7919 % 1009) as f32 - 500.0) * (1.0 + (i / 512) as f32)).collect();
        let importance: Vec<f32> = (0..512).map(|i| (i % 17) as f32 + 0.5).collect();
        let row_bytes = 512 / info.block_size as usize * info.type_size as usize;
        let (mut all, mut one) = (vec![0; 3 * row_bytes], vec![0; row_bytes]);
        quantizer.quantize(&rows, 512, Some(&importance), &mut all).unwrap();
        for (row, expected) in rows.chunks(512).zip(all.chunks(row_bytes)) {
            quantizer.quantize(row, 512, Some(&importance), &mut one).unwrap();
            assert_eq!(one, expected, "{}", info.name);
        }
    }
}

#[test]
fn wrong_lengths_are_refused() {
    for (info, quantizer) in &*QUANTIZERS {
        let (length, bytes) = (2 * info.block_size as usize, 2 * info.type_size as usize);
        let (rows, importance) = (vec![1.0; 2 * length], vec![1.0; length]);
        let check = |rows: &[f32], row_length, importance: Option<&[f32]>, out_length| {
            quantizer.quantize(rows, row_length, importance, &mut vec![0; out_length]).map_err(|error| error.code())
        };
        let refused = Err(ErrorCode::InvalidArgument);
        assert_eq!(check(&rows, length, Some(&importance), 2 * bytes), Ok(()), "{}", info.name);
        assert_eq!(check(&[], length, Some(&importance), 0), Ok(()), "{}", info.name);
        assert_eq!(check(&rows, 0, None, 2 * bytes), refused, "{}", info.name);
        assert_eq!(check(&[], 0, None, 0), refused, "{}", info.name);
        assert_eq!(check(&rows[1..], length, Some(&importance), 2 * bytes), refused, "{}", info.name);
        assert_eq!(check(&rows, length, Some(&importance[1..]), 2 * bytes), refused, "{}", info.name);
        assert_eq!(check(&rows, length, Some(&importance), 2 * bytes - 1), refused, "{}", info.name);
        assert_eq!(check(&rows, length, Some(&importance), bytes), refused, "{}", info.name);
        if info.block_size > 1 {
            let uneven = info.block_size as usize + 1;
            assert_eq!(check(&rows[..uneven], uneven, None, bytes), refused, "{}", info.name);
        }
        let without = check(&rows, length, None, 2 * bytes);
        assert_eq!(without.is_err(), quantizer.requires_importance(), "{}", info.name);
    }
    let requiring = QUANTIZERS.iter().filter(|(_, quantizer)| quantizer.requires_importance());
    assert_eq!(requiring.map(|(info, _)| info.name).collect::<Vec<_>>(), ["IQ2_XXS", "IQ2_XS", "IQ1_S"]);
    for without in [GgmlType::I8, GgmlType::I64, GgmlType::F64, GgmlType(4), GgmlType(99)] {
        assert!(quantizer(without).is_none(), "{without}");
    }
}

/// The error of the elements that a type gives back, relative to the elements: the root of the quotient of the sums of squares.
fn relative_error(info: &GgmlTypeInfo, quantizer: &Quantizer, row: &[f32], importance: Option<&[f32]>) -> f64 {
    let mut blocks = vec![0; row.len() / info.block_size as usize * info.type_size as usize];
    quantizer.quantize(row, row.len(), importance, &mut blocks).unwrap();
    let mut elements = vec![0.0; row.len()];
    (kernels(GgmlType(info.id)).unwrap().to_f32)(&blocks, &mut elements);
    let square_sum = |numbers: &mut dyn Iterator<Item = f32>| numbers.map(|x| f64::from(x).powi(2)).sum::<f64>();
    let error = square_sum(&mut row.iter().zip(&elements).map(|(x, element)| x - element));
    (error / square_sum(&mut row.iter().copied())).sqrt()
}

/// The greatest error of a row of normally distributed elements: about 1.5 times the usual one. Types with the same number of
/// bits have one bound.
fn greatest_error(name: &str) -> f64 {
    match name {
        "F32" => 0.0,
        "F16" | "BF16" => 0.003,
        "Q8_0" | "Q8_1" | "Q8_K" => 0.01,
        "Q6_K" => 0.03,
        "Q5_0" | "Q5_1" | "Q5_K" => 0.07,
        "Q4_0" | "Q4_1" | "Q4_K" | "IQ4_NL" | "IQ4_XS" => 0.14,
        "MXFP4" | "NVFP4" => 0.2,
        "Q3_K" | "IQ3_S" | "IQ3_XXS" => 0.3,
        "Q2_K" | "IQ2_S" | "IQ2_XS" | "IQ2_XXS" => 0.5,
        "IQ1_S" | "IQ1_M" | "Q1_0" => 0.75,
        // The greatest magnitude is the scale, which suits ternary weights only.
        "Q2_0" | "TQ1_0" | "TQ2_0" => 1.0,
        _ => panic!("{name} has no bound"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn elements_stay_near_the_input(uniform in vec(-1.0f32..1.0, 4 * 512), importance in vec(0.1f32..10.0, 512)) {
        // The sum of four numbers is distributed nearly normally.
        let row: Vec<f32> = uniform.chunks(4).map(|numbers| numbers.iter().sum()).collect();
        for (info, quantizer) in &*QUANTIZERS {
            let bound = greatest_error(info.name);
            for importance in [Some(importance.as_slice()), None] {
                if importance.is_some() || !quantizer.requires_importance() {
                    let error = relative_error(info, quantizer, &row, importance);
                    prop_assert!(error <= bound, "{}: {error}", info.name);
                }
            }
        }
    }

    #[test]
    fn no_row_makes_a_quantizer_panic(
        bits in vec(any::<u32>(), 512),
        kinds in vec(0..8u8, 512),
        kind_count in 1..8u8,
        importance_bits in vec(any::<u32>(), 512),
    ) {
        let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-45];
        let float = |bits: u32, kind: u8| match kind {
            0 => f32::from_bits(bits),
            1 => (bits as f32 / u32::MAX as f32) - 0.5,
            2 => f32::from_bits(bits & 0x807f_ffff),
            3 => 1.0,
            4 => 0.0,
            5 => (bits % 16) as f32 + 0.5,
            6 => ((bits as f32 / u32::MAX as f32) - 0.5) * 1e30,
            _ => special[bits as usize % special.len()],
        };
        let floats = |bits: &[u32]| -> Vec<f32> {
            bits.iter().zip(&kinds).map(|(bits, kind)| float(*bits, kind % kind_count)).collect()
        };
        let (row, importance) = (floats(&bits), floats(&importance_bits));
        for (info, quantizer) in &*QUANTIZERS {
            let mut blocks = vec![0; 512 / info.block_size as usize * info.type_size as usize];
            quantizer.quantize(&row, 512, Some(&importance), &mut blocks).unwrap();
            if !quantizer.requires_importance() {
                quantizer.quantize(&row, 512, None, &mut blocks).unwrap();
            }
        }
    }
}
