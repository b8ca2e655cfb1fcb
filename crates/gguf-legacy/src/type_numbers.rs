//! The numbers of tensor types in files before GGUF.

use super::container::BlockRules;
use super::family::TypeNumbers;
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::tensor::block_types::*;

/// The type with the number `id` in a file. `None` if no program wrote it under these rules.
pub(super) fn type_of_id(id: u32, numbers: TypeNumbers, rules: BlockRules) -> Option<GgmlType> {
    // As llama.cpp numbered the types: like ggml today, but 4 and 5 were in use. rwkv.cpp had its own numbers.
    let id = match (numbers, id) {
        (TypeNumbers::Ggml, _) | (TypeNumbers::Rwkv, 0..=3) => id,
        (TypeNumbers::Rwkv, 5..=9) => id - 1,
        (TypeNumbers::Rwkv, _) => return None,
    };
    // rwkv.cpp numbers Q4_2, Q4_3, Q5_0, Q5_1, Q8_0 from 5 on; ggml from 4 on.
    Some(match (id, rules) {
        (0, _) => GgmlType::F32,
        (1, _) => GgmlType::F16,
        (2, BlockRules::V1) => Q4_0_V1,
        (2, BlockRules::V2) => Q4_0_V2,
        (2, BlockRules::V3) => GgmlType::Q4_0,
        (3, BlockRules::V1) => Q4_1_V1,
        (3, BlockRules::V2) => Q4_1_V2,
        (3, BlockRules::V3) => GgmlType::Q4_1,
        (4, BlockRules::V1) => Q4_2,
        (5, BlockRules::V1) => Q4_3,
        (6, BlockRules::V1) => Q5_0_V1,
        (7, BlockRules::V1) => Q5_1_V1,
        (6 | 7, BlockRules::V2 | BlockRules::V3) => GgmlType(id),
        (8, BlockRules::V1 | BlockRules::V2) => Q8_0_V1,
        (8, BlockRules::V3) => GgmlType::Q8_0,
        (10..=14, BlockRules::V3) => GgmlType(id),
        _ => return None,
    })
}

/// The type of GGUF that has the same quants: Q4_0 for Q4_0_V1. `None` for Q4_2 and Q4_3, which have none.
pub(super) fn type_in_gguf(ggml_type: GgmlType) -> Option<GgmlType> {
    Some(match ggml_type {
        Q4_0_V1 | Q4_0_V2 => GgmlType::Q4_0,
        Q4_1_V1 | Q4_1_V2 => GgmlType::Q4_1,
        Q5_0_V1 => GgmlType::Q5_0,
        Q5_1_V1 => GgmlType::Q5_1,
        Q8_0_V1 => GgmlType::Q8_0,
        Q4_2 | Q4_3 => return None,
        other => other,
    })
}
