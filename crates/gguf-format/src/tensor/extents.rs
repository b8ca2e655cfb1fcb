//! The extent of each tensor: the range of the file that holds its data.
//!
//! Reading, editing, the checks and the page all use this module, so that they agree.
//!
//! - If the size of a tensor can be computed, its extent has that many bytes, from its offset on.
//! - A tensor of 0 bytes has an empty extent. Its offset is ignored, so it does not end the extent of another tensor.
//! - If the size cannot be computed, the extent has at least one byte. It ends at the next tensor with data, or at the end
//!   of the file. It includes the padding, which cannot be told from data.

use alloc::vec::Vec;
use core::ops::Range;

use crate::format::header::{Header, TensorInfo};
use crate::limits::MAX_FILE_SIZE;
use crate::order::sort;
use gguf_declare::result;

/// The extents of the tensors of one header.
#[doc(hidden)]
pub struct Extents {
    /// The offsets of all tensors with data, in ascending order. Empty if all sizes can be computed, because no extent
    /// depends on another tensor then.
    offsets: Vec<u64>,
}

result! {
    /// Where the data of a tensor lies: from `start` to before `end`, in bytes from the start of the file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TensorExtent {
        /// The offset of the first byte.
        pub start: u64,
        /// Equal to `start` for a tensor of 0 bytes, whose offset is ignored.
        pub end: u64,
        /// Whether the file has all of the data. `true` if the size of the file is not known.
        pub is_complete: bool,
    }
}

/// Why a tensor has no extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum NoExtent {
    /// The file ends before the end of the data.
    Incomplete,
    /// The data ends at the end of the file, but the size of the file is unknown.
    FileSizeUnknown,
}

impl Extents {
    /// The extents of a header's tensors.
    ///
    /// # Errors
    ///
    /// The number of bytes that could not be allocated.
    pub fn new(header: &Header) -> Result<Self, u64> {
        let mut offsets = Vec::new();
        if header.tensors().any(|tensor| tensor.byte_length().is_none()) {
            let count = header.tensors().len();
            offsets.try_reserve_exact(count).map_err(|_| count as u64 * 8)?;
            let with_data = header.tensors().filter(|tensor| tensor.byte_length() != Some(0));
            offsets.extend(with_data.map(|tensor| tensor.offset()));
            offsets = sort(offsets);
        }
        Ok(Self { offsets })
    }

    /// The extent of a tensor; `0..0` for a tensor of 0 bytes. If `file_size` is unknown, a tensor whose size can be computed
    /// is assumed to be complete.
    pub fn of(&self, tensor: &TensorInfo<'_>, file_size: Option<u64>) -> Result<Range<u64>, NoExtent> {
        if tensor.byte_length() == Some(0) {
            return Ok(0..0);
        }
        let start = tensor.file_offset().ok_or(NoExtent::Incomplete)?;
        let least_end = least_end(tensor).ok_or(NoExtent::Incomplete)?;
        if file_size.is_some_and(|size| least_end > size) {
            return Err(NoExtent::Incomplete);
        }
        if tensor.byte_length().is_some() {
            return Ok(start..least_end);
        }
        let next = self.offsets.get(self.offsets.partition_point(|offset| *offset <= tensor.offset()));
        let next = next.and_then(|next| start.checked_add(next - tensor.offset()));
        match (next, file_size) {
            (Some(next), Some(size)) => Ok(start..next.min(size)),
            (Some(end), None) | (None, Some(end)) => Ok(start..end),
            (None, None) => Err(NoExtent::FileSizeUnknown),
        }
    }

    /// The extent of a tensor, also if the file ends before it. `None` if it is not known, or if it ends at 2^53 or beyond.
    pub fn described(&self, tensor: &TensorInfo<'_>, file_size: Option<u64>) -> Option<TensorExtent> {
        let extent = self.of(tensor, file_size);
        let (start, end) = match &extent {
            Ok(range) => (range.start, range.end),
            Err(NoExtent::Incomplete) => (tensor.file_offset()?, least_end(tensor)?),
            Err(NoExtent::FileSizeUnknown) => return None,
        };
        (end <= MAX_FILE_SIZE).then_some(TensorExtent { start, end, is_complete: extent.is_ok() })
    }

    /// The file offset after the data of all tensors and its padding; the end of the header if there are no tensors. Bytes
    /// after it belong to no tensor. Incomplete tensors are ignored.
    pub fn padded_end(&self, header: &Header, file_size: u64) -> u64 {
        let extents = header.tensors().filter_map(|tensor| self.of(&tensor, Some(file_size)).ok());
        extents.map(|extent| extent.end).max().map_or(header.header_size(), |end| padded(header, end)).min(file_size)
    }
}

/// The file offset after the data of a tensor, or after its first byte if the size cannot be computed; 0 for a tensor of 0
/// bytes. `None` if it does not fit in 64 bits.
#[doc(hidden)]
pub fn least_end(tensor: &TensorInfo<'_>) -> Option<u64> {
    match tensor.byte_length() {
        Some(0) => Some(0),
        length => tensor.file_offset()?.checked_add(length.unwrap_or(1)),
    }
}

/// The size of a file that has the header and the data of all tensors. Data whose size cannot be computed counts as one
/// byte. `None` if the size does not fit in 64 bits.
#[doc(hidden)]
pub fn required_size(header: &Header) -> Option<u64> {
    header.tensors().try_fold(header.header_size(), |size, tensor| Some(size.max(least_end(&tensor)?)))
}

