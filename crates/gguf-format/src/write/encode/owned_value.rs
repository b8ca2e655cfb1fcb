//! A metadata value that owns its bytes.

use alloc::{string::String, vec::Vec};

use crate::format::value::ValueType;

/// A metadata value that owns its bytes, unlike [`Value`](crate::Value), which borrows a header.
///
/// # Examples
///
/// ```
/// # use gguf_format::{ValueType, write::encode::OwnedValue};
/// let tags = OwnedValue::array(ValueType::String, ["text-generation", "en"]);
/// assert_eq!(tags.value_type(), ValueType::Array);
/// assert_eq!(OwnedValue::from("llama"), OwnedValue::String(b"llama".to_vec()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum OwnedValue {
    /// An unsigned byte.
    Uint8(u8),
    /// A signed byte.
    Int8(i8),
    /// An unsigned 16-bit integer.
    Uint16(u16),
    /// A signed 16-bit integer.
    Int16(i16),
    /// An unsigned 32-bit integer.
    Uint32(u32),
    /// A signed 32-bit integer.
    Int32(i32),
    /// An IEEE 754 single.
    Float32(f32),
    /// One byte, written as 0 or 1.
    Bool(bool),
    /// Text. The specification requires UTF-8, but any bytes can be written.
    String(Vec<u8>),
    /// Values of one type.
    Array {
        /// The type that the array declares.
        element_type: ValueType,
        /// The elements. Each is written as its own variant. The file is valid only if all have the type `element_type`.
        elements: Vec<Self>,
    },
    /// An unsigned 64-bit integer (since version 2).
    Uint64(u64),
    /// A signed 64-bit integer (since version 2).
    Int64(i64),
    /// An IEEE 754 double (since version 2).
    Float64(f64),
}

impl OwnedValue {
    /// An array. The types of the elements are not compared with `element_type`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use gguf_format::{ValueType, write::encode::OwnedValue};
    /// let row = |values: [i32; 2]| OwnedValue::array(ValueType::Int32, values);
    /// let nested = OwnedValue::array(ValueType::Array, [row([1, 2]), row([3, 4])]);
    /// # assert_eq!(nested.value_type(), ValueType::Array);
    /// ```
    pub fn array<T: Into<Self>>(element_type: ValueType, elements: impl IntoIterator<Item = T>) -> Self {
        Self::Array { element_type, elements: elements.into_iter().map(Into::into).collect() }
    }

    /// The type of the value.
    pub fn value_type(&self) -> ValueType {
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
            Self::Array { .. } => ValueType::Array,
            Self::Uint64(_) => ValueType::Uint64,
            Self::Int64(_) => ValueType::Int64,
            Self::Float64(_) => ValueType::Float64,
        }
    }
}

macro_rules! owned_value_from {
    ($($type:ty => $variant:ident),+) => {$(
        impl From<$type> for OwnedValue {
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        }
    )+};
}

owned_value_from! {
    u8 => Uint8, i8 => Int8, u16 => Uint16, i16 => Int16, u32 => Uint32, i32 => Int32,
    f32 => Float32, bool => Bool, &str => String, String => String, u64 => Uint64,
    i64 => Int64, f64 => Float64
}
