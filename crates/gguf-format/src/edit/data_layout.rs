//! The layout of the data section, if the data of the tensors must be moved.

use alloc::vec::Vec;
use core::ops::Range;

use super::edited_header::EditedHeader;
use crate::error::{Error, Result, error, no_memory};
use crate::format::header::{Header, TensorInfo};
use crate::tensor::extents::{self, Extents, NoExtent};
use crate::write::plan::Segment;

/// Where the data of each tensor is in the edited file, and where it comes from.
pub(super) struct DataLayout {
    /// In the order of the tensors.
    pub tensors: Vec<PlacedTensor>,
    /// Whether zeros follow the last tensor, up to the alignment. A tensor whose size cannot be computed has no zeros after
    /// it, because they would become part of it.
    pub is_padded: bool,
    /// The bytes of the original file after the padding of its last tensor.
    pub trailing: Range<u64>,
    /// An upper bound of the number of segments that the plan needs for the data and for new offsets.
    pub max_segment_count: usize,
}

/// The data of one tensor in the edited file.
pub(super) struct PlacedTensor {
    /// The offset from the start of the data section.
    pub offset: u64,
    pub data: Segment,
}

/// Whether the data of the tensors must be moved. Otherwise the data section is copied as a whole, gaps included.
pub(super) fn must_move_data(header: &Header, edited: &EditedHeader) -> bool {
    edited.is_repacked
        || edited.alignment(header) != header.alignment()
        || edited.tensors.len() != header.tensors().len()
        || edited.format.endian != header.format().endian
}

/// Places the data of the tensors, each at the next multiple of the alignment.
pub(super) fn place_data(
    header: &Header,
    edited: &EditedHeader,
    alignment: u64,
    file_size: Option<u64>,
) -> Result<DataLayout> {
    let extents = Extents::new(header).map_err(no_memory)?;
    let changes_byte_order = edited.format.endian != header.format().endian;
    let (mut tensors, count) = (Vec::new(), edited.tensors.len());
    tensors.try_reserve_exact(count).map_err(|_| no_memory((count * size_of::<PlacedTensor>()) as u64))?;
    let (mut offset, mut is_padded) = (0_u64, count > 0);
    let (mut max_segment_count, mut copied_end) = (0, 0);
    for tensor in edited.tensors.iter().filter_map(|tensor| header.tensor_at(tensor.origin)) {
        let range = extents.of(&tensor, file_size).map_err(|error| match error {
            NoExtent::Incomplete => truncated(&tensor, file_size),
            NoExtent::FileSizeUnknown => size_unknown(),
        })?;
        if !range.is_empty() {
            is_padded = tensor.byte_length().is_some();
        }
        let length = range.end - range.start;
        let end = offset.checked_add(length).and_then(|end| end.checked_next_multiple_of(alignment));
        // A new offset is a segment between two copies. So is padding.
        max_segment_count += if offset == tensor.offset() { 0 } else { 2 };
        max_segment_count += if range.start == copied_end && length.is_multiple_of(alignment) { 0 } else { 2 };
        copied_end = range.end;
        let is_swapped = changes_byte_order && !range.is_empty();
        let data = if is_swapped { swap_segment(&tensor, range)? } else { Segment::Copy { source: 0, range } };
        tensors.push(PlacedTensor { offset, data });
        offset = end.ok_or_else(|| no_memory(u64::MAX))?;
    }
    let trailing = file_size.map_or(0..0, |size| extents.padded_end(header, size)..size);
    Ok(DataLayout { tensors, is_padded, trailing, max_segment_count })
}

/// The segment that converts the data of a tensor to the other byte order.
fn swap_segment(tensor: &TensorInfo<'_>, range: Range<u64>) -> Result<Segment> {
    let ggml_type = tensor.ggml_type();
    let info = tensor.type_info().filter(|info| info.is_convertible && tensor.byte_length().is_some());
    match info {
        Some(info) if info.fields.is_empty() => Ok(Segment::Copy { source: 0, range }),
        Some(_) => Ok(Segment::Swap { source: 0, range, ggml_type }),
        None => Err(error!(NoByteOrder:
            "cannot convert tensor \"{}\" to the other byte order: no tool defines the byte order of {} \
             blocks; remove the tensor or keep the byte order", tensor.name(), tensor.type_name())
        .at(tensor.range().start)),
    }
}

/// Checks that the original file has its whole header and the data of all its tensors.
pub(super) fn check_complete(header: &Header, file_size: u64) -> Result<()> {
    let header_size = header.header_size();
    if file_size < header_size {
        return Err(error!(Truncated:
            "cannot plan the edited file: the original file is truncated; it has {file_size} bytes, its header alone \
             has {header_size}")
        .at(file_size));
    }
    extents::first_incomplete(header, file_size).map_or(Ok(()), |tensor| Err(truncated(&tensor, Some(file_size))))
}

#[cold]
fn truncated(tensor: &TensorInfo<'_>, file_size: Option<u64>) -> Error {
    error!(Truncated:
        "cannot plan the edited file: the original file is truncated; it ends before the data of tensor \"{}\" does",
        tensor.name())
    .at(tensor.file_offset().or(file_size).unwrap_or(u64::MAX))
}

#[cold]
pub(super) fn size_unknown() -> Error {
    error!(SizeUnknown: "cannot plan the edited file: the size of the original file is not known")
}
