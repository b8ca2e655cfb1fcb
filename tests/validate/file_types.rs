//! `general.file_type`, compared with the tensors.

use gguf_format::GgmlType;
use gguf_format::write::encode::OwnedValue;
use gguf_models::validate::{Check, Finding, Severity};

use crate::validate::models::assert_fix;
use crate::validate::test_file::TestFile;

/// The findings about the file type of a file with two matrices.
fn findings(file_type: u32, types: [GgmlType; 2]) -> Vec<Finding> {
    let length = |ggml_type: GgmlType| ggml_type.byte_length(512, 256).unwrap();
    let second = length(types[0]).next_multiple_of(32);
    let size = second + length(types[1]).next_multiple_of(32);
    let file = TestFile::with(b"general.file_type", OwnedValue::from(file_type))
        .entry(b"general.quantization_version", 2u32)
        .tensor(b"blk.0.ffn_up.weight", &[256, 2], types[0], 0)
        .tensor(b"blk.0.ffn_down.weight", &[256, 2], types[1], second)
        .data(size as usize);
    crate::validate::validate_file(&file.encode().0)
}

#[test]
fn a_file_type_that_the_tensors_contradict_is_found() {
    for (file_type, types) in [
        (7, [GgmlType::Q8_0; 2]),
        (15, [GgmlType::Q4_K, GgmlType::Q6_K]),
        (14, [GgmlType::Q4_K; 2]),
        (15, [GgmlType::Q4_K; 2]),
        (1, [GgmlType::F16; 2]),
    ] {
        assert_eq!(findings(file_type, types), [], "{file_type}");
    }
    let found = findings(15, [GgmlType::Q8_0; 2]);
    assert_eq!(found[0].check, Check::WrongFileType);
    assert_eq!(found[0].check.severity(), Severity::Warning);
    let message = "the file type is Q4_K_M, but the tensors are those of the file type Q8_0. Programs show the wrong \
                   type. Correct the file type.";
    assert_eq!((found.len(), &*found[0].message), (1, message));
    assert_fix(&found[0], "Set it to 7, Q8_0", false);
    let found = findings(7, [GgmlType::Q4_K, GgmlType::Q6_K]);
    assert_fix(&found[0], "Set it to 15, Q4_K_M", false);
    // Two file types fit.
    let found = findings(7, [GgmlType::Q4_K; 2]);
    let message = "the file type is Q8_0, but most data of the matrices is Q4_K. Programs show the wrong type. Correct the \
                   file type.";
    assert_eq!((found[0].check, &*found[0].message, &found[0].fix), (Check::WrongFileType, message, &None));
}

#[test]
fn unknown_and_removed_file_types_are_found() {
    let found = findings(99, [GgmlType::Q8_0; 2]);
    let message = "the file type is 99, which is unknown, perhaps newer than llama.cpp b11549 (October 2026). Programs may show no name for it.";
    assert_eq!((found.len(), found[0].check, &*found[0].message), (1, Check::UnknownFileType, message));
    assert_eq!(found[0].check.severity(), Severity::Info);
    let found = findings(33, [GgmlType::Q4_0; 2]);
    let message = "llama.cpp removed the file type 33, Q4_0_4_4. Correct the file type.";
    assert_eq!((found.len(), found[0].check, &*found[0].message), (1, Check::RemovedFileType, message));
    assert_eq!(found[0].check.severity(), Severity::Warning);
    assert_fix(&found[0], "Set it to 2, Q4_0", false);
}

#[test]
fn file_types_of_files_that_are_no_models_are_not_compared() {
    TestFile::with(b"general.file_type", 99u32).entry(b"general.type", "imatrix").assert_no_findings();
    let shard = TestFile::with(b"general.file_type", 15u32)
        .entry(b"general.quantization_version", 2u32)
        .entry(b"split.no", 0u16)
        .entry(b"split.count", 2u16)
        .entry(b"split.tensors.count", 2i32)
        .tensor(b"blk.0.ffn_up.weight", &[32, 2], GgmlType::Q8_0, 0)
        .data(96);
    shard.assert_no_findings();
}
