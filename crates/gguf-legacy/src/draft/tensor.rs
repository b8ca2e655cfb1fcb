//! The list of tensors.

use alloc::vec::Vec;
use core::ops::Range;

use super::item::{Item, Read};
use super::refusal::refusal;
use gguf_format::error::ErrorCode;
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::limits::{Limits, MAX_FILE_SIZE};
use gguf_format::write::writer::Writer;

/// The multiple in the file at which the tensor infos and the data of a tensor begin, in bytes.
#[doc(hidden)]
pub const ALIGNMENT: u64 = 64;

/// Reads a tensor info, and adds the tensor to the new file. Returns where its data lies in the old one.
pub(super) fn read_tensor(item: &mut Item<'_>, limits: &Limits, writer: &mut Writer) -> Read<Range<u64>> {
    let at = item.offset();
    let refused = |code, found, expected| Err(refusal(code, "a tensor info", at, found, expected).into());
    let name_length = item.u32()?;
    let name = item.bytes(name_length.into())?;
    let count = item.u32()?.into();
    if count > limits.dimension_count {
        return refused(ErrorCode::BadStructure, count, "a number of dimensions within the limit");
    }
    let mut dimensions: Vec<u64> = Vec::new();
    for _ in 0..count {
        dimensions.push(item.u32()?.into());
    }
    let (element_count, type_id, offset) = (item.u32()?.into(), item.u32()?, item.u64()?);
    let elements = dimensions.iter().try_fold(1, |product: u64, extent| product.checked_mul(*extent));
    if elements != Some(element_count) {
        return refused(ErrorCode::BadStructure, element_count, "as many elements as the dimensions have");
    }
    if !offset.is_multiple_of(ALIGNMENT) || offset > MAX_FILE_SIZE {
        return refused(ErrorCode::BadStructure, offset, "an offset that is a multiple of 64");
    }
    let Some(ggml_type) = type_of_id(type_id) else {
        return refused(ErrorCode::UnknownType, type_id.into(), "a type of the draft: 0 to 3, or 6 to 18");
    };
    let index = writer.add_tensor(name, &dimensions, ggml_type).map_err(|error| error.at(at))?;
    let length = writer.tensor(index).map_or(0, |tensor| tensor.byte_length());
    Ok(offset..offset + length)
}

/// The type with a number in the draft. Integer types have other numbers in GGUF. All other types have the same numbers and blocks.
fn type_of_id(id: u32) -> Option<GgmlType> {
    Some(match id {
        0..=3 | 6..=15 => GgmlType(id),
        16 => GgmlType::I8,
        17 => GgmlType::I16,
        18 => GgmlType::I32,
        _ => return None,
    })
}
