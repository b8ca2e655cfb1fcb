//! Arrays.
//!
//! ```text
//! element type  u32
//! length        u64, in version 1 u32
//! elements      one after another; an element that is an array has its own element type and length
//! ```

use alloc::borrow::Cow;
use core::fmt;
use core::ops::Range;

use super::{Value, ValueType, stored_type};
use crate::format::storage::{STRIDE, Storage};

/// An array: its elements are decoded one by one on request.
///
/// An element of fixed size is read directly. Strings and arrays vary in size, so the offset of every 64th element is
/// kept, and at most 63 elements are skipped from there.
///
/// # Examples
///
/// ```
#[doc = include_str!("../../doc_example.txt")]
/// let header = gguf_wasm::parse(&file)?;
/// let tokens = header.get("tokenizer.ggml.tokens").unwrap().value().as_array().unwrap();
/// assert_eq!(tokens.len(), 3);
/// assert_eq!(tokens.get(1).unwrap().as_str().unwrap(), "<s>");
/// assert_eq!(tokens.iter().count(), 3);
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Array<'a> {
    storage: &'a Storage,
    element_type: ValueType,
    len: u64,
    start: u64,
    end: u64,
}

impl<'a> Array<'a> {
    /// The array in the bytes of `range`, which begin with its element type and length.
    pub(crate) fn new(storage: &'a Storage, range: Range<u64>) -> Self {
        let element_type = stored_type(storage, range.start);
        let len = storage.length(range.start + 4);
        Self { storage, element_type, len, start: elements_start(storage, range.start), end: range.end }
    }

    /// The type of every element.
    pub fn element_type(&self) -> ValueType {
        self.element_type
    }

    /// The number of elements.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the array has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of the elements in the file, without the element type and length before them.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// The bytes of the whole value in the file, with its element type and length.
    #[cfg(feature = "web")]
    pub(crate) fn value_range(&self) -> Range<u64> {
        self.start - 4 - self.storage.format.length_size()..self.end
    }

    /// The element at `index`.
    pub fn get(&self, index: u64) -> Option<Value<'a>> {
        self.iter_from(index).next()
    }

    /// All elements.
    pub fn iter(&self) -> Elements<'a> {
        self.iter_from(0)
    }

    /// The elements from `index` on; none if the array is not longer than `index`.
    pub fn iter_from(&self, index: u64) -> Elements<'a> {
        let index = index.min(self.len);
        let offset = match self.element_type.size() {
            Some(size) => self.start + index * size,
            None => self.varying_offset(index),
        };
        Elements { storage: self.storage, element_type: self.element_type, remaining: self.len - index, offset }
    }

    /// The bytes of the elements as stored.
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        self.storage.bytes.slice(self.range())
    }

    /// The bytes of the elements as consecutive slices, without a copy.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        self.storage.bytes.pieces(self.range())
    }

    /// The file offset of an element whose size varies.
    fn varying_offset(&self, index: u64) -> u64 {
        let (from, offset) = match self.storage.array_index(self.start) {
            Some(known) => {
                let nearest = (index / STRIDE).min(known.offsets.len() as u64 - 1);
                (nearest * STRIDE, known.offsets[nearest as usize])
            }
            None => (0, self.start),
        };
        (from..index).fold(offset, |offset, _| element_end(self.storage, self.element_type, offset))
    }
}

impl<'a> IntoIterator for Array<'a> {
    type Item = Value<'a>;
    type IntoIter = Elements<'a>;

    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

impl PartialEq for Array<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.element_type == other.element_type && self.len == other.len && self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Array<'_> {
    /// The type, the length and the first 8 elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] ", self.element_type, self.len)?;
        f.debug_list().entries(self.iter().take(8)).finish()
    }
}

/// Iterator over the elements of an [`Array`].
#[derive(Clone)]
pub struct Elements<'a> {
    storage: &'a Storage,
    element_type: ValueType,
    remaining: u64,
    offset: u64,
}

impl Elements<'_> {
    /// The file offset of the next element.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let start = self.offset;
        self.offset = element_end(self.storage, self.element_type, start);
        Some(Value::read(self.storage, self.element_type, start..self.offset))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let exact = usize::try_from(self.remaining).ok();
        (exact.unwrap_or(usize::MAX), exact)
    }
}

impl ExactSizeIterator for Elements<'_> {}
impl core::iter::FusedIterator for Elements<'_> {}

/// The file offset of the first element of the array at `offset`.
fn elements_start(storage: &Storage, offset: u64) -> u64 {
    offset + 4 + storage.format.length_size()
}

/// The file offset after the value of type `value_type` at `offset`, all of whose bytes have arrived.
#[inline]
fn element_end(storage: &Storage, value_type: ValueType, offset: u64) -> u64 {
    match (value_type.size(), value_type) {
        (Some(size), _) => offset + size,
        (None, ValueType::String) => storage.string_end(offset),
        (None, _) => array_end(storage, offset),
    }
}

/// The file offset after the array at `offset`, all of whose bytes have arrived.
///
/// Arrays in arrays lie one after another. So a count of the arrays that are left takes the place of recursion.
fn array_end(storage: &Storage, offset: u64) -> u64 {
    let mut position = offset;
    let mut arrays = 1;
    while arrays > 0 {
        arrays -= 1;
        let element_type = stored_type(storage, position);
        let len = storage.length(position + 4);
        position = elements_start(storage, position);
        match (element_type.size(), storage.array_index(position)) {
            (Some(size), _) => position += len * size,
            (None, Some(known)) => position = known.end,
            (None, None) if element_type == ValueType::String => {
                position = (0..len).fold(position, |position, _| storage.string_end(position));
            }
            (None, None) => arrays += len,
        }
    }
    position
}
