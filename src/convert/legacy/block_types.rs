//! Tensor types of files before GGUF: the numbers in files, and the block layouts that GGUF does not have.

use super::container::BlockRules;
use super::family::TypeNumbers;
use crate::format::ggml_type::{Field, GgmlType, GgmlTypeInfo, OwnKernel};
use crate::tensor::quant::before_gguf as kernels;

/// The lowest id of a type that GGUF does not have. A GGUF file can contain the same number: there it is an unknown type,
/// because only the header of a legacy model refers to [`BLOCK_TYPES`].
const FIRST_ID: u32 = 0x6c67_0000;

macro_rules! block_types {
    ($($id:literal $name:ident $block_size:literal $type_size:literal [$($field:expr),*] $kernel:ident;)*) => {
        $(
            #[doc = concat!("The type `", stringify!($name), "`: see [`BLOCK_TYPES`].")]
            pub const $name: GgmlType = GgmlType(FIRST_ID + $id);
        )*

        /// The block layouts of files before GGUF that GGUF does not have. `_V1` are those until 12 May 2023, `_V2` those of the
        /// week after it. Q8_0_V1 was used in both.
        pub static BLOCK_TYPES: &[GgmlTypeInfo] = &[$(GgmlTypeInfo {
            id: FIRST_ID + $id,
            name: stringify!($name),
            block_size: $block_size,
            type_size: $type_size,
            fields: &[$($field),*],
            is_convertible: false,
            own_kernel: Some(kernels::$kernel as OwnKernel),
        }),*];
    };
}

block_types! {
    0 Q4_0_V1 32 20 [Field::new(4, 0)] q4_0_v1;
    1 Q4_0_V2 32 20 [Field::new(4, 0)] q4_0_v2;
    2 Q4_1_V1 32 24 [Field::new(4, 0).times(2)] q4_1_v1;
    3 Q4_1_V2 32 24 [Field::new(4, 0).times(2)] q4_1_v2;
    4 Q4_2    16 10 [Field::new(2, 0)] q4_2;
    5 Q4_3    16 12 [Field::new(2, 0).times(2)] q4_3;
    6 Q5_0_V1 32 22 [Field::new(2, 0), Field::new(4, 2)] q5_0_v1;
    7 Q5_1_V1 32 24 [Field::new(2, 0).times(2), Field::new(4, 4)] q5_1_v1;
    8 Q8_0_V1 32 36 [Field::new(4, 0)] q8_0_v1;
}

/// The row of a type: one of [`BLOCK_TYPES`] or of ggml's table.
pub fn block_type_info(ggml_type: GgmlType) -> Option<&'static GgmlTypeInfo> {
    BLOCK_TYPES.iter().find(|info| info.id == ggml_type.0).or_else(|| ggml_type.info())
}

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
