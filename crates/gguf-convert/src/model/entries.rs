//! The metadata entries of a converted model, in the order in which they are written.

use alloc::vec::Vec;

use gguf_format::distinct_names::DistinctNames;
use gguf_format::error::Result;
use gguf_format::format::value::ValueType;
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::write::new_value::{NewValue, value_too_long};

/// The value of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryValue {
    /// BOOL.
    Bool(bool),
    /// UINT32.
    U32(u32),
    /// INT32.
    I32(i32),
    /// UINT64.
    U64(u64),
    /// FLOAT32.
    F32(f32),
    /// STRING.
    String(Vec<u8>),
    /// An array of STRING.
    Strings(Vec<Vec<u8>>),
    /// An array of INT32.
    I32s(Vec<i32>),
    /// An array of UINT32.
    U32s(Vec<u32>),
    /// An array of FLOAT32.
    F32s(Vec<f32>),
    /// An array of BOOL.
    Bools(Vec<bool>),
    /// An array of UINT8.
    U8s(Vec<u8>),
}

/// Entries in order. A key that is set again keeps its place.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    keys: DistinctNames,
    /// The value of each key.
    values: Vec<EntryValue>,
}

impl Entries {
    /// Sets the value of a key. Empty strings and empty arrays are not written.
    pub fn set(&mut self, key: impl AsRef<str>, value: EntryValue) {
        let is_empty = match &value {
            EntryValue::String(text) => text.is_empty(),
            EntryValue::Strings(list) => list.is_empty(),
            EntryValue::I32s(list) => list.is_empty(),
            EntryValue::U32s(list) => list.is_empty(),
            EntryValue::F32s(list) => list.is_empty(),
            EntryValue::Bools(list) => list.is_empty(),
            EntryValue::U8s(list) => list.is_empty(),
            _ => false,
        };
        if is_empty {
            return;
        }
        let key = key.as_ref().as_bytes();
        match self.keys.find(key) {
            Some(position) => self.values[position] = value,
            None => {
                self.keys.push(key);
                self.values.push(value);
            }
        }
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &EntryValue)> {
        // Keys are texts: `set` takes no others.
        let keys = self.keys.iter().map(|key| core::str::from_utf8(key).unwrap_or_default());
        keys.zip(&self.values)
    }
}

impl EntryValue {
    /// The bytes of the value in a file, and a little more.
    #[doc(hidden)]
    pub fn byte_length(&self) -> u64 {
        let length = match self {
            Self::String(bytes) | Self::U8s(bytes) => bytes.len(),
            Self::Strings(list) => list.iter().map(|text| 8 + text.len()).sum(),
            Self::I32s(list) => 4 * list.len(),
            Self::U32s(list) => 4 * list.len(),
            Self::F32s(list) => 4 * list.len(),
            Self::Bools(list) => list.len(),
            _ => 0,
        };
        32 + length as u64
    }

    /// The value as a writer takes it.
    pub(crate) fn to_new_value(&self) -> Result<NewValue> {
        match self {
            Self::Bool(value) => NewValue::new(&(*value).into()),
            Self::U32(value) => NewValue::new(&(*value).into()),
            Self::I32(value) => NewValue::new(&(*value).into()),
            Self::U64(value) => NewValue::new(&(*value).into()),
            Self::F32(value) => NewValue::new(&(*value).into()),
            Self::String(bytes) => NewValue::new(&OwnedValue::String(bytes.clone())),
            Self::Strings(list) => array(ValueType::String, list.len(), |encoder| {
                for text in list {
                    encoder.string(text);
                }
            }),
            Self::I32s(list) => array(ValueType::Int32, list.len(), |encoder| {
                encoder.i32s(list);
            }),
            Self::U32s(list) => array(ValueType::Uint32, list.len(), |encoder| {
                encoder.u32s(list);
            }),
            Self::F32s(list) => array(ValueType::Float32, list.len(), |encoder| {
                encoder.f32s(list);
            }),
            Self::Bools(list) => array(ValueType::Bool, list.len(), |encoder| {
                for value in list {
                    encoder.u8(u8::from(*value));
                }
            }),
            Self::U8s(list) => array(ValueType::Uint8, list.len(), |encoder| {
                encoder.bytes(list);
            }),
        }
    }
}

/// An array whose elements are encoded by `encode`.
fn array(element_type: ValueType, length: usize, encode: impl FnOnce(&mut Encoder)) -> Result<NewValue> {
    let mut encoder = NewValue::encoder(ValueType::Array);
    encoder.array(element_type.id(), length as u64);
    encode(&mut encoder);
    NewValue::encoded(encoder).ok_or_else(value_too_long)
}
