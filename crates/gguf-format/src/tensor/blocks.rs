//! Which bytes of the file hold a tensor's elements.

use core::fmt::Display;
use core::ops::Range;

use super::extents::{Extents, NoExtent};
use super::unit::Unit;
use crate::error::{Error, Result, error};
use crate::format::ggml_type::Layout;
use crate::format::header::{Header, TensorInfo};
use crate::limits::MAX_FILE_SIZE;

/// The blocks of a tensor whose type is known.
#[doc(hidden)]
pub struct Blocks {
    /// The parts that are read and converted: the blocks, or groups of rows.
    pub unit: Unit,
    /// The number of elements.
    pub element_count: u64,
    /// The position of the first block in the file.
    first: u64,
}

impl Blocks {
    /// The blocks of a tensor. Fails with `unknown-type` if they are not known.
    pub fn of(header: &Header, tensor: &TensorInfo<'_>) -> Result<Self> {
        Self::if_known(header, tensor)?.ok_or_else(|| unknown_blocks(tensor))
    }

    /// The blocks of a tensor, if its type is known and rows are whole blocks. Fails if the data begins beyond any file.
    pub fn if_known(header: &Header, tensor: &TensorInfo<'_>) -> Result<Option<Self>> {
        let info = tensor.type_info().filter(|info| !info.is_removed());
        let element_count = tensor.element_count().filter(|count| *count <= MAX_FILE_SIZE);
        // The offset of a tensor without data is ignored.
        let first = if tensor.byte_length() == Some(0) { Some(0) } else { tensor.file_offset() };
        match (first.filter(|first| *first <= MAX_FILE_SIZE), info, element_count) {
            (None, ..) | (_, Some(_), None) => Err(truncated(header, tensor)),
            (Some(first), Some(info), Some(element_count)) if tensor.byte_length().is_some() => {
                Ok(Unit::of(info, tensor).map(|unit| Self { unit, element_count, first }))
            }
            _ => Ok(None),
        }
    }

    /// Checks that the tensor has these elements.
    pub fn check(&self, tensor: &TensorInfo<'_>, elements: &Range<u64>) -> Result<()> {
        match elements.start <= elements.end && elements.end <= self.element_count {
            true => Ok(()),
            false => Err(self.out_of_range(tensor, &elements.start, &elements.end)),
        }
    }

    /// The error of elements that the tensor does not have.
    pub fn out_of_range(&self, tensor: &TensorInfo<'_>, start: &dyn Display, end: &dyn Display) -> Error {
        error!(OutOfRange:
            "\"{}\": the elements cannot be read: start is {start} and end is {end}, expected integers with 0 <= start \
             <= end <= {}", tensor.name(), self.element_count)
    }

    /// The range of the file with the whole blocks that hold some elements.
    pub fn bytes(
        &self,
        header: &Header,
        tensor: &TensorInfo<'_>,
        elements: &Range<u64>,
        file_size: Option<u64>,
    ) -> Result<Range<u64>> {
        let (block_size, type_size) = (self.unit.elements, self.unit.bytes);
        let last = if elements.is_empty() { elements.start / block_size } else { elements.end.div_ceil(block_size) };
        let position = |block: u64| self.first.checked_add(block.checked_mul(type_size)?);
        let range = position(elements.start / block_size).zip(position(last)).map(|(start, end)| start..end);
        range.filter(|range| is_within(range, file_size)).ok_or_else(|| truncated(header, tensor))
    }

    /// The least number of bytes from `bytes` on that is a number of whole blocks.
    pub fn round_up(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.unit.bytes)
    }

    /// The first element of the block at a position of the file.
    pub fn element_at(&self, position: u64) -> u64 {
        (position - self.first) / self.unit.bytes * self.unit.elements
    }
}

/// The error of a tensor whose blocks are not known.
#[doc(hidden)]
pub fn unknown_blocks(tensor: &TensorInfo<'_>) -> Error {
    let why = match tensor.type_info() {
        Some(info) if info.layout != Layout::BLOCKS => {
            "the file does not say how its numbers lie, or a row is too long"
        }
        Some(info) if !info.is_removed() => "its rows are not whole blocks",
        Some(_) => "ggml has removed this type",
        None => "the blocks of this type are not known",
    };
    let (name, ggml_type) = (tensor.name(), tensor.type_name());
    error!(UnknownType:
        "\"{name}\": the elements of type {ggml_type} cannot be read: {why}. readBytes() without start and end reads \
         the whole tensor as stored")
}

/// The range of the file with all bytes of a tensor whose blocks are not known.
pub(crate) fn extent(
    header: &Header,
    extents: &Extents,
    tensor: &TensorInfo<'_>,
    file_size: Option<u64>,
) -> Result<Range<u64>> {
    match extents.of(tensor, file_size) {
        Ok(range) if is_within(&range, file_size) => Ok(range),
        Ok(_) | Err(NoExtent::Incomplete) => Err(truncated(header, tensor)),
        Err(NoExtent::FileSizeUnknown) => Err(error!(SizeUnknown:
            "\"{}\": the tensor cannot be read: it ends with the file, whose size is not known. Open the file from a \
             source that tells its size", tensor.name())),
    }
}

fn is_within(range: &Range<u64>, file_size: Option<u64>) -> bool {
    range.end <= MAX_FILE_SIZE && file_size.is_none_or(|size| range.end <= size)
}

fn truncated(header: &Header, tensor: &TensorInfo<'_>) -> Error {
    let message = format!(
        "\"{}\": the data cannot be read: it reaches beyond the end of the file, which is truncated. Download the file again",
        tensor.name()
    );
    let first = tensor.file_offset().filter(|first| *first <= MAX_FILE_SIZE);
    file_ends(&message, first.unwrap_or_else(|| header.data_offset()))
}

/// The file ends before data that was to be read at `offset`.
#[cold]
pub(crate) fn file_ends(message: &str, offset: u64) -> Error {
    error!(UnexpectedEof: "{message} (at offset {offset:#x})").at(offset)
}
