//! The value types that keys may have.

use core::fmt;

use gguf_declare::{given_as, shown_as_text};
use gguf_format::format::value::ValueType;

/// The type of a metadata value, arrays told apart by the type of their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyType {
    /// A value of this type, which is not `ARRAY`.
    Single(ValueType),
    /// An array with elements of this type.
    Array(ValueType),
}

/// The value types that a key may have. Of single types and of array types, the first is the one that gguf-py writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyTypes(&'static [KeyType]);

const fn single(value_type: ValueType) -> KeyType {
    KeyType::Single(value_type)
}

const fn array(element_type: ValueType) -> KeyType {
    KeyType::Array(element_type)
}

/// Declares the types of keys, which rows of the table name.
macro_rules! key_types {
    ($($(#[doc = $doc:literal])* $name:ident = [$($key_type:expr),*];)*) => {
        $($(#[doc = $doc])* pub(super) const $name: KeyTypes = KeyTypes(&[$($key_type),*]);)*

        /// All constants by their names.
        const BY_NAME: &[(&str, KeyTypes)] = &[$((stringify!($name), $name)),*];
    };
}

key_types! {
    BOOL = [single(ValueType::Bool)];
    UINT16 = [single(ValueType::Uint16)];
    UINT32 = [single(ValueType::Uint32)];
    INT32 = [single(ValueType::Int32)];
    FLOAT32 = [single(ValueType::Float32)];
    STRING = [single(ValueType::String)];
    STRINGS = [array(ValueType::String)];
    FLOATS = [array(ValueType::Float32)];
    /// Floats, which llama.cpp also reads as 32-bit integers.
    FLOATS_OR_INT32 = [array(ValueType::Float32), array(ValueType::Int32)];
    BYTES = [array(ValueType::Uint8), array(ValueType::Int8)];
    BOOL_ARRAY = [array(ValueType::Bool)];
    UINT64_ARRAY = [array(ValueType::Uint64)];
    INT32_ARRAY = [array(ValueType::Int32)];
    UINT32_ARRAY = [array(ValueType::Uint32)];
    /// 32-bit integers, which llama.cpp reads with and without a sign.
    INTEGERS = [array(ValueType::Int32), array(ValueType::Uint32)];
    /// One number for all layers, or an array with a number for each layer.
    PER_LAYER = [single(ValueType::Uint32), array(ValueType::Int32), array(ValueType::Uint32)];
    /// An array with a number for each layer, or one number for all layers.
    PER_LAYER_FLOAT = [array(ValueType::Float32), single(ValueType::Float32)];
    /// A flag for each layer. llama.cpp also reads 0 and 1 as 32-bit integers.
    FLAGS = [array(ValueType::Bool), array(ValueType::Int32), array(ValueType::Uint32)];
    /// A flag for each layer, or one number for all layers: the period of a pattern, or the same flag for each layer.
    PATTERN = [single(ValueType::Uint32), array(ValueType::Bool), array(ValueType::Int32), array(ValueType::Uint32)];
    /// A number that older versions of a tool wrote as `INT32`.
    UINT32_OR_INT32 = [single(ValueType::Uint32), single(ValueType::Int32)];
    /// A number that only the specification knows. It asks for `uint64`, and allows `uint32`.
    UINT32_OR_UINT64 = [single(ValueType::Uint32), single(ValueType::Uint64)];
}

impl KeyTypes {
    /// The types that a row of the table names. No types if there is no such name.
    pub(super) fn named(name: &str) -> Self {
        BY_NAME.iter().find(|(found, _)| *found == name).map_or(Self(&[]), |(_, types)| *types)
    }

    /// Whether the key may have a value of this type.
    pub fn accept(self, found: KeyType) -> bool {
        self.0.contains(&found)
    }

    /// The types, in the order of preference.
    pub fn iter(self) -> impl Iterator<Item = KeyType> {
        self.0.iter().copied()
    }

    /// The type that gguf-py writes if the value is not an array.
    #[doc(hidden)]
    pub fn single_type(self) -> Option<ValueType> {
        self.iter().find_map(|key_type| match key_type {
            KeyType::Single(value_type) => Some(value_type),
            KeyType::Array(_) => None,
        })
    }

    /// The type of the elements that gguf-py writes if the value is an array.
    #[doc(hidden)]
    pub fn element_type(self) -> Option<ValueType> {
        self.iter().find_map(|key_type| match key_type {
            KeyType::Single(_) => None,
            KeyType::Array(element_type) => Some(element_type),
        })
    }
}

impl fmt::Display for KeyType {
    /// The name of the type: `UINT32`, and `INT32[]` for an array.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Single(value_type) => value_type.fmt(f),
            Self::Array(element_type) => write!(f, "{element_type}[]"),
        }
    }
}

shown_as_text!(KeyType, "KeyType");
given_as!(KeyTypes, "readonly KeyType[]", |types, serializer| types.0.give(serializer));

impl fmt::Display for KeyTypes {
    /// The names of the types: `UINT32 or INT32[]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, key_type) in self.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " or " })?;
            key_type.fmt(f)?;
        }
        Ok(())
    }
}
