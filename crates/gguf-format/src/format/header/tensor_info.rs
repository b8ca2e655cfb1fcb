//! A tensor info: `gguf_tensor_info`.
//!
//! ```text
//! name             string
//! dimension count  u32
//! dimensions       lengths, fastest first
//! ggml type        u32
//! offset           u64, from the start of the data section
//! ```

use core::fmt;
use core::ops::Range;

use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};
use crate::format::storage::Storage;
use crate::format::value::Str;

/// The name, dimensions, type and data offset of a tensor.
#[derive(Clone, Copy)]
pub struct TensorInfo<'a> {
    storage: &'a Storage,
    index: usize,
    start: u64,
    name_end: u64,
    dimension_count: u32,
    /// File offset of the data section. `None` while the header arrives: the section begins after the last tensor info.
    data_offset: Option<u64>,
}

impl<'a> TensorInfo<'a> {
    /// The tensor info at file offset `start`, the one at position `index` in the file. `data_offset` is the file offset of
    /// the data section, if it is known.
    pub(super) fn new(storage: &'a Storage, index: usize, start: u64, data_offset: Option<u64>) -> Self {
        let name_end = storage.string_end(start);
        Self { storage, index, start, name_end, dimension_count: storage.u32(name_end), data_offset }
    }

    /// The position of the tensor info in the file.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub fn name(&self) -> Str<'a> {
        Str::new(self.storage, self.start..self.name_end)
    }

    /// The number of elements in each dimension, fastest first: ggml's `ne`.
    pub fn dimensions(&self) -> Dimensions<'a> {
        Dimensions { storage: self.storage, offset: self.name_end + 4, remaining: self.dimension_count as usize }
    }

    /// The type of the elements.
    pub fn ggml_type(&self) -> GgmlType {
        GgmlType(self.storage.u32(self.dimensions_end()))
    }

    /// The row of the type: from ggml's table, or from the table of the formats before GGUF, which have types that ggml does not have.
    pub fn type_info(&self) -> Option<&'static GgmlTypeInfo> {
        let ggml_type = self.ggml_type();
        ggml_type.info().or_else(|| self.storage.own_types.iter().find(|info| info.id == ggml_type.0))
    }

    /// The offset of the data, in bytes from the start of the data section.
    pub fn offset(&self) -> u64 {
        self.storage.u64(self.dimensions_end() + 4)
    }

    /// The offset of the data, in bytes from the start of the file. `None` if it does not fit in 64 bits, and while the
    /// header arrives.
    pub fn file_offset(&self) -> Option<u64> {
        self.data_offset?.checked_add(self.offset())
    }

    /// The number of elements; 1 if there are no dimensions. `None` if it does not fit in 64 bits.
    pub fn element_count(&self) -> Option<u64> {
        if self.dimensions().any(|extent| extent == 0) {
            return Some(0);
        }
        self.dimensions().try_fold(1, u64::checked_mul)
    }

    /// The size of the data in bytes. `None` if the type is unknown or removed, if the rows are not made of whole blocks, or
    /// if the size does not fit in 64 bits.
    pub fn byte_length(&self) -> Option<u64> {
        let row_length = self.dimensions().next().unwrap_or(1);
        self.type_info()?.byte_length(self.element_count()?, row_length)
    }

    /// The bytes of the tensor info in the file.
    pub fn range(&self) -> Range<u64> {
        self.start..self.dimensions_end() + 12
    }

    /// The file offsets of the fields after the name.
    #[doc(hidden)]
    pub fn fields(&self) -> TensorInfoFields {
        TensorInfoFields {
            dimension_count: self.name_end,
            dimensions: self.name_end + 4,
            ggml_type: self.dimensions_end(),
            offset: self.dimensions_end() + 4,
        }
    }

    fn dimensions_end(&self) -> u64 {
        self.name_end + 4 + u64::from(self.dimension_count) * self.storage.format.length_size()
    }
}

/// The file offsets of the fields of a tensor info.
#[doc(hidden)]
pub struct TensorInfoFields {
    pub dimension_count: u64,
    /// The first dimension; each has the size of a length.
    pub dimensions: u64,
    pub ggml_type: u64,
    pub offset: u64,
}

impl fmt::Debug for TensorInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} {:?} at {:#x}", self.name(), self.ggml_type(), self.dimensions(), self.offset())
    }
}

/// Iterator over a tensor's dimensions, fastest first.
#[derive(Clone)]
pub struct Dimensions<'a> {
    storage: &'a Storage,
    offset: u64,
    remaining: usize,
}

impl Iterator for Dimensions<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.remaining = self.remaining.checked_sub(1)?;
        let extent = self.storage.length(self.offset);
        self.offset += self.storage.format.length_size();
        Some(extent)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for Dimensions<'_> {}

impl fmt::Debug for Dimensions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
