//! The list of tensors.

use alloc::vec::Vec;
use core::ops::Range;

use super::item::{Incomplete, Item};
use super::refusal::refusal;
use crate::error::{ErrorCode, Result};
use crate::format::ggml_type::GgmlType;
use crate::limits::{Limits, MAX_FILE_SIZE};
use crate::write::writer::Writer;

/// The multiple in the file at which the tensor infos and the data of a tensor begin, in bytes.
pub(super) const ALIGNMENT: u64 = 64;

/// A tensor info.
pub(super) struct DraftTensor<'a> {
    /// The offset of the tensor info in the file.
    at: u64,
    name: &'a [u8],
    dimensions: Vec<u64>,
    element_count: u64,
    type_id: u32,
    /// The offset of the data in the file.
    offset: u64,
}

impl<'a> DraftTensor<'a> {
    /// Reads the bytes of a tensor info.
    pub fn read(item: &mut Item<'a>, limits: &Limits) -> core::result::Result<Result<Self>, Incomplete> {
        let at = item.offset();
        let name_length = item.u32()?;
        let name = item.bytes(name_length.into())?;
        let count_at = item.offset();
        let count = item.u32()?.into();
        if count > limits.dimension_count {
            let expected = "a number of dimensions within the limit";
            return Ok(Err(refusal(ErrorCode::BadStructure, "a tensor info", count_at, count, expected)));
        }
        let mut dimensions = Vec::new();
        for _ in 0..count {
            dimensions.push(item.u32()?.into());
        }
        let (element_count, type_id, offset) = (item.u32()?.into(), item.u32()?, item.u64()?);
        Ok(Ok(Self { at, name, dimensions, element_count, type_id, offset }))
    }

    /// Adds the tensor to the new file. Returns where its data lies.
    pub fn add_to(&self, writer: &mut Writer) -> Result<Range<u64>> {
        let refused = |code, found, expected| Err(refusal(code, "a tensor info", self.at, found, expected));
        let elements = self.dimensions.iter().try_fold(1, |product: u64, extent| product.checked_mul(*extent));
        if elements != Some(self.element_count) {
            return refused(ErrorCode::BadStructure, self.element_count, "as many elements as the dimensions have");
        }
        if !self.offset.is_multiple_of(ALIGNMENT) || self.offset > MAX_FILE_SIZE {
            return refused(ErrorCode::BadStructure, self.offset, "an offset that is a multiple of 64");
        }
        let Some(ggml_type) = type_of_id(self.type_id) else {
            return refused(ErrorCode::UnknownType, self.type_id.into(), "a type of the draft: 0 to 3, or 6 to 18");
        };
        let index = writer.add_tensor(self.name, &self.dimensions, ggml_type).map_err(|error| error.at(self.at))?;
        let length = writer.tensor(index).map_or(0, |tensor| tensor.byte_length());
        Ok(self.offset..self.offset + length)
    }
}

/// The type with a number in the draft. Plain integers have other numbers today. Blocks are those of GGUF.
fn type_of_id(id: u32) -> Option<GgmlType> {
    Some(match id {
        0..=3 | 6..=15 => GgmlType(id),
        16 => GgmlType::I8,
        17 => GgmlType::I16,
        18 => GgmlType::I32,
        _ => return None,
    })
}
