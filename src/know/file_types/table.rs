//! The values of `general.file_type`, in one table.
//!
//! Ids and names are those of llama.cpp's `llama_ftype` (`include/llama.h`, August 2026), which gguf-py calls
//! `LlamaFileType`. The tensor type is the one that `llama-quantize` takes by default (`llama_ftype_get_default_type`).
//! The numbers differ from those of tensor types.

use crate::declare::result;
use crate::format::ggml_type::GgmlType;

result! {
    /// A file type: a value of the key `general.file_type`. It says which quantisation most tensors of a file have.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::{GgmlType, file_types::file_type_info};
    ///
    /// let info = file_type_info(15).unwrap();
    /// assert_eq!((info.name, info.tensor_type), ("Q4_K_M", GgmlType::Q4_K));
    /// assert!(file_type_info(5).unwrap().is_removed);
    /// assert!(file_type_info(99).is_none());
    /// ```
    #[derive(Clone, Copy, Debug)]
    pub struct FileTypeInfo {
        /// The number in files. llama.cpp adds 1024 if it guessed the type from the tensors. The ids of tensor types are other
        /// numbers.
        pub id: u32,
        /// The name in llama.cpp's `llama_ftype`, without `MOSTLY_` or `ALL_`: `"Q4_K_M"`.
        pub name: &'static str,
        /// The type that most tensors of such a file have, as in `ggmlTypes()`: `"Q4_K"`.
        pub tensor_type: GgmlType,
        /// Whether llama.cpp no longer reads files of this type.
        pub is_removed: bool,
        /// Which tensors have which type, in one sentence.
        pub description: &'static str,
    }
}

/// The number that llama.cpp adds to a file type that it guessed from the tensors, because the file does not say it.
/// Such a sum is not meant to be stored.
pub const GUESSED_FILE_TYPE: u32 = 1024;

/// The row of a file type. A value with [`GUESSED_FILE_TYPE`] added has the row of the type without it.
pub fn file_type_info(value: u32) -> Option<&'static FileTypeInfo> {
    let id = value & !GUESSED_FILE_TYPE;
    FILE_TYPES.binary_search_by_key(&id, |info| info.id).ok().and_then(|index| FILE_TYPES.get(index))
}

