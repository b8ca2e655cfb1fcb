//! The block layouts of files before GGUF that GGUF does not have.

use super::quant::before_gguf as kernels;
use crate::format::ggml_type::{Field, GgmlType, GgmlTypeInfo, Layout, OwnKernel};

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
            owner: None,
            layout: Layout::BLOCKS,
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
