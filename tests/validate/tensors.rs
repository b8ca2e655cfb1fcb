//! Names, sizes and positions of tensors.

use std::collections::BTreeSet;

use gguf_format::GgmlType;
use gguf_models::validate::Check;

use crate::validate::test_file::TestFile;
use crate::validate::{codes, tensor_of, validate_file};

#[test]
fn long_and_duplicate_tensor_names_are_found() {
    let two = |first: &'static [u8], second: &'static [u8]| {
        TestFile::new().tensor(first, &[8], GgmlType::F32, 0).tensor(second, &[8], GgmlType::F32, 32).data(64)
    };
    two(b"t", b"u").assert_no_findings();
    two(b"t", &[b'a'; 63]).assert_no_findings();
    let message = "the name has 64 bytes, and llama.cpp reads at most 63. Rename the tensor.";
    two(b"t", &[b'a'; 64]).assert_only_in_tensor(Check::LongTensorNameForGgml, message, 1, 0);
    let message = "the name has 65 bytes, at most 64 are allowed and llama.cpp reads 63. Rename the tensor.";
    two(b"t", &[b'a'; 65]).assert_only_in_tensor(Check::LongTensorName, message, 1, 0);
    two(b"t", b"t").assert_only_in_tensor(
        Check::DuplicateTensorName,
        "tensor 0 has the same name, and llama.cpp refuses the file. Rename or remove one of them.",
        1,
        0,
    );

    let names: [&[u8]; 8] = [b"x\0b", b"y", b"x", b"x\0a", b"x\x01", b"x\0a", b"", b"y\0"];
    let mut file = TestFile::new().data(8 * 32);
    for (name, at) in names.into_iter().zip(0u64..) {
        file = file.tensor(name, &[8], GgmlType::F32, at * 32);
    }
    let mut findings = validate_file(&file.encode().0);
    findings.retain(|finding| finding.check != Check::HiddenCharacters);
    let found: Vec<_> = findings.iter().map(|finding| (finding.check.code(), tensor_of(finding))).collect();
    let part = "tensor-name-same-up-to-nul";
    assert_eq!(found, [(part, 0), (part, 3), ("duplicate-tensor-name", 5), (part, 7)]);
}

#[test]
fn impossible_dimensions_and_types_are_found() {
    let tensor = |dimensions: &'static [u64], ggml_type| {
        TestFile::with(b"general.quantization_version", 2u32).tensor(b"t", dimensions, ggml_type, 0).data(64)
    };
    tensor(&[4, 2, 2, 1], GgmlType::F32).assert_no_findings();
    tensor(&[32, 1], GgmlType::Q4_0).data(32).assert_no_findings();
    let message = "the tensor has 5 dimensions, at most 4 are allowed. Write it with fewer dimensions.";
    tensor(&[4, 4, 1, 1, 1], GgmlType::F32).assert_only_in_tensor(Check::TooManyDimensions, message, 0, 9);
    let message = "the tensor has no dimensions, and readers take it as one element.";
    tensor(&[], GgmlType::F32).data(32).assert_only_in_tensor(Check::NoDimensions, message, 0, 9);
    let message = "dimension 1 is 9223372036854775808, expected less than 2^63. Download the file again.";
    tensor(&[1, 1 << 63], GgmlType::F32).data(0).assert_only_in_tensor(Check::NegativeDimension, message, 0, 9 + 4 + 8);
    let message = "the tensor has no elements. llama.cpp has read such files since August 2026.";
    tensor(&[4, 0], GgmlType::F32).data(0).assert_only_in_tensor(Check::ZeroSizedTensor, message, 0, 9);
    let message = "the size of the tensor does not fit in 64 bits. Download the file again.";
    for dimensions in [&[1 << 62, 4][..], &[1 << 62], &[(1 << 63) - 1]] {
        tensor(dimensions, GgmlType::F32).data(0).assert_only_in_tensor(Check::TensorTooLarge, message, 0, 9);
    }
    tensor(&[(1 << 63) - 1], GgmlType::I8).data(0).assert_found(Check::TensorTooLarge);
    let message = "tensor type 137 is unknown, perhaps newer than llama.cpp b11549 (October 2026). Use the program that wrote the file to read or convert it.";
    tensor(&[4], GgmlType(137)).assert_only_in_tensor(Check::UnknownTensorType, message, 0, 9 + 4 + 8);
    let message = "the tensor type 139 is IQ4_K of ik_llama.cpp, and llama.cpp b11549 (October 2026) refuses the file. Use ik_llama.cpp.";
    let file = tensor(&[256, 2], GgmlType(139)).tensor(b"b", &[8], GgmlType::F32, 288).data(320);
    file.assert_only_in_tensor(Check::ForeignTensorType, message, 0, 9 + 4 + 16);
    let message = "the places of the tensors do not fit ggml's tensor type 39. Use the program that wrote the file to read or convert it.";
    let file = tensor(&[256, 2], GgmlType(39)).tensor(b"b", &[8], GgmlType::F32, 640).data(672);
    file.assert_only_in_tensor(Check::UnknownTensorType, message, 0, 9 + 4 + 16);
    let message = "ggml removed the tensor type 4, Q4_2. Convert the model again from its source.";
    tensor(&[4], GgmlType(4)).assert_only_in_tensor(Check::RemovedTensorType, message, 0, 9 + 4 + 8);
    let message = "a row has 33 elements, expected a multiple of 32 for Q4_0. Use another type.";
    tensor(&[33, 32], GgmlType::Q4_0).assert_only_in_tensor(Check::PartialBlock, message, 0, 9 + 4 + 16);
}

