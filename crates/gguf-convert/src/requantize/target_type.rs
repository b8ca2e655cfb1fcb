//! The tensor types that can be chosen.

use alloc::{string::String, vec::Vec};

use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::{GGML_TYPES, GgmlType, GgmlTypeInfo};

/// Whether ggml makes whole tensors of a type (`ggml_quantize_chunk`). Q8_1 and Q8_K hold intermediate results.
pub(super) fn is_target(ggml_type: GgmlType) -> bool {
    let info = ggml_type.info().filter(|info| !info.is_removed());
    info.is_some_and(can_be_made)
}

fn can_be_made(info: &GgmlTypeInfo) -> bool {
    !matches!(info.name, "Q8_1" | "Q8_K" | "F64" | "I8" | "I16" | "I32" | "I64")
}

/// Whether a type is one of blocks or of few bits (`ggml_is_quantized`).
pub(super) fn is_quantized_type(ggml_type: GgmlType) -> bool {
    !matches!(
        ggml_type,
        GgmlType::F32
            | GgmlType::F16
            | GgmlType::BF16
            | GgmlType::F64
            | GgmlType::I8
            | GgmlType::I16
            | GgmlType::I32
            | GgmlType::I64
    )
}

/// Whether a quantizer needs importance for every row. Unlike [`quantizer`], this computes no tables.
pub(super) fn requires_importance(ggml_type: GgmlType) -> bool {
    matches!(ggml_type, GgmlType::IQ2_XXS | GgmlType::IQ2_XS | GgmlType::IQ1_S)
}

/// The tensor type with a name, in upper or lower case: `"q4_K"`.
///
/// # Errors
///
/// `invalid-argument` if no type has the name, or if tensors cannot be converted to it.
///
/// # Examples
///
/// ```
/// use gguf_convert::requantize::parse_tensor_type;
/// use gguf_format::GgmlType;
///
/// assert_eq!(parse_tensor_type("q4_k")?, GgmlType::Q4_K);
/// assert!(parse_tensor_type("q8_1").is_err());
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn parse_tensor_type(name: &str) -> Result<GgmlType> {
    let info = GGML_TYPES.iter().find(|info| !info.is_removed() && info.name.eq_ignore_ascii_case(name));
    let Some(info) = info else {
        return Err(error!(InvalidArgument: "there is no tensor type \"{name}\": expected {}", names()));
    };
    let ggml_type = GgmlType(info.id);
    if is_target(ggml_type) { Ok(ggml_type) } else { Err(no_target(ggml_type)) }
}

#[cold]
pub(super) fn no_target(ggml_type: GgmlType) -> Error {
    error!(InvalidArgument: "tensors cannot be converted to {ggml_type}: expected {}", names())
}

fn names() -> String {
    tensor_type_names().collect::<Vec<_>>().join(", ")
}

/// The names of the types that tensors can be converted to.
pub fn tensor_type_names() -> impl Iterator<Item = &'static str> {
    GGML_TYPES.iter().filter(|info| is_target(GgmlType(info.id))).map(|info| info.name)
}

/// The length in bytes of a row. `None` if the row is not made of whole blocks.
pub(super) fn row_bytes(ggml_type: GgmlType, row_length: u64) -> Option<u64> {
    ggml_type.byte_length(row_length, row_length)
}

/// The number of elements in a block; 1 for types that ggml does not have.
pub(super) fn block_size(ggml_type: GgmlType) -> u64 {
    ggml_type.info().map_or(1, |info| u64::from(info.block_size).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gguf_format::tensor::quantizer;

    #[test]
    fn every_target_has_a_quantizer_that_agrees() {
        for info in GGML_TYPES {
            let ggml_type = GgmlType(info.id);
            if is_target(ggml_type) {
                let quantizer = quantizer(ggml_type).unwrap();
                assert_eq!(quantizer.requires_importance(), requires_importance(ggml_type), "{}", info.name);
            }
        }
        assert_eq!(tensor_type_names().count(), 28);
    }
}
