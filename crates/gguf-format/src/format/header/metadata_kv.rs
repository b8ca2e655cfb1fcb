//! A metadata entry: `metadata_kv`.
//!
//! ```text
//! key         string
//! value type  u32
//! value       as its type says
//! ```

use core::fmt;
use core::ops::Range;

use crate::format::storage::Storage;
use crate::format::value::{Str, Value, ValueType, stored_type};

/// A metadata entry: a key and its value.
#[derive(Clone, Copy)]
pub struct MetadataKv<'a> {
    storage: &'a Storage,
    index: usize,
    start: u64,
    key_end: u64,
    end: u64,
}

impl<'a> MetadataKv<'a> {
    /// The entry in the bytes of `range`, at a position in the file.
    pub(super) fn new(storage: &'a Storage, index: usize, range: Range<u64>) -> Self {
        Self { storage, index, start: range.start, key_end: storage.string_end(range.start), end: range.end }
    }

    /// The storage of the header that the entry belongs to.
    #[doc(hidden)]
    pub fn storage(&self) -> &'a Storage {
        self.storage
    }

    /// The position of the entry in the file.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The key.
    pub fn key(&self) -> Str<'a> {
        Str::new(self.storage, self.start..self.key_end)
    }

    /// The type of the value.
    pub fn value_type(&self) -> ValueType {
        stored_type(self.storage, self.key_end)
    }

    /// The value.
    pub fn value(&self) -> Value<'a> {
        Value::read(self.storage, self.value_type(), self.value_range())
    }

    /// The bytes of the entry in the file, from the key's length to the end of the value.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// The bytes of the value in the file, from the end of the value type. A string begins with its length, an array with
    /// its element type and length.
    pub fn value_range(&self) -> Range<u64> {
        self.key_end + 4..self.end
    }
}

impl fmt::Debug for MetadataKv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}", self.key(), self.value())
    }
}
