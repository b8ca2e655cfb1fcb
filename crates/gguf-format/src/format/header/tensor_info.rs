//! A tensor info: `gguf_tensor_info`.
//!
//! ```text
//! name             string
//! dimension count  u32
//! dimensions       lengths, fastest first
//! ggml type        u32
//! offset           u64, from the start of the data section
//! ```

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, Range};

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
    pub fn dimensions(&self) -> Dimensions {
        Dimensions::new(self.dimension_iter())
    }

    /// The dimensions, which are read one by one. Without memory for a slice, it is smaller and faster than
    /// [`dimensions`](Self::dimensions).
    #[doc(hidden)]
    pub fn dimension_iter(&self) -> DimensionIter<'a> {
        DimensionIter { storage: self.storage, offset: self.name_end + 4, remaining: self.dimension_count as usize }
    }

    /// The type of the elements.
    pub fn ggml_type(&self) -> GgmlType {
        GgmlType(self.storage.u32(self.dimensions_end()))
    }

    /// What the type means in this file: a row of ggml's table; of [`FORK_TYPES`](crate::format::FORK_TYPES), if only that one
    /// explains where the tensors of the type lie; or of the table of the formats before GGUF. `None` if nothing is known of it.
    pub fn type_info(&self) -> Option<&'static GgmlTypeInfo> {
        let ggml_type = self.ggml_type();
        if let Some((_, meaning)) = self.storage.other_meanings.iter().find(|(id, _)| *id == ggml_type.0) {
            return *meaning;
        }
        ggml_type.info().or_else(|| self.storage.own_types.iter().find(|info| info.id == ggml_type.0))
    }

    /// What the type means in this file, if it is a type of ggml.
    #[doc(hidden)]
    pub fn own_type_info(&self) -> Option<&'static GgmlTypeInfo> {
        self.type_info().filter(|info| info.owner.is_none())
    }

    /// The name of the type; `"unknown(137)"` if nothing is known of it.
    pub fn type_name(&self) -> Cow<'static, str> {
        match self.type_info() {
            Some(info) => Cow::Borrowed(info.name),
            None => Cow::Owned(format!("unknown({})", self.ggml_type().0)),
        }
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
        if self.dimension_iter().any(|extent| extent == 0) {
            return Some(0);
        }
        self.dimension_iter().try_fold(1, u64::checked_mul)
    }

    /// The size of the data in bytes. `None` if the type is unknown or removed, if the rows are not made of whole blocks, or
    /// if the size does not fit in 64 bits.
    pub fn byte_length(&self) -> Option<u64> {
        let row_length = self.dimension_iter().next().unwrap_or(1);
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
        write!(f, "{:?}: {} {:?} at {:#x}", self.name(), self.type_name(), self.dimensions(), self.offset())
    }
}

/// Iterator over a tensor's dimensions, fastest first.
#[derive(Clone)]
#[doc(hidden)]
pub struct DimensionIter<'a> {
    storage: &'a Storage,
    offset: u64,
    remaining: usize,
}

impl Iterator for DimensionIter<'_> {
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

impl ExactSizeIterator for DimensionIter<'_> {}

/// The dimensions that are kept without an allocation. The default limit of the decoder is the same number.
const FEW_DIMENSIONS: usize = 8;

/// The dimensions of a tensor, fastest first: a slice, and an iterator over it.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let dimensions = header.tensor("output.weight").unwrap().dimensions();
/// assert_eq!((dimensions[0], dimensions.len()), (32, 2));
/// assert_eq!(dimensions.product::<u64>(), 64);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone)]
pub struct Dimensions {
    few: [u64; FEW_DIMENSIONS],
    /// All dimensions, if there are more than in `few`.
    many: Vec<u64>,
    /// The dimensions that are left.
    range: Range<usize>,
}

impl Dimensions {
    fn new(dimensions: DimensionIter<'_>) -> Self {
        let (count, mut rest) = (dimensions.len(), dimensions.clone());
        let few = core::array::from_fn(|_| rest.next().unwrap_or_default());
        let many = if count > FEW_DIMENSIONS { dimensions.collect() } else { Vec::new() };
        Self { few, many, range: 0..count }
    }
}

impl Deref for Dimensions {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        let all = if self.many.is_empty() { &self.few[..] } else { &self.many };
        &all[self.range.clone()]
    }
}

impl Iterator for Dimensions {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let next = self.first().copied()?;
        self.range.start += 1;
        Some(next)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl ExactSizeIterator for Dimensions {}

impl fmt::Debug for Dimensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