/// The first tensor whose data does not lie completely in a file of `file_size` bytes.
#[doc(hidden)]
pub fn first_incomplete(header: &Header, file_size: u64) -> Option<TensorInfo<'_>> {
    header.tensors().find(|tensor| least_end(tensor).is_none_or(|end| end > file_size))
}

/// The file offset after the padding of data that ends at `end`. The alignment counts from the start of the data section.
/// `u64::MAX` if the result does not fit in 64 bits.
#[doc(hidden)]
pub fn padded(header: &Header, end: u64) -> u64 {
    let first = header.data_offset();
    let length = end.saturating_sub(first).checked_next_multiple_of(header.alignment());
    length.and_then(|length| first.checked_add(length)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decoder::parse;
    use crate::format::version::Format;
    use crate::write::encode::Encoder;

    const F32: u32 = 0;
    const UNKNOWN: u32 = 137;

    /// A header with one tensor for each type, number of elements, and offset.
    fn header(tensors: &[(u32, u64, u64)]) -> Header {
        let mut file = Encoder::new(Format::default());
        file.header(tensors.len() as u64, 0);
        for (index, (ggml_type, elements, offset)) in tensors.iter().enumerate() {
            file.tensor_info(&[b'a' + index as u8], &[*elements], *ggml_type, *offset);
        }
        parse(file.as_bytes()).unwrap()
    }

    /// The extents of all tensors, in bytes from the start of the data section, if the section has `size` bytes.
    fn extents(header: &Header, size: Option<u64>) -> Vec<Result<Range<u64>, NoExtent>> {
        let (extents, first) = (Extents::new(header).unwrap(), header.data_offset());
        let of = |tensor| {
            let extent = extents.of(&tensor, size.map(|size| first + size))?;
            Ok(if extent.is_empty() { extent } else { extent.start - first..extent.end - first })
        };
        header.tensors().map(of).collect()
    }

    #[test]
    fn a_computed_size_is_the_extent_whatever_follows() {
        let header = header(&[(F32, 8, 0), (F32, 4, 16), (F32, 1, 64)]);
        let whole = [Ok(0..32), Ok(16..32), Ok(64..68)];
        assert_eq!(extents(&header, Some(68)), whole);
        assert_eq!(extents(&header, None), whole);
        assert_eq!(extents(&header, Some(67)), [Ok(0..32), Ok(16..32), Err(NoExtent::Incomplete)]);
        assert_eq!(required_size(&header), Some(header.data_offset() + 68));
        assert_eq!(first_incomplete(&header, header.data_offset() + 67).map(|tensor| tensor.index()), Some(2));
        assert!(first_incomplete(&header, header.data_offset() + 68).is_none());
    }

    #[test]
    fn an_unknown_size_goes_up_to_the_next_tensor_with_data() {
        let header = header(&[(UNKNOWN, 8, 32), (F32, 0, 64), (F32, 1, 0), (F32, 1, 96)]);
        assert_eq!(extents(&header, Some(100)), [Ok(32..96), Ok(0..0), Ok(0..4), Ok(96..100)]);
        assert_eq!(extents(&header, None), [Ok(32..96), Ok(0..0), Ok(0..4), Ok(96..100)]);
        assert_eq!(extents(&header, Some(50))[0], Ok(32..50));
        assert_eq!(extents(&header, Some(33))[0], Ok(32..33));
        assert_eq!(extents(&header, Some(32))[0], Err(NoExtent::Incomplete));
    }

    #[test]
    fn the_last_unknown_size_goes_up_to_the_end_of_the_file() {
        for empty in [0, 32, 96, 1 << 40, u64::MAX] {
            let header = header(&[(UNKNOWN, 8, 0), (F32, 0, empty)]);
            assert_eq!(extents(&header, Some(96)), [Ok(0..96), Ok(0..0)]);
            assert_eq!(extents(&header, None), [Err(NoExtent::FileSizeUnknown), Ok(0..0)]);
            let file_size = header.data_offset() + 96;
            assert_eq!(Extents::new(&header).unwrap().padded_end(&header, file_size), file_size);
            assert_eq!(required_size(&header), Some(header.data_offset() + 1));
        }
    }

    #[test]
    fn two_unknown_sizes_at_one_offset_have_the_same_extent() {
        let header = header(&[(UNKNOWN, 8, 0), (UNKNOWN, 8, 0), (F32, 1, 32)]);
        assert_eq!(extents(&header, Some(64))[..2], [Ok(0..32), Ok(0..32)]);
    }

    #[test]
    fn positions_beyond_64_bits_are_incomplete() {
        let header = header(&[(F32, 8, u64::MAX - 8), (UNKNOWN, 8, u64::MAX)]);
        assert_eq!(extents(&header, Some(1 << 60)), [Err(NoExtent::Incomplete), Err(NoExtent::Incomplete)]);
        assert_eq!(required_size(&header), None);
    }

    #[test]
    fn padding_counts_from_the_start_of_the_data_section() {
        let header = header(&[(F32, 9, 0)]);
        let first = header.data_offset();
        let end = |file_size| Extents::new(&header).unwrap().padded_end(&header, file_size);
        assert_eq!((end(first + 100), end(first + 64), end(first + 40)), (first + 64, first + 64, first + 40));
        assert_eq!(padded(&header, u64::MAX), u64::MAX);
        assert_eq!((padded(&header, 0), padded(&header, first)), (first, first));
        let empty = parse(Encoder::new(Format::default()).header(0, 0).as_bytes()).unwrap();
        assert_eq!(Extents::new(&empty).unwrap().padded_end(&empty, 100), empty.header_size());
    }
}
