//! Random files are written as the model predicts.

use gguf_format::edit::Edit;
use gguf_format::format::{GGML_TYPES, GgmlTypeInfo};
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::{Segment, Writer};
use gguf_format::{Endian, Format, GgmlType, ValueType};
use gguf_models::validate::{Severity, validate};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::{Model, Tensor};
use crate::long::in_long;
use crate::sample;

fn formats() -> impl Strategy<Value = Format> {
    let endian = prop_oneof![Just(Endian::Little), Just(Endian::Big)];
    (2..=3_u32, endian).prop_map(|(version, endian)| Format { version, endian })
}

fn values() -> impl Strategy<Value = OwnedValue> {
    // Floats are made from bits, so that NaNs with any bits occur.
    let scalar = prop_oneof![
        any::<u8>().prop_map(OwnedValue::from),
        any::<i16>().prop_map(OwnedValue::from),
        any::<u32>().prop_map(OwnedValue::from),
        any::<i64>().prop_map(OwnedValue::from),
        any::<u64>().prop_map(OwnedValue::from),
        any::<u32>().prop_map(|bits| OwnedValue::Float32(f32::from_bits(bits))),
        any::<u64>().prop_map(|bits| OwnedValue::Float64(f64::from_bits(bits))),
        any::<bool>().prop_map(OwnedValue::from),
        vec(any::<u8>(), 0..40).prop_map(OwnedValue::String),
    ];
    let row = || vec(any::<i32>(), 0..5).prop_map(|row| OwnedValue::array(ValueType::Int32, row));
    prop_oneof![
        4 => scalar,
        1 => vec(any::<u16>(), 0..100).prop_map(|array| OwnedValue::array(ValueType::Uint16, array)),
        1 => vec(".{0,9}", 0..100).prop_map(|array| OwnedValue::array(ValueType::String, array)),
        1 => vec(row(), 0..4).prop_map(|rows| OwnedValue::array(ValueType::Array, rows)),
    ]
}

fn tensors() -> impl Strategy<Value = Vec<Tensor>> {
    let types: Vec<_> = GGML_TYPES.iter().filter(|info| !info.is_removed()).collect();
    let shape = (prop::sample::select(types), 0..3_u64, vec(0..4_u64, 0..=3), any::<bool>());
    btree_map(vec(1..=255_u8, 0..=63), shape, 0..8).prop_map(|tensors| {
        let tensor =
            |(name, (info, blocks, mut dimensions, is_scalar)): (Vec<u8>, (&GgmlTypeInfo, u64, Vec<u64>, bool))| {
                if is_scalar && info.block_size == 1 {
                    dimensions.clear();
                } else {
                    dimensions.insert(0, blocks * u64::from(info.block_size));
                }
                Tensor { name, dimensions, ggml_type: GgmlType(info.id) }
            };
        tensors.into_iter().map(tensor).collect()
    })
}

fn models() -> impl Strategy<Value = Model> {
    let alignment = prop::option::of((prop_oneof![Just(8_u32), Just(16), Just(64), Just(4096)], 0..8_usize));
    let metadata = btree_map(vec(any::<u8>(), 1..30), values(), 0..8);
    (formats(), alignment, metadata, tensors()).prop_map(|(format, alignment, metadata, tensors)| Model {
        format,
        alignment,
        metadata: metadata.into_iter().collect(),
        tensors,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(in_long(1000, 250)))]

    #[test]
    fn what_is_written_is_what_was_asked_for(model in models()) {
        model.check();
    }
}

#[test]
fn every_kind_of_value_in_both_byte_orders() {
    let metadata: Vec<_> =
        sample::values().into_iter().enumerate().map(|(i, value)| (format!("key.{i}").into_bytes(), value)).collect();
    let tensor = |name: &[u8], dimensions: &[u64], ggml_type| Tensor {
        name: name.to_vec(),
        dimensions: dimensions.to_vec(),
        ggml_type,
    };
    let tensors = vec![
        tensor(b"scalar", &[], GgmlType::F32),
        tensor(b"", &[3, 1, 1, 1], GgmlType::I8),
        tensor(b"\xff", &[256, 0, 2], GgmlType::Q4_K),
        tensor(&[b'n'; 63], &[64, 2], GgmlType::NVFP4),
    ];
    for format in sample::formats().filter(|format| format.version > 1) {
        Model { format, alignment: None, metadata: metadata.clone(), tensors: tensors.clone() }.check();
        Model { format, alignment: Some((256, 3)), metadata: Vec::new(), tensors: tensors.clone() }.check();
        Model { format, alignment: None, metadata: metadata.clone(), tensors: Vec::new() }.check();
    }
}

#[test]
fn an_empty_file_is_only_a_header() {
    let writer = Writer::new(Format::default()).unwrap();
    let file = writer.header().unwrap();
    assert_eq!(file, b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!((writer.size(), writer.header_size(), writer.data_offset()), (24, 24, 32));
    assert_eq!(writer.plan().unwrap().segments(), [Segment::Bytes(file)]);
}

#[test]
fn tensors_are_placed_as_llama_cpp_requires() {
    let names = [b"t", b"u", b"v"];
    let tensor = |name: &[u8; 1]| Tensor { name: name.to_vec(), dimensions: vec![5], ggml_type: GgmlType::F16 };
    let model = Model {
        format: Format::default(),
        alignment: Some((64, 0)),
        metadata: vec![(b"general.architecture".to_vec(), "gptj".into())],
        tensors: names.map(tensor).into(),
    };
    let file = model.metadata_first(&model.writer());
    let header = gguf_format::parse(&file).unwrap();
    let findings = validate(&header, Some(file.len() as u64));
    assert!(findings.iter().all(|finding| finding.check.severity() != Severity::Error), "{findings:?}");
    let mut edit = Edit::new(header);
    // The offsets follow that rule, with zeros as padding.
    edit.repack();
    let plan = edit.plan(Some(file.len() as u64)).unwrap();
    let repacked = plan.segments().iter().flat_map(|segment| match segment {
        Segment::Bytes(bytes) => bytes,
        Segment::Copy { range, .. } => &file[range.start as usize..range.end as usize],
        Segment::Swap { .. } => panic!("nothing is swapped"),
    });
    assert!(repacked.eq(&file));
}
