//! The types that replace types whose blocks do not fit into the rows of a tensor (`tensor_type_fallback`).

use super::target_type::block_size;
use gguf_format::format::ggml_type::GgmlType;

/// The type that a tensor gets instead of `ggml_type`: the same type if rows of `row_length` elements are made of whole blocks of
/// it, F16 if they are made of no whole blocks. `None` for types of larger blocks for which `llama-quantize` has no replacement.
pub(super) fn fitting_type(ggml_type: GgmlType, row_length: u64) -> Option<GgmlType> {
    let fits = |ggml_type| row_length.is_multiple_of(block_size(ggml_type));
    if fits(ggml_type) {
        return Some(ggml_type);
    }
    let smaller_blocks = match ggml_type {
        GgmlType::IQ1_S
        | GgmlType::IQ1_M
        | GgmlType::IQ2_XXS
        | GgmlType::IQ2_XS
        | GgmlType::IQ2_S
        | GgmlType::IQ3_XXS
        | GgmlType::IQ3_S
        | GgmlType::IQ4_XS => GgmlType::IQ4_NL,
        GgmlType::Q2_0 | GgmlType::Q2_K | GgmlType::Q3_K | GgmlType::TQ1_0 | GgmlType::TQ2_0 => GgmlType::Q4_0,
        GgmlType::Q4_K => GgmlType::Q5_0,
        GgmlType::Q5_K => GgmlType::Q5_1,
        GgmlType::Q6_K => GgmlType::Q8_0,
        _ if block_size(ggml_type) <= 32 => ggml_type,
        _ => return None,
    };
    Some(if fits(smaller_blocks) { smaller_blocks } else { GgmlType::F16 })
}
