//! The values of every tensor, bit for bit, through the functions of every opened file.

use gguf_format::io::block_on;
use gguf_format::tensor::PreviewLimits;
use gguf_format::tensor::block_types::{BLOCK_TYPES, block_type_info};
use gguf_format::{GgmlType, TensorInfo};
use gguf_legacy::LegacyModel;

use super::support::{MemorySource, models, open, sha256};

/// The values of a tensor as little-endian f32s. The corpus hashes every NaN as 0x7fc00000.
fn values(model: &LegacyModel<MemorySource>, tensor: &TensorInfo<'_>) -> Vec<f32> {
    let count = tensor.element_count().unwrap();
    block_on(model.file().read_f32(tensor, 0..count)).unwrap()
}

fn hash(values: &[f32]) -> String {
    let bits = values.iter().map(|value| if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() });
    sha256(&bits.flat_map(u32::to_le_bytes).collect::<Vec<_>>())
}

#[test]
fn all_values_are_those_of_the_period_programs() {
    let mut used = std::collections::BTreeSet::new();
    for model in models() {
        for (part, dump) in model.parts.iter().enumerate() {
            let opened = open(std::slice::from_ref(dump));
            let expected = match part {
                0 => &model.dump["tensors"],
                _ => &model.dump["other_parts"][part - 1]["tensors"],
            };
            for (tensor, expected) in opened.file().header().tensors().zip(expected.as_array().unwrap()) {
                let values = values(&opened, &tensor);
                assert_eq!(hash(&values), expected["f32_sha256"], "{} {}", model.name, tensor.name());
                let finite = values.iter().filter(|value| value.is_finite()).count();
                assert_eq!(
                    values.len() - finite,
                    expected["nonfinite"].as_u64().unwrap_or(0) as usize,
                    "{}",
                    model.name
                );
                used.insert(tensor.ggml_type().0);
            }
        }
    }
    assert!(BLOCK_TYPES.iter().all(|info| used.contains(&info.id)) || used.is_empty(), "{used:?}");
}

#[test]
fn previews_and_statistics_work_on_old_blocks() {
    for model in models().iter().filter(|model| model.name.contains("edge") || model.name.contains("rwkv")) {
        let opened = open(&model.parts);
        for tensor in opened.file().header().tensors() {
            let finite: Vec<f64> = values(&opened, &tensor)
                .iter()
                .filter(|value| value.is_finite())
                .map(|value| f64::from(*value))
                .collect();
            let max = finite.iter().copied().reduce(f64::max);
            let summary = block_on(opened.file().statistics(&tensor, None)).unwrap();
            assert_eq!((summary.count, summary.max), (tensor.element_count().unwrap(), max), "{}", tensor.name());
            let elements = 0..tensor.element_count().unwrap();
            let preview = block_on(opened.file().preview(&tensor, elements, PreviewLimits::default(), None)).unwrap();
            assert!(preview.is_complete && preview.statistics.max == max, "{}", tensor.name());
        }
    }
}

#[test]
fn a_gguf_file_with_the_number_of_an_old_type_has_an_unknown_type() {
    use gguf_format::{Format, write::encode::Encoder};
    for info in BLOCK_TYPES {
        assert!(GgmlType(info.id).info().is_none());
        assert_eq!(block_type_info(GgmlType(info.id)).map(|found| found.name), Some(info.name));
        let mut file = Encoder::new(Format::default());
        file.header(1, 0).tensor_info(b"a", &[32], info.id, 0).pad_to(32);
        let header = gguf_format::parse(file.as_bytes()).unwrap();
        let tensor = header.tensor("a").unwrap();
        assert!(tensor.type_info().is_none() && tensor.byte_length().is_none());
    }
}
