//! The tensor types that `llama-quantize` gives the tensors of each file type (`src/llama-quant.cpp`, October 2026).

use super::table::FileTypeInfo;
use super::type_set::TypeSet;
use gguf_format::format::ggml_type::GgmlType;

const FLOATS: TypeSet = TypeSet::of(&[GgmlType::F32, GgmlType::F16, GgmlType::BF16]);

/// The types that the embeddings and the output get in files of other types.
pub(super) const TYPES_OF_OUTPUT: TypeSet = FLOATS.with(TypeSet::of(&[GgmlType::Q5_K, GgmlType::Q6_K, GgmlType::Q8_0]));

/// The types of tensors that a converter takes over from the original model, whatever the file type.
pub(super) const TYPES_OF_ORIGINAL: TypeSet = TypeSet::of(&[GgmlType::MXFP4, GgmlType::NVFP4]);

pub(super) fn is_float(ggml_type: GgmlType) -> bool {
    FLOATS.has(ggml_type)
}

/// The types that the matrices of the blocks can have in a file of a type, besides fallbacks. Floats are for matrices that
/// are never quantized, such as routers. `has_eight_bits` says whether the architecture has matrices that get at least 8 bits.
pub(super) fn mixture(info: &FileTypeInfo, has_eight_bits: bool) -> TypeSet {
    let own = TypeSet::of(&[info.tensor_type]);
    if is_float(info.tensor_type) {
        // Small matrices stay F32, also in files of other floats.
        return own.with(TypeSet::of(&[GgmlType::F32]));
    }
    // With 8 experts, the matrices of keys and values get 8 bits, and those of the attention's output 5. With 70 billion
    // parameters, the matrices of values get 5 bits.
    const Q8_0: TypeSet = TypeSet::of(&[GgmlType::Q8_0]);
    const Q5_K: TypeSet = TypeSet::of(&[GgmlType::Q5_K]);
    const Q4_K: TypeSet = TypeSet::of(&[GgmlType::Q4_K]);
    let more = match info.name {
        "Q4_0" => TypeSet::of(&[GgmlType::Q4_1]).with(Q8_0),
        "Q5_0" => TypeSet::of(&[GgmlType::Q5_1]).with(Q8_0),
        "Q2_K" => TypeSet::of(&[GgmlType::Q3_K]).with(Q4_K).with(Q5_K).with(Q8_0),
        "Q2_K_S" | "Q3_K_M" | "Q3_K_L" | "IQ3_S" | "IQ3_M" => Q4_K.with(Q5_K).with(Q8_0),
        "Q3_K_S" | "Q4_K_S" | "IQ4_NL" | "IQ4_XS" => Q5_K.with(Q8_0),
        "Q4_K_M" => TypeSet::of(&[GgmlType::Q6_K]).with(Q5_K).with(Q8_0),
        "Q5_K_M" => TypeSet::of(&[GgmlType::Q6_K]).with(Q8_0),
        "IQ1_S" | "IQ1_M" => TypeSet::of(&[GgmlType::IQ2_XXS, GgmlType::Q2_K]).with(Q4_K).with(Q5_K),
        "IQ2_XXS" | "IQ2_XS" => TypeSet::of(&[GgmlType::Q2_K]).with(Q4_K).with(Q5_K),
        "IQ2_S" | "IQ2_M" => TypeSet::of(&[GgmlType::IQ3_S]).with(Q4_K).with(Q5_K),
        "IQ3_XXS" => TypeSet::of(&[GgmlType::IQ2_S, GgmlType::IQ3_S, GgmlType::Q3_K]).with(Q4_K).with(Q5_K).with(Q8_0),
        "IQ3_XS" => TypeSet::of(&[GgmlType::IQ3_XXS]).with(Q4_K).with(Q5_K).with(Q8_0),
        _ => Q8_0,
    };
    let eight_bits = if has_eight_bits { Q8_0 } else { TypeSet::EMPTY };
    own.with(more).with(eight_bits).with(FLOATS)
}

/// The types that stand for a type in a matrix whose rows are not made of whole blocks of it. Earlier versions of
/// `llama-quantize` took other ones of 4 bits. F16 stands for types in rows that do not fit any quantized type, and for
/// ternary types, for which the converter takes it. F32 does not: small matrices such as convolutions are always F32.
pub(super) fn stand_ins(ggml_type: GgmlType, row_length: u64) -> TypeSet {
    let block_size = ggml_type.info().map_or(0, |info| u64::from(info.block_size));
    if block_size == 0 || row_length.is_multiple_of(block_size) {
        return TypeSet::EMPTY;
    }
    let types = match ggml_type {
        GgmlType::Q4_K => TypeSet::of(&[GgmlType::Q5_0]),
        GgmlType::Q5_K => TypeSet::of(&[GgmlType::Q5_1]),
        GgmlType::Q6_K => TypeSet::of(&[GgmlType::Q8_0]),
        _ if block_size > 32 => TypeSet::of(&[GgmlType::IQ4_NL, GgmlType::Q4_0, GgmlType::Q4_1]),
        _ => TypeSet::EMPTY,
    };
    let is_ternary = matches!(ggml_type, GgmlType::TQ1_0 | GgmlType::TQ2_0);
    if is_ternary || !row_length.is_multiple_of(32) { types.with(TypeSet::of(&[GgmlType::F16])) } else { types }
}

/// The types that count as the type of a file, although they differ from it.
pub(super) fn replacements(ggml_type: GgmlType) -> TypeSet {
    match ggml_type {
        // A model without experts gets 8 bits.
        GgmlType::MXFP4 => TypeSet::of(&[GgmlType::Q8_0]),
        // Some publishers call their smallest files ternary, because these have less than 2 bits a weight.
        GgmlType::TQ1_0 | GgmlType::TQ2_0 => TypeSet::of(&[GgmlType::IQ1_S, GgmlType::IQ1_M, GgmlType::IQ2_XXS]),
        _ => TypeSet::EMPTY,
    }
}