macro_rules! file_types {
    ($($(#[doc = $description:literal])+ $id:literal $name:literal $tensor_type:ident $($removed:ident)?;)*) => {
        &[$(FileTypeInfo {
            id: $id,
            name: $name,
            tensor_type: GgmlType::$tensor_type,
            is_removed: file_types!(@ $($removed)?),
            description: concat!($($description),+).trim_ascii(),
        },)*]
    };
    (@ removed) => { true };
    (@) => { false };
}

/// Every file type that llama.cpp has or had, by id.
pub const FILE_TYPES: &[FileTypeInfo] = file_types! {
    /// All tensors are 32-bit floats.
    0 "F32" F32;
    /// Matrices are 16-bit floats; vectors stay F32.
    1 "F16" F16;
    /// Matrices have 4-bit blocks of 32 with a scale.
    2 "Q4_0" Q4_0;
    /// Matrices have 4-bit blocks of 32 with a scale and a minimum.
    3 "Q4_1" Q4_1;
    /// Like Q4_1, but embeddings and output are 16-bit floats.
    4 "Q4_1_SOME_F16" Q4_1 removed;
    /// An early 4-bit type with blocks of 16.
    5 "Q4_2" Q4_2 removed;
    /// An early 4-bit type with blocks of 16 and a minimum.
    6 "Q4_3" Q4_3 removed;
    /// Matrices have 8-bit blocks of 32 with a scale.
    7 "Q8_0" Q8_0;
    /// Matrices have 5-bit blocks of 32 with a scale.
    8 "Q5_0" Q5_0;
    /// Matrices have 5-bit blocks of 32 with a scale and a minimum.
    9 "Q5_1" Q5_1;
    /// Mostly 2-bit K-quants; sensitive matrices have 3 or more bits.
    10 "Q2_K" Q2_K;
    /// 3-bit K-quants, small: nearly all matrices have this type.
    11 "Q3_K_S" Q3_K;
    /// 3-bit K-quants, medium: some attention and output matrices have more bits.
    12 "Q3_K_M" Q3_K;
    /// 3-bit K-quants, large: most attention and output matrices have 5 bits.
    13 "Q3_K_L" Q3_K;
    /// 4-bit K-quants, small: nearly all matrices have this type.
    14 "Q4_K_S" Q4_K;
    /// 4-bit K-quants, medium: half of the sensitive matrices have 6 bits.
    15 "Q4_K_M" Q4_K;
    /// 5-bit K-quants, small: nearly all matrices have this type.
    16 "Q5_K_S" Q5_K;
    /// 5-bit K-quants, medium: half of the sensitive matrices have 6 bits.
    17 "Q5_K_M" Q5_K;
    /// All matrices are 6-bit K-quants.
    18 "Q6_K" Q6_K;
    /// About 2.06 bits a weight, from a table of patterns; needs an importance matrix.
    19 "IQ2_XXS" IQ2_XXS;
    /// About 2.31 bits a weight, from a table of patterns; needs an importance matrix.
    20 "IQ2_XS" IQ2_XS;
    /// 2-bit K-quants, small; needs an importance matrix.
    21 "Q2_K_S" Q2_K;
    /// About 3.3 bits a weight: IQ3_S, with IQ3_XXS for some matrices.
    22 "IQ3_XS" IQ3_S;
    /// About 3.06 bits a weight, from a table of patterns.
    23 "IQ3_XXS" IQ3_XXS;
    /// About 1.56 bits a weight, from a table of patterns; needs an importance matrix.
    24 "IQ1_S" IQ1_S;
    /// 4-bit blocks of 32 whose 16 levels are not evenly spaced.
    25 "IQ4_NL" IQ4_NL;
    /// About 3.44 bits a weight, from a table of patterns.
    26 "IQ3_S" IQ3_S;
    /// About 3.66 bits a weight: IQ3_S, with more bits for sensitive matrices.
    27 "IQ3_M" IQ3_S;
    /// About 2.5 bits a weight: IQ2_XS, with more bits for sensitive matrices.
    28 "IQ2_S" IQ2_XS;
    /// About 2.7 bits a weight: IQ2_S, with more bits for sensitive matrices.
    29 "IQ2_M" IQ2_S;
    /// 4-bit blocks of 256 whose 16 levels are not evenly spaced.
    30 "IQ4_XS" IQ4_XS;
    /// About 1.75 bits a weight, from a table of patterns; needs an importance matrix.
    31 "IQ1_M" IQ1_M;
    /// Matrices are bfloat16; vectors stay F32.
    32 "BF16" BF16;
    /// Q4_0 with 4 rows interleaved by 4 bytes for Arm; now done at loading.
    33 "Q4_0_4_4" Q4_0_4_4 removed;
    /// Q4_0 with 4 rows interleaved by 8 bytes for Arm; now done at loading.
    34 "Q4_0_4_8" Q4_0_4_8 removed;
    /// Q4_0 with 8 rows interleaved by 8 bytes for Arm; now done at loading.
    35 "Q4_0_8_8" Q4_0_8_8 removed;
    /// Ternary weights, five in a byte: about 1.69 bits a weight.
    36 "TQ1_0" TQ1_0;
    /// Ternary weights, four in a byte: about 2.06 bits a weight.
    37 "TQ2_0" TQ2_0;
    /// The experts have 4-bit floats in blocks of 32 with a shared exponent.
    38 "MXFP4_MOE" MXFP4;
    /// Matrices have 4-bit floats in blocks of 16 with an 8-bit float as scale.
    39 "NVFP4" NVFP4;
    /// Matrices have one bit a weight, in blocks of 128 with a scale.
    40 "Q1_0" Q1_0;
    /// Matrices have two bits a weight, in blocks of 64 with a scale.
    41 "Q2_0" Q2_0;
};
