//! Metadata values: views of the header's bytes that decode on request.
//!
//! ```text
//! scalar    1, 2, 4 or 8 bytes
//! string    length, then that many bytes, by rule but not always UTF-8
//! array     u32 element type, length, then the elements one after another;
//!           an element that is itself an array has its own type and length
//! ```

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};
use core::ops::Range;
use core::str::Utf8Error;

use crate::format::storage::{STRIDE, Storage};

macro_rules! value_types {
    ($($(#[$doc:meta])* $variant:ident = $id:literal, $name:literal, $size:expr;)*) => {
        /// The type of a metadata value: `gguf_metadata_value_type`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum ValueType {
            $($(#[$doc])* $variant = $id,)*
        }

        impl ValueType {
            /// All types, by id.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The names of all types, by id.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The type of an id as stored, if there is one.
            pub const fn from_id(id: u32) -> Option<Self> {
                match id {
                    $($id => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The specification's name of the type without its prefix: `UINT8`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Bytes that a value takes; `None` for strings and arrays, which vary.
            pub const fn size(self) -> Option<u64> {
                match self {
                    $(Self::$variant => $size,)*
                }
            }
        }
    };
}

value_types! {
    /// An 8-bit unsigned integer.
    Uint8 = 0, "UINT8", Some(1);
    /// An 8-bit signed integer.
    Int8 = 1, "INT8", Some(1);
    /// A 16-bit unsigned integer.
    Uint16 = 2, "UINT16", Some(2);
    /// A 16-bit signed integer.
    Int16 = 3, "INT16", Some(2);
    /// A 32-bit unsigned integer.
    Uint32 = 4, "UINT32", Some(4);
    /// A 32-bit signed integer.
    Int32 = 5, "INT32", Some(4);
    /// A 32-bit IEEE 754 number.
    Float32 = 6, "FLOAT32", Some(4);
    /// One byte: 0 is false, 1 is true, and readers take any other as true.
    Bool = 7, "BOOL", Some(1);
    /// A length and bytes that ought to be UTF-8.
    String = 8, "STRING", None;
    /// An element type, a length and the elements.
    Array = 9, "ARRAY", None;
    /// A 64-bit unsigned integer.
    Uint64 = 10, "UINT64", Some(8);
    /// A 64-bit signed integer.
    Int64 = 11, "INT64", Some(8);
    /// A 64-bit IEEE 754 number.
    Float64 = 12, "FLOAT64", Some(8);
}

impl ValueType {
    /// The id of the type as stored.
    pub const fn id(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A metadata value, or an element of an array.
///
/// # Examples
///
/// ```
#[doc = include_str!("../../doc_example.txt")]
/// let header = gguf_wasm::parse(&file)?;
/// let block_count = header.get("llama.block_count").unwrap().value();
/// assert_eq!(block_count.as_u64(), Some(32));
/// # Ok::<(), gguf_wasm::Error>(())
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
    /// A `BOOL`: whether its byte is not 0.
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
    /// Reads the value of type `value_type` that takes the bytes of `range`.
    #[inline(never)]
    pub(crate) fn read(storage: &'a Storage, value_type: ValueType, range: Range<u64>) -> Self {
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

    /// The value of any integer type, unless it is negative.
    pub fn as_u64(&self) -> Option<u64> {
        match *self {
            Self::Uint64(value) => Some(value),
            _ => self.as_i64()?.try_into().ok(),
        }
    }

    /// The value of any integer type, unless it is 2^63 or more.
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

    /// The value of either floating-point type.
    pub fn as_f64(&self) -> Option<f64> {
        match *self {
            Self::Float32(value) => Some(value.into()),
            Self::Float64(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a `BOOL`.
    pub fn as_bool(&self) -> Option<bool> {
        match *self {
            Self::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a `STRING`.
    pub fn as_str(&self) -> Option<Str<'a>> {
        match *self {
            Self::String(value) => Some(value),
            _ => None,
        }
    }

    /// The value of an `ARRAY`.
    pub fn as_array(&self) -> Option<Array<'a>> {
        match *self {
            Self::Array(value) => Some(value),
            _ => None,
        }
    }
}

/// The bytes of a string: a key, a tensor's name or a value. By the specification they are UTF-8;
/// where they are not, nothing is lost.
#[derive(Clone, Copy)]
pub struct Str<'a> {
    storage: &'a Storage,
    start: u64,
    end: u64,
}

impl<'a> Str<'a> {
    /// The string at `offset`: its length, then its bytes.
    pub(crate) fn at(storage: &'a Storage, offset: u64) -> Self {
        Self::new(storage, offset..storage.string_end(offset))
    }

    /// The string that takes the bytes of `range`, its length included.
    pub(crate) fn new(storage: &'a Storage, range: Range<u64>) -> Self {
        Self { storage, start: range.start + storage.format.length_size(), end: range.end }
    }

    /// Where the bytes are in the file, without the length before them.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// How many bytes there are.
    pub fn byte_length(&self) -> u64 {
        self.end - self.start
    }

    /// The bytes as stored.
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        self.storage.bytes.slice(self.range())
    }

    /// The text.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8.
    pub fn to_str(&self) -> Result<Cow<'a, str>, Utf8Error> {
        match self.to_bytes() {
            Cow::Borrowed(bytes) => core::str::from_utf8(bytes).map(Cow::Borrowed),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Cow::Owned(text)),
                Err(error) => Err(error.utf8_error()),
            },
        }
    }

    /// The text, with U+FFFD where the bytes are not UTF-8, exactly as `TextDecoder` puts it.
    pub fn to_string_lossy(&self) -> Cow<'a, str> {
        match self.to_bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }

    /// The bytes as slices that follow one another, without copying them together.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        self.storage.bytes.pieces(self.range())
    }
}

impl PartialEq<[u8]> for Str<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.storage.bytes.equal(self.range(), other)
    }
}

impl PartialEq<str> for Str<'_> {
    fn eq(&self, other: &str) -> bool {
        *self == *other.as_bytes()
    }
}

impl PartialEq<&str> for Str<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        *self == *other.to_bytes()
    }
}

