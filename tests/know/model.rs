//! Facts about a model: its name, architecture, context length, bits per weight and file type.

use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, GgmlType, Header, parse};
use gguf_models::file_types::{declared_file_type, file_type};

/// A tensor of a file: its name and its type. It has two rows of 256 elements.
type Tensor<'a> = (&'a str, GgmlType);

fn header(entries: &[(&str, OwnedValue)], tensors: &[Tensor<'_>]) -> Header {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, entries.len() as u64);
    entries.iter().for_each(|(key, value)| _ = file.kv(key.as_bytes(), value));
    for (name, ggml_type) in tensors {
        file.tensor_info(name.as_bytes(), &[256, 2], ggml_type.0, 0);
    }
    parse(file.as_bytes()).unwrap()
}

#[test]
fn the_context_length_is_that_of_the_architecture() {
    let file = header(
        &[
            ("general.architecture", "qwen3".into()),
            ("llama.context_length", 4096_u32.into()),
            ("qwen3.context_length", 32_768_u64.into()),
            ("general.name", "Qwen".into()),
        ],
        &[],
    );
    assert_eq!(file.architecture().unwrap(), "qwen3");
    assert_eq!(file.name().unwrap(), "Qwen");
    assert_eq!(file.context_length(), Some(32_768));
    assert_eq!(file.architecture_value("block_count"), None);
}

#[test]
fn values_of_another_type_are_absent() {
    let file = header(
        &[
            ("general.architecture", "llama".into()),
            ("general.name", 7_u32.into()),
            ("llama.context_length", (-1_i32).into()),
            ("general.file_type", (-1_i32).into()),
        ],
        &[],
    );
    assert!(file.name().is_none());
    assert_eq!((file.context_length(), declared_file_type(&file)), (None, None));
    assert!(header(&[("llama.context_length", 4096_u32.into())], &[]).context_length().is_none());
}

#[test]
fn bits_per_weight_are_averaged_over_all_tensors_or_are_not_known() {
    let tensors = [("a", GgmlType::Q4_0), ("b", GgmlType::Q8_0), ("c", GgmlType(9999))];
    assert_eq!(header(&[], &tensors[..2]).bits_per_weight(), Some((4.5 + 8.5) / 2.0));
    assert_eq!(header(&[], &tensors).bits_per_weight(), None);
    assert_eq!(header(&[], &[]).bits_per_weight(), None);
}

#[test]
fn a_declared_file_type_counts_more_than_the_tensors() {
    let q4_k = [("blk.0.ffn_up.weight", GgmlType::Q4_K)];
    let name = |value: Option<u32>, tensors: &[Tensor<'_>]| {
        let entries: Vec<_> = value.map(|value| ("general.file_type", value.into())).into_iter().collect();
        file_type(&header(&entries, tensors)).map(|info| info.name)
    };
    assert_eq!(name(Some(7), &q4_k), Some("Q8_0"));
    // Q4_K_S fits, too, and comes before the one that llama.cpp guesses.
    assert_eq!(name(None, &q4_k), Some("Q4_K_M"));
    // No file type has this number.
    assert_eq!(name(Some(999), &q4_k), Some("Q4_K_M"));
    assert_eq!(name(None, &[]), None);
    // llama.cpp guesses F32, which does not fit.
    assert_eq!(name(None, &[("blk.0.ffn_up_exps.weight", GgmlType::MXFP4)]), Some("MXFP4_MOE"));
}
