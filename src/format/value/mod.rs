//! Metadata values: views of the header's bytes that decode on request.
//!
//! ```text
//! scalar  1, 2, 4 or 8 bytes
//! string  length, bytes
//! array   element type, length, elements
//! ```

use core::ops::Range;

use crate::format::storage::Storage;

mod array;
mod text;
mod value_type;

pub use array::{Array, Elements};
pub use text::Str;
pub use value_type::ValueType;
pub(crate) use value_type::stored_type;

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
