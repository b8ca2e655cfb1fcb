//! Numbers that are not finite, in the blocks of a tensor (`ggml_validate_row_data`).

use gguf_format::format::ggml_type::GgmlType;
use gguf_format::tensor::quant::finite::{BF16_EXPONENT, F16_EXPONENT, are_finite_16, are_finite_32};

/// The position of the first block that holds a number or a scale that is a NaN or an infinity. `blocks` are little-endian.
pub(super) fn first_broken_block(ggml_type: GgmlType, blocks: &[u8]) -> Option<usize> {
    let size = ggml_type.info().map_or(0, |info| info.type_size as usize);
    if size == 0 {
        return None;
    }
    match ggml_type {
        GgmlType::F32 => first_broken_number::<4>(blocks, are_finite_32),
        GgmlType::F16 => first_broken_number::<2>(blocks, |numbers| are_finite_16(numbers, F16_EXPONENT)),
        GgmlType::BF16 => first_broken_number::<2>(blocks, |numbers| are_finite_16(numbers, BF16_EXPONENT)),
        GgmlType::F64 => blocks.as_chunks().0.iter().position(|bytes| !f64::from_le_bytes(*bytes).is_finite()),
        GgmlType::Q8_K => {
            let mut blocks = blocks.chunks_exact(size);
            blocks.position(|block| block.first_chunk().is_some_and(|bytes| is_broken_f32(*bytes)))
        }
        // The exponent 255 is a NaN.
        GgmlType::MXFP4 => blocks.chunks_exact(size).position(|block| block[0] == 0xff),
        GgmlType::IQ1_M => blocks.chunks_exact(size).position(|block| is_broken_f16(iq1_m_scale(block))),
        _ => {
            let scales = scales_of(ggml_type);
            let is_broken =
                |block: &[u8]| scales.iter().any(|offset| is_broken_f16([block[*offset], block[*offset + 1]]));
            if scales.is_empty() { None } else { blocks.chunks_exact(size).position(is_broken) }
        }
    }
}

/// The offsets of the 16-bit floats in a block: the scale, and the minimum if there is one.
fn scales_of(ggml_type: GgmlType) -> &'static [usize] {
    match ggml_type {
        GgmlType::Q4_1 | GgmlType::Q5_1 | GgmlType::Q8_1 | GgmlType::Q4_K | GgmlType::Q5_K => &[0, 2],
        GgmlType::Q2_K => &[80, 82],
        GgmlType::Q3_K => &[108],
        GgmlType::Q6_K => &[208],
        GgmlType::TQ1_0 => &[52],
        GgmlType::TQ2_0 => &[64],
        GgmlType::Q1_0
        | GgmlType::Q2_0
        | GgmlType::Q4_0
        | GgmlType::Q5_0
        | GgmlType::Q8_0
        | GgmlType::IQ1_S
        | GgmlType::IQ2_XXS
        | GgmlType::IQ2_XS
        | GgmlType::IQ2_S
        | GgmlType::IQ3_XXS
        | GgmlType::IQ3_S
        | GgmlType::IQ4_NL
        | GgmlType::IQ4_XS => &[0],
        // Every scale of NVFP4 is a number, and integers are.
        _ => &[],
    }
}

/// The scale of an IQ1_M block: the highest 4 bits of four numbers of 16 bits.
fn iq1_m_scale(block: &[u8]) -> [u8; 2] {
    let nibble = |index: usize| block[48 + 2 * index + 1] >> 4;
    [nibble(0) | nibble(1) << 4, nibble(2) | nibble(3) << 4]
}

fn is_broken_f32(bytes: [u8; 4]) -> bool {
    !are_finite_32(&bytes)
}

fn is_broken_f16(bytes: [u8; 2]) -> bool {
    !are_finite_16(&bytes, F16_EXPONENT)
}

/// The position of the first number of `N` bytes that is not finite.
fn first_broken_number<const N: usize>(numbers: &[u8], are_finite: impl Fn(&[u8]) -> bool) -> Option<usize> {
    if are_finite(numbers) {
        return None;
    }
    numbers.chunks_exact(N).position(|number| !are_finite(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gguf_format::format::ggml_type::GGML_TYPES;

    #[test]
    fn a_broken_scale_is_found_in_the_block_that_has_it() {
        for info in GGML_TYPES.iter().filter(|info| !info.is_removed()) {
            let (ggml_type, size) = (GgmlType(info.id), info.type_size as usize);
            let mut blocks = vec![0x11; 3 * size];
            assert_eq!(first_broken_block(ggml_type, &blocks), None, "{}", info.name);
            // All bits set: a NaN in every field.
            blocks[size..2 * size].fill(0xff);
            let has_no_floats = matches!(info.name, "I8" | "I16" | "I32" | "I64" | "NVFP4");
            assert_eq!(first_broken_block(ggml_type, &blocks), (!has_no_floats).then_some(1), "{}", info.name);
        }
    }

    #[test]
    fn every_scale_counts() {
        for info in GGML_TYPES.iter().filter(|info| !info.is_removed()) {
            for offset in scales_of(GgmlType(info.id)) {
                let mut block = vec![0; info.type_size as usize];
                // An infinity.
                block[offset + 1] = 0x7c;
                assert_eq!(first_broken_block(GgmlType(info.id), &block), Some(0), "{} at {offset}", info.name);
            }
        }
    }
}
