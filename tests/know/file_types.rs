//! The table of file types.

use std::collections::BTreeSet;

use gguf_format::GgmlType;
use gguf_models::file_types::{FILE_TYPES, GUESSED_FILE_TYPE, file_type_info};

#[test]
fn ids_are_complete_and_texts_are_distinct() {
    assert!(FILE_TYPES.iter().map(|info| info.id).eq(0..=41));
    let names: BTreeSet<_> = FILE_TYPES.iter().map(|info| info.name).collect();
    let descriptions: BTreeSet<_> = FILE_TYPES.iter().map(|info| info.description).collect();
    assert_eq!((names.len(), descriptions.len()), (42, 42));
    for info in FILE_TYPES {
        assert!(info.description.ends_with('.') && info.description.split_whitespace().count() <= 15, "{}", info.name);
    }
}

#[test]
fn types_are_removed_exactly_if_llama_cpp_dropped_them() {
    let removed: Vec<_> = FILE_TYPES.iter().filter(|info| info.is_removed).map(|info| info.id).collect();
    assert_eq!(removed, [4, 5, 6, 33, 34, 35]);
}

#[test]
fn each_stands_for_a_tensor_type_that_ggml_has_or_had() {
    for info in FILE_TYPES {
        let tensor_type = info.tensor_type.info().unwrap();
        // Q4_1_SOME_F16 was dropped, but not the type of its tensors.
        assert_eq!(tensor_type.block_size == 0, info.is_removed && info.id != 4, "{}", info.name);
    }
    let tensor_type = |id| file_type_info(id).unwrap().tensor_type;
    assert_eq!(tensor_type(0), GgmlType::F32);
    assert_eq!(tensor_type(12), GgmlType::Q3_K);
    assert_eq!(tensor_type(15), GgmlType::Q4_K);
    assert_eq!(tensor_type(17), GgmlType::Q5_K);
    assert_eq!(tensor_type(22), GgmlType::IQ3_S);
    assert_eq!(tensor_type(28), GgmlType::IQ2_XS);
    assert_eq!(tensor_type(38), GgmlType::MXFP4);
    assert_eq!(tensor_type(41), GgmlType::Q2_0);
}

#[test]
fn a_guessed_type_has_the_row_of_the_type() {
    for info in FILE_TYPES {
        assert_eq!(file_type_info(info.id).unwrap().name, info.name);
        assert_eq!(file_type_info(info.id + GUESSED_FILE_TYPE).unwrap().name, info.name);
    }
}

#[test]
fn unknown_ids_have_no_row() {
    for id in [42, 100, 1023, GUESSED_FILE_TYPE + 42, 2048, 2048 + 15, u32::MAX] {
        assert!(file_type_info(id).is_none(), "{id}");
    }
}
