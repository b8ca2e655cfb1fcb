//! The list of tensors.

use alloc::vec::Vec;
use core::ops::Range;

use super::decoder::{ALIGNMENT, damaged};
use super::item::{Incomplete, Item};
use crate::error::shown::Shown;
use crate::error::{Result, error};
use crate::format::ggml_type::GgmlType;
use crate::limits::{Limits, MAX_FILE_SIZE};
use crate::write::writer::Writer;

/// A tensor info.
pub(super) struct DraftTensor<'a> {
    name: &'a [u8],
    dimensions: Vec<u64>,
    element_count: u32,
    type_id: u32,
    /// The offset of the data in the file.
    offset: u64,
}

impl<'a> DraftTensor<'a> {
    /// Reads the bytes of a tensor info.
    pub fn read(item: &mut Item<'a>, limits: &Limits) -> core::result::Result<Result<Self>, Incomplete> {
        let at = item.offset();
        let name_length = item.u32()?;
        let name = item.bytes(name_length)?;
        let count_at = item.offset();
        let count = item.u32()?;
        if u64::from(count) > limits.dimension_count {
            let most = limits.dimension_count;
            let found = format!("it has {count} dimensions, expected at most {most}");
            return Ok(Err(damaged(&format!("the tensor \"{}\" at offset {at:#x}", Shown(name)), count_at, &found)));
        }
        let mut dimensions = Vec::new();
        for _ in 0..count {
            dimensions.push(item.u32()?.into());
        }
        Ok(Ok(Self { name, dimensions, element_count: item.u32()?, type_id: item.u32()?, offset: item.u64()? }))
    }

    /// Adds the tensor to the new file. Returns where its data lies. `at` is the offset of the tensor info.
    pub fn add_to(&self, writer: &mut Writer, at: u64) -> Result<Range<u64>> {
        let what = format!("the tensor \"{}\" at offset {at:#x}", Shown(self.name));
        let elements = self.dimensions.iter().try_fold(1, |product: u64, extent| product.checked_mul(*extent));
        if elements != Some(self.element_count.into()) {
            let found = format!("its dimensions {:?} do not have {} elements", self.dimensions, self.element_count);
            return Err(damaged(&what, at, &found));
        }
        if !self.offset.is_multiple_of(ALIGNMENT) {
            let found = format!("its data begins at {:#x}, expected a multiple of {ALIGNMENT}", self.offset);
            return Err(damaged(&what, at, &found));
        }
        let Some(ggml_type) = type_of_id(self.type_id) else {
            return Err(
                error!(UnknownType: "cannot read {what}: its type is {}, which the draft does not have", self.type_id)
                    .at(at),
            );
        };
        let index = writer.add_tensor(self.name, &self.dimensions, ggml_type).map_err(|error| error.at(at))?;
        let length = writer.tensor(index).map_or(0, |tensor| tensor.byte_length());
        let end = self.offset.checked_add(length).filter(|end| *end <= MAX_FILE_SIZE);
        end.map(|end| self.offset..end).ok_or_else(|| damaged(&what, at, "its data would end beyond any file"))
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
