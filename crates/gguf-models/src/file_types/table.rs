//! The values of `general.file_type`, in one table.
//!
//! Ids and names come from llama.cpp's `llama_ftype` (`include/llama.h`, August 2026), which gguf-py calls `LlamaFileType`. The
//! tensor type is the one that `llama-quantize` takes by default (`llama_ftype_get_default_type`). The numbers differ from
//! those of tensor types.

use gguf_declare::result;
use gguf_format::format::ggml_type::GgmlType;

result! {
    /// A file type: a value of the key `general.file_type`. It says which quantization most tensors of a file have.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::GgmlType;
    /// use gguf_models::file_types::file_type_info;
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
        /// Another name that `llama-quantize` accepts for the type: `"Q4_K"` for Q4_K_M.
        #[rust]
        pub alias: Option<&'static str>,
        /// What files of this type are good for, in one sentence. `None` if `llama-quantize` does not make such files.
        #[rust]
        pub advice: Option<&'static str>,
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
    ($(
        $(#[doc = $description:literal])+
        $id:literal $name:literal $tensor_type:ident $($removed:ident)? $(, alias $alias:literal)? $(, for $advice:literal)?;
    )*) => {
        &[$(FileTypeInfo {
            id: $id,
            name: $name,
            tensor_type: GgmlType::$tensor_type,
            is_removed: file_types!(@ $($removed)?),
            description: concat!($($description),+).trim_ascii(),
            alias: file_types!(@ text $($alias)?),
            advice: file_types!(@ text $($advice)?),
        },)*]
    };
    (@ text $text:literal) => { Some($text) };
    (@ text) => { None };
    (@ removed) => { true };
    (@) => { false };
}

/// Every file type that llama.cpp has or had, by id.
pub const FILE_TYPES: &[FileTypeInfo] = file_types! {
    /// All tensors are 32-bit floats.
    0 "F32" F32,
        for "The exact numbers, for further conversions; twice the size of F16 without a better model.";
    /// Matrices are 16-bit floats; vectors stay F32.
    1 "F16" F16,
        for "Nearly the exact numbers, and the usual source for quantizing.";
    /// Matrices have 4-bit blocks of 32 with a scale.
    2 "Q4_0" Q4_0,
        for "Fast on processors without a GPU, because llama.cpp repacks it; more loss than Q4_K_M.";
    /// Matrices have 4-bit blocks of 32 with a scale and a minimum.
    3 "Q4_1" Q4_1,
        for "An older type with slightly less loss than Q4_0; Q4_K_M is better at this size.";
    /// Like Q4_1, but embeddings and output are 16-bit floats.
    4 "Q4_1_SOME_F16" Q4_1 removed;
    /// An early 4-bit type with blocks of 16.
    5 "Q4_2" Q4_2 removed;
    /// An early 4-bit type with blocks of 16 and a minimum.
    6 "Q4_3" Q4_3 removed;
    /// Matrices have 8-bit blocks of 32 with a scale.
    7 "Q8_0" Q8_0,
        for "Hardly any loss, and fast everywhere: the choice if memory allows it.";
    /// Matrices have 5-bit blocks of 32 with a scale.
    8 "Q5_0" Q5_0,
        for "An older type; Q5_K_S is better at this size.";
    /// Matrices have 5-bit blocks of 32 with a scale and a minimum.
    9 "Q5_1" Q5_1,
        for "An older type; Q5_K_M is better at this size.";
    /// Mostly 2-bit K-quants; sensitive matrices have 3 or more bits.
    10 "Q2_K" Q2_K,
        for "Very small, with large loss; use an importance matrix.";
    /// 3-bit K-quants, small: nearly all matrices have this type.
    11 "Q3_K_S" Q3_K,
        for "Small, with considerable loss; IQ3_S is better at the same size.";
    /// 3-bit K-quants, medium: some attention and output matrices have more bits.
    12 "Q3_K_M" Q3_K, alias "Q3_K",
        for "Small, with noticeable loss.";
    /// 3-bit K-quants, large: most attention and output matrices have 5 bits.
    13 "Q3_K_L" Q3_K,
        for "For memory that Q4_K_S does not fit; noticeable loss.";
    /// 4-bit K-quants, small: nearly all matrices have this type.
    14 "Q4_K_S" Q4_K,
        for "Slightly smaller than Q4_K_M, with slightly more loss.";
    /// 4-bit K-quants, medium: half of the sensitive matrices have 6 bits.
    15 "Q4_K_M" Q4_K, alias "Q4_K",
        for "The best balance of size and quality for most uses.";
    /// 5-bit K-quants, small: nearly all matrices have this type.
    16 "Q5_K_S" Q5_K,
        for "Little loss, slightly smaller than Q5_K_M.";
    /// 5-bit K-quants, medium: half of the sensitive matrices have 6 bits.
    17 "Q5_K_M" Q5_K, alias "Q5_K",
        for "Little loss: a good choice if the file fits.";
    /// All matrices are 6-bit K-quants.
    18 "Q6_K" Q6_K,
        for "Very little loss, at three quarters of the size of Q8_0.";
    /// About 2.06 bits a weight, from a table of patterns; needs an importance matrix.
    19 "IQ2_XXS" IQ2_XXS,
        for "About 2.1 bits, for very large models; needs an importance matrix, and loses much.";
    /// About 2.31 bits a weight, from a table of patterns; needs an importance matrix.
    20 "IQ2_XS" IQ2_XS,
        for "About 2.3 bits, for large models that nothing else makes fit; needs an importance matrix.";
    /// 2-bit K-quants, small; needs an importance matrix.
    21 "Q2_K_S" Q2_K,
        for "Smaller than Q2_K, with larger loss; needs an importance matrix.";
    /// About 3.3 bits a weight: IQ3_S, with IQ3_XXS for some matrices.
    22 "IQ3_XS" IQ3_S,
        for "About 3.3 bits with an importance matrix; slower without a GPU.";
    /// About 3.06 bits a weight, from a table of patterns.
    23 "IQ3_XXS" IQ3_XXS,
        for "About 3.1 bits with an importance matrix; noticeable loss.";
    /// About 1.56 bits a weight, from a table of patterns; needs an importance matrix.
    24 "IQ1_S" IQ1_S,
        for "About 1.6 bits, the smallest general type; needs an importance matrix, and loses most.";
    /// 4-bit blocks of 32 whose 16 levels are not evenly spaced.
    25 "IQ4_NL" IQ4_NL,
        for "Better than Q4_0 at the same size, also for rows that are no multiple of 256 elements.";
    /// About 3.44 bits a weight, from a table of patterns.
    26 "IQ3_S" IQ3_S,
        for "Better than Q3_K_S at the same size; slower without a GPU.";
    /// About 3.66 bits a weight: IQ3_S, with more bits for sensitive matrices.
    27 "IQ3_M" IQ3_S,
        for "The best quality of the types with about 3.7 bits; slower without a GPU.";
    /// About 2.5 bits a weight: IQ2_XS, with more bits for sensitive matrices.
    28 "IQ2_S" IQ2_XS,
        for "About 2.5 bits; needs an importance matrix, and loses much.";
    /// About 2.7 bits a weight: IQ2_S, with more bits for sensitive matrices.
    29 "IQ2_M" IQ2_S,
        for "The best quality of the types with about 2.7 bits; needs an importance matrix.";
    /// 4-bit blocks of 256 whose 16 levels are not evenly spaced.
    30 "IQ4_XS" IQ4_XS,
        for "Smaller than Q4_K_S with similar quality; slower without a GPU.";
    /// About 1.75 bits a weight, from a table of patterns; needs an importance matrix.
    31 "IQ1_M" IQ1_M,
        for "About 1.75 bits, for very large models that nothing else makes fit; needs an importance matrix.";
    /// Matrices are bfloat16; vectors stay F32.
    32 "BF16" BF16,
        for "The exact numbers of models that were trained in bfloat16.";
    /// Q4_0 with 4 rows interleaved by 4 bytes for Arm; now done at loading.
    33 "Q4_0_4_4" Q4_0_4_4 removed;
    /// Q4_0 with 4 rows interleaved by 8 bytes for Arm; now done at loading.
    34 "Q4_0_4_8" Q4_0_4_8 removed;
    /// Q4_0 with 8 rows interleaved by 8 bytes for Arm; now done at loading.
    35 "Q4_0_8_8" Q4_0_8_8 removed;
    /// Ternary weights, five in a byte: about 1.69 bits a weight.
    36 "TQ1_0" TQ1_0,
        for "The smallest files of models that were trained with ternary weights, such as BitNet; useless for others.";
    /// Ternary weights, four in a byte: about 2.06 bits a weight.
    37 "TQ2_0" TQ2_0,
        for "Fast files of models that were trained with ternary weights, such as BitNet; useless for others.";
    /// The experts have 4-bit floats in blocks of 32 with a shared exponent.
    38 "MXFP4_MOE" MXFP4,
        for "For mixtures of experts that were trained with MXFP4 experts, such as gpt-oss.";
    /// Matrices have 4-bit floats in blocks of 16 with an 8-bit float as scale.
    39 "NVFP4" NVFP4;
    /// Matrices have one bit a weight, in blocks of 128 with a scale.
    40 "Q1_0" Q1_0,
        for "For models that were trained with weights of one bit; useless for others.";
    /// Matrices have two bits a weight, in blocks of 64 with a scale.
    41 "Q2_0" Q2_0,
        for "For models that were trained with weights of two bits; useless for others.";
};
