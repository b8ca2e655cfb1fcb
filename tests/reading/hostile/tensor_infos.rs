//! Dimensions, types, offsets and names of tensors.

use super::*;

fn tensor(dimensions: &[u64], ggml_type: u32, offset: u64) -> Header {
    open(&v3(1, 0, |file| file.tensor(b"t", dimensions, ggml_type, offset))).unwrap()
}

fn sizes(dimensions: &[u64], ggml_type: GgmlType) -> (Option<u64>, Option<u64>) {
    let header = tensor(dimensions, ggml_type.0, 0);
    let tensor = header.tensor("t").unwrap();
    assert!(tensor.dimensions().eq(dimensions.iter().copied()));
    (tensor.element_count(), tensor.byte_length())
}

#[test]
fn a_tensor_has_up_to_8_dimensions() {
    for count in [0, 5, 8] {
        let dimensions: Vec<u64> = (1..=count).collect();
        let product = dimensions.iter().product();
        assert_eq!(sizes(&dimensions, GgmlType::F32), (Some(product), Some(4 * product)));
    }
    for count in [9, 1_000_000, 1 << 31, u32::MAX] {
        let file = v3(1, 0, |file| file.string(b"t").u32(count).bytes(&[0; 64]));
        assert_eq!(excess(&file), (Limit::DimensionCount, count.into(), 8, 33));
    }
}

#[test]
fn element_counts_and_sizes_that_overflow_are_none() {
    let negative = (-1i64).cast_unsigned();
    assert_eq!(sizes(&[negative], GgmlType::F32), (Some(u64::MAX), None));
    assert_eq!(sizes(&[negative, 2], GgmlType::I8), (None, None));
    assert_eq!(sizes(&[1 << 32, 1 << 31], GgmlType::I8), (Some(1 << 63), Some(1 << 63)));
    assert_eq!(sizes(&[1 << 32, 1 << 32], GgmlType::I8), (None, None));
    // The product is 4 modulo 2^64.
    assert_eq!(sizes(&[(1 << 62) + 1, 4], GgmlType::F32), (None, None));
    // So are the bytes.
    assert_eq!(sizes(&[(1 << 62) + 1], GgmlType::F32), (Some((1 << 62) + 1), None));
    assert_eq!(sizes(&[0], GgmlType::F32), (Some(0), Some(0)));
    assert_eq!(sizes(&[0, u64::MAX, u64::MAX], GgmlType::Q4_K), (Some(0), Some(0)));
    assert_eq!(sizes(&[u64::MAX, u64::MAX, 0], GgmlType::F32), (Some(0), Some(0)));
    assert_eq!(sizes(&[33], GgmlType::Q4_0), (Some(33), None));
    assert_eq!(sizes(&[16, 2], GgmlType::Q4_0), (Some(32), None));
    assert_eq!(sizes(&[], GgmlType::Q4_0), (Some(1), None));
}

#[test]
fn the_parameter_count_saturates() {
    let file = v3(3, 0, |file| {
        file.tensor(b"a", &[u64::MAX], 0, 0).tensor(b"b", &[2, u64::MAX], 0, 0).tensor(b"c", &[9], 0, 0)
    });
    assert_eq!(open(&file).unwrap().parameter_count(), u64::MAX);
    assert_eq!(tensor(&[2, u64::MAX], 0, 0).parameter_count(), 0);
}

#[test]
fn unknown_and_removed_tensor_types_have_no_size() {
    for id in [10_000, 1 << 31, u32::MAX - 1, u32::MAX] {
        let header = tensor(&[256], id, 0);
        let tensor = header.tensor_at(0).unwrap();
        assert_eq!(tensor.ggml_type(), GgmlType(id));
        assert!(tensor.ggml_type().info().is_none());
        assert_eq!(tensor.ggml_type().to_string(), format!("unknown({id})"));
        assert_eq!((tensor.element_count(), tensor.byte_length()), (Some(256), None));
    }
    for id in [4, 5, 31, 32, 33, 36, 37, 38] {
        let header = tensor(&[256], id, 0);
        let tensor = header.tensor_at(0).unwrap();
        assert!(tensor.ggml_type().info().unwrap().is_removed());
        assert_eq!(tensor.byte_length(), None);
    }
}

#[test]
fn a_file_offset_beyond_u64_is_none() {
    for offset in [1, 1 << 32, 1 << 63, u64::MAX - 63] {
        let header = tensor(&[4], 0, offset);
        assert_eq!(header.data_offset(), 64);
        let tensor = header.tensor_at(0).unwrap();
        assert_eq!(tensor.offset(), offset);
        assert_eq!(tensor.file_offset(), offset.checked_add(64));
    }
    assert_eq!(tensor(&[4], 0, u64::MAX - 63).tensor_at(0).unwrap().file_offset(), None);
    assert_eq!(tensor(&[4], 0, u64::MAX - 64).tensor_at(0).unwrap().file_offset(), Some(u64::MAX));
}

#[test]
fn duplicate_and_unusual_tensor_names_are_found() {
    let long = [b'n'; 65_536];
    let names: [&[u8]; 7] = [b"twice", b"twice", b"", &long, b"n\0", b"n", b"\xff\xfe"];
    let file = v3(7, 0, |e| names.iter().zip(0..).fold(e, |e, (name, at)| e.tensor(name, &[1], 0, at)));
    let header = open(&file).unwrap();
    for (index, name) in names.into_iter().enumerate() {
        assert_eq!(*header.tensor_at(index).unwrap().name().to_bytes(), *name);
        let first = if index == 1 { 0 } else { index };
        assert_eq!(header.tensor(name).unwrap().index(), first);
    }
}
