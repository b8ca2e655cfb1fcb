//! The metadata entries of a converted model, in the order in which they are written.

use alloc::{string::String, vec::Vec};

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
pub struct Entries(Vec<(String, EntryValue)>);

impl Entries {
    /// Sets the value of a key. Empty strings and empty arrays are not written.
    pub fn set(&mut self, key: impl Into<String>, value: EntryValue) {
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
        let key = key.into();
        match self.0.iter_mut().find(|(other, _)| *other == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &EntryValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
}