/// The position of the offset in the info of a tensor with one dimension and a name of one byte.
const OFFSET: u64 = 9 + 4 + 8 + 4;

#[test]
fn misplaced_tensors_are_found() {
    let at = |places: &[(&'static [u64], u64)], data| {
        let names: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
        let mut file = TestFile::new().data(data);
        for ((dimensions, offset), name) in places.iter().zip(names) {
            file = file.tensor(name, dimensions, GgmlType::F32, *offset);
        }
        file
    };
    at(&[(&[8], 0), (&[9], 32), (&[1], 96)], 128).assert_no_findings();
    let message = "the offset is 36, expected a multiple of the alignment 32. Repack the data.";
    at(&[(&[8], 0), (&[7], 36)], 64).assert_only_in_tensor(Check::UnalignedTensor, message, 1, OFFSET);
    let message = "there is a gap of 32 unused bytes before the data, and llama.cpp refuses the file. Repack the data.";
    at(&[(&[8], 32)], 64).assert_only_in_tensor(Check::Gap, message, 0, OFFSET);
    at(&[(&[8], 0), (&[1], 64)], 96).assert_only_in_tensor(Check::Gap, message, 1, OFFSET);
    let message = "the data shares its first 32 bytes with tensor 0. Write the file again from its source.";
    at(&[(&[16], 0), (&[16], 32)], 96).assert_only_in_tensor(Check::OverlappingTensors, message, 1, OFFSET);
    let message = "the data shares its first 4 bytes with tensor 0. Write the file again from its source.";
    at(&[(&[1], 0), (&[16], 0), (&[8], 64)], 96).assert_only_in_tensor(Check::OverlappingTensors, message, 1, OFFSET);
    let message = "the data lies before that of the previous tensor, and llama.cpp refuses the file. Repack the data.";
    at(&[(&[8], 32), (&[8], 0), (&[8], 64)], 96).assert_only_in_tensor(Check::TensorsOutOfOrder, message, 1, OFFSET);
    let empty = validate_file(&at(&[(&[16], 0), (&[0], 32), (&[8], 64)], 96).encode().0);
    assert_eq!(codes(&empty), BTreeSet::from(["tensors-out-of-order", "zero-sized-tensor"]));
    let message = "the offset is 18446744073709551584, and the data would end beyond 2^64. Download the file again.";
    at(&[(&[8], 0u64.wrapping_sub(32))], 0).assert_only_in_tensor(Check::OffsetTooLarge, message, 0, OFFSET);
    // The end of a tensor of unknown size is unknown, so there is no finding about a gap.
    let unknown =
        TestFile::new().tensor(b"a", &[8], GgmlType(137), 0).tensor(b"b", &[8], GgmlType::F32, 640).data(1000);
    unknown.assert_only_in_tensor(
        Check::UnknownTensorType,
        "tensor type 137 is unknown, perhaps newer than llama.cpp b11549 (October 2026). Use the program that wrote the file to read or convert it.",
        0,
        21,
    );
}