impl Eq for Str<'_> {}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.to_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}

/// The elements of an `ARRAY`, decoded one by one when asked for.
///
/// Any element of fixed size is reached at once; a string or array, whose sizes vary, by passing at most 63
/// neighbours from the nearest of the offsets kept for every 64th element.
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
    /// The array that takes the bytes of `range`, its element type and length included.
    pub(crate) fn new(storage: &'a Storage, range: Range<u64>) -> Self {
        let element_type = stored_type(storage, range.start);
        let len = storage.length(range.start + 4);
        Self { storage, element_type, len, start: elements_start(storage, range.start), end: range.end }
    }

    /// The type of every element.
    pub fn element_type(&self) -> ValueType {
        self.element_type
    }

    /// How many elements there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where the elements are in the file, without the element type and length before them.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// The bytes of the whole value in the file, its element type and length included.
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

    /// The elements from `index` on: none if there are no more than `index`.
    pub fn iter_from(&self, index: u64) -> Elements<'a> {
        let index = index.min(self.len);
        let offset = match self.element_type.size() {
            Some(size) => self.start + index * size,
            None => self.varying_offset(index),
        };
        Elements { storage: self.storage, element_type: self.element_type, remaining: self.len - index, offset }
    }

    /// The elements as stored, from the first to the last.
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        self.storage.bytes.slice(self.range())
    }

    /// The bytes of [`range`](Self::range) as slices that follow one another.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        self.storage.bytes.pieces(self.range())
    }

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
    /// The type, the length and the first elements.
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
    /// File offset of the next element.
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

/// The value type whose id is stored at `offset`.
pub(crate) fn stored_type(storage: &Storage, offset: u64) -> ValueType {
    match ValueType::from_id(storage.u32(offset)) {
        Some(value_type) => value_type,
        // The decoder accepts known types only.
        None => unreachable!(),
    }
}

/// File offset of the first element of the array at `offset`: after element type and length.
fn elements_start(storage: &Storage, offset: u64) -> u64 {
    offset + 4 + storage.format.length_size()
}

/// File offset after the value of type `value_type` at `offset`, which must have arrived.
#[inline]
fn element_end(storage: &Storage, value_type: ValueType, offset: u64) -> u64 {
    match (value_type.size(), value_type) {
        (Some(size), _) => offset + size,
        (None, ValueType::String) => storage.string_end(offset),
        (None, _) => array_end(storage, offset),
    }
}

/// File offset after the array at `offset`. Arrays in arrays lie one after another, so that it is enough to count those
/// that are still to be passed.
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
