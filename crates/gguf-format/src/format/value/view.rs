//! Views of stored values: a value, an array, and the iterator over its elements.
//!
//! They are in one file because they define each other: a value can be an array, and the elements of an array are values.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;
use core::ops::Range;

use super::stored_end::{elements_start, stored_end};
use super::text::Str;
use super::value_type::{ValueType, stored_type};
use crate::format::storage::{STRIDE, Storage};
use crate::format::version::Endian;

/// A metadata value, or an element of an array.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let block_count = header.get("llama.block_count").unwrap().value();
/// assert_eq!(block_count.as_u64(), Some(32));
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A `UINT8`.
    Uint8(u8),
    /// An `INT8`.
    Int8(i8),
    /// A `UINT16`.
    Uint16(u16),
    /// An `INT16`.
    Int16(i16),
    /// A `UINT32`.
    Uint32(u32),
    /// An `INT32`.
    Int32(i32),
    /// A `FLOAT32`.
    Float32(f32),
    /// A `BOOL`: true if its byte is not 0.
    Bool(bool),
    /// A `STRING`.
    String(Str<'a>),
    /// An `ARRAY`.
    Array(Array<'a>),
    /// A `UINT64`.
    Uint64(u64),
    /// An `INT64`.
    Int64(i64),
    /// A `FLOAT64`.
    Float64(f64),
}

impl<'a> Value<'a> {
    /// Reads the value of type `value_type` in the bytes of `range`.
    #[doc(hidden)]
    pub fn read(storage: &'a Storage, value_type: ValueType, range: Range<u64>) -> Self {
        let at = range.start;
        let u8 = || storage.bytes.array::<1>(at)[0];
        let u16 = || storage.format.endian.u16(storage.bytes.array(at));
        match value_type {
            ValueType::Uint8 => Self::Uint8(u8()),
            ValueType::Int8 => Self::Int8(u8().cast_signed()),
            ValueType::Uint16 => Self::Uint16(u16()),
            ValueType::Int16 => Self::Int16(u16().cast_signed()),
            ValueType::Uint32 => Self::Uint32(storage.u32(at)),
            ValueType::Int32 => Self::Int32(storage.u32(at).cast_signed()),
            ValueType::Float32 => Self::Float32(f32::from_bits(storage.u32(at))),
            ValueType::Bool => Self::Bool(u8() != 0),
            ValueType::String => Self::String(Str::new(storage, range)),
            ValueType::Array => Self::Array(Array::new(storage, range)),
            ValueType::Uint64 => Self::Uint64(storage.u64(at)),
            ValueType::Int64 => Self::Int64(storage.u64(at).cast_signed()),
            ValueType::Float64 => Self::Float64(f64::from_bits(storage.u64(at))),
        }
    }

    /// The name of the type: `UINT32`; of an array, `STRING[]`.
    #[doc(hidden)]
    pub fn type_name(&self) -> String {
        match self {
            Self::Array(array) => format!("{}[]", array.element_type()),
            value => value.value_type().name().into(),
        }
    }

    /// The type of the value.
    pub const fn value_type(&self) -> ValueType {
        match self {
            Self::Uint8(_) => ValueType::Uint8,
            Self::Int8(_) => ValueType::Int8,
            Self::Uint16(_) => ValueType::Uint16,
            Self::Int16(_) => ValueType::Int16,
            Self::Uint32(_) => ValueType::Uint32,
            Self::Int32(_) => ValueType::Int32,
            Self::Float32(_) => ValueType::Float32,
            Self::Bool(_) => ValueType::Bool,
            Self::String(_) => ValueType::String,
            Self::Array(_) => ValueType::Array,
            Self::Uint64(_) => ValueType::Uint64,
            Self::Int64(_) => ValueType::Int64,
            Self::Float64(_) => ValueType::Float64,
        }
    }

    /// The value, if it is an integer that fits in a `u64`.
    pub fn as_u64(&self) -> Option<u64> {
        match *self {
            Self::Uint64(value) => Some(value),
            _ => self.as_i64()?.try_into().ok(),
        }
    }

    /// The value, if it is an integer that fits in an `i64`.
    pub fn as_i64(&self) -> Option<i64> {
        match *self {
            Self::Uint8(value) => Some(value.into()),
            Self::Int8(value) => Some(value.into()),
            Self::Uint16(value) => Some(value.into()),
            Self::Int16(value) => Some(value.into()),
            Self::Uint32(value) => Some(value.into()),
            Self::Int32(value) => Some(value.into()),
            Self::Uint64(value) => value.try_into().ok(),
            Self::Int64(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is a floating-point number.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Float32(value) => Some(value.into()),
            Self::Float64(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is a `BOOL`.
    pub fn as_bool(&self) -> Option<bool> {
        match *self {
            Self::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is a `STRING`.
    pub fn as_str(&self) -> Option<Str<'a>> {
        match *self {
            Self::String(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it is an `ARRAY`.
    pub fn as_array(&self) -> Option<Array<'a>> {
        match *self {
            Self::Array(value) => Some(value),
            _ => None,
        }
    }
}

/// An array: its elements are decoded one by one on request.
///
/// An element of fixed size is read directly. Strings and arrays vary in size, so the offset of every 64th element is
/// kept, and at most 63 elements are skipped from there.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let tokens = header.get("tokenizer.ggml.tokens").unwrap().value().as_array().unwrap();
/// assert_eq!(tokens.len(), 3);
/// assert_eq!(tokens.get(1).unwrap().as_str().unwrap(), "<s>");
/// assert_eq!(tokens.iter().count(), 3);
/// # Ok::<(), gguf_format::Error>(())
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
    #[doc(hidden)]
    pub fn new(storage: &'a Storage, range: Range<u64>) -> Self {
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
    #[doc(hidden)]
    pub fn value_range(&self) -> Range<u64> {
        self.start - 4 - self.storage.format.length_size()..self.end
    }

    /// The bytes of the elements, in little-endian byte order. Only for elements of fixed size.
    #[doc(hidden)]
    pub fn little_endian_bytes(&self) -> Vec<u8> {
        let mut bytes = self.to_bytes().into_owned();
        if self.storage.format.endian == Endian::Big {
            let size = self.element_type.size().unwrap_or(1);
            bytes.chunks_exact_mut(size as usize).for_each(<[u8]>::reverse);
        }
        bytes
    }

    /// Whether the elements of another array are stored in the same way: in the same byte order, with lengths of the same size.
    #[doc(hidden)]
    pub fn has_format_of(&self, other: &Array<'_>) -> bool {
        let (own, other) = (self.storage.format, other.storage.format);
        own.endian == other.endian && own.length_size() == other.length_size()
    }

    /// Whether the bytes of the elements are those of another array.
    #[doc(hidden)]
    pub fn has_bytes_of(&self, other: &Array<'_>) -> bool {
        let mut at = other.start;
        self.end - self.start == other.end - other.start
            && self.pieces().all(|piece| {
                let start = at;
                at += piece.len() as u64;
                other.storage.bytes.equal(start..at, piece)
            })
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

    /// Where the bytes of the header are.
    #[doc(hidden)]
    pub fn storage(&self) -> &'a Storage {
        self.storage
    }

    /// Visits the elements of an array of strings: the position, the text, and its bytes. They are copied only if they do not
    /// lie in one block of the header. Does nothing for other arrays.
    #[inline(always)]
    #[doc(hidden)]
    pub fn visit_strings(&self, mut visit: impl FnMut(u64, Str<'a>, &[u8])) {
        if self.element_type != ValueType::String {
            return;
        }
        let (storage, mut index) = (self.storage, 0);
        storage.visit_strings(self.start, self.len, |range, bytes| {
            let text = Str::of_text(storage, range);
            match bytes {
                Some(bytes) => visit(index, text, bytes),
                None => visit(index, text, &text.to_bytes()),
            }
            index += 1;
        });
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
        (from..index).fold(offset, |offset, _| stored_end(self.storage, self.element_type, offset))
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
        self.offset = stored_end(self.storage, self.element_type, start);
        Some(Value::read(self.storage, self.element_type, start..self.offset))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let exact = usize::try_from(self.remaining).ok();
        (exact.unwrap_or(usize::MAX), exact)
    }
}

impl ExactSizeIterator for Elements<'_> {}
impl core::iter::FusedIterator for Elements<'_> {}
