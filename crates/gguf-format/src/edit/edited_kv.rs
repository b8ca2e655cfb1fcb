//! Views of the entries of the edited header, and of removed entries.

use alloc::borrow::Cow;

use super::edited_entry::{Entry, EntryValue};
use super::ids::EntryId;
use super::state::EditState;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::{Value, ValueType};
use crate::write::new_value::NewValue;

/// A metadata entry of the edited header.
#[derive(Clone, Copy)]
pub struct EditedKv<'a> {
    header: &'a Header,
    entry: &'a Entry,
}

impl<'a> EditedKv<'a> {
    pub(super) fn new(header: &'a Header, entry: &'a Entry) -> Self {
        Self { header, entry }
    }

    /// Identifies the entry.
    pub fn id(&self) -> EntryId {
        self.entry.id
    }

    /// Whether a change has added or changed the entry.
    pub fn state(&self) -> EditState {
        self.entry.state()
    }

    /// The position in the original header. `None` for an added entry.
    pub fn origin(&self) -> Option<usize> {
        self.entry.origin
    }

    /// The entry in the original header. `None` for an added entry.
    pub fn original(&self) -> Option<MetadataKv<'a>> {
        self.entry.original_in(self.header)
    }

    /// The key.
    pub fn key(&self) -> Cow<'a, [u8]> {
        self.entry.key(self.header)
    }

    /// The type of the value.
    pub fn value_type(&self) -> ValueType {
        self.entry.value_type(self.header)
    }

    /// Whether the entry has the value of the original entry.
    pub fn has_original_value(&self) -> bool {
        matches!(self.entry.value, EntryValue::Original)
    }

    /// The value. `None` for an array with inserted, replaced or removed elements: see [`array`](Self::array)
    /// and [`element`](Self::element).
    pub fn value(&self) -> Option<Value<'a>> {
        self.entry.value(self.header)
    }

    /// The value, if a change has set the whole value.
    pub fn new_value(&self) -> Option<&'a NewValue> {
        match &self.entry.value {
            EntryValue::New(value) => Some(value),
            EntryValue::Original | EntryValue::Array(_) => None,
        }
    }

    /// The element type and the length of an array. `None` for other values.
    pub fn array(&self) -> Option<(ValueType, u64)> {
        self.entry.array(self.header)
    }

    /// The element of an array at `index`.
    pub fn element(&self, index: u64) -> Option<Value<'a>> {
        self.entry.element(self.header, index)
    }
}

/// An entry of the original header that a change has removed.
#[derive(Clone, Copy)]
pub struct RemovedKv<'a> {
    pub(super) original: MetadataKv<'a>,
    pub(super) position: usize,
}

impl<'a> RemovedKv<'a> {
    /// Identifies the entry.
    pub fn id(&self) -> EntryId {
        EntryId(self.original.index())
    }

    /// The entry in the original header.
    pub fn original(&self) -> MetadataKv<'a> {
        self.original
    }

    /// The position in the edited header at which the entry would be: after the nearest entry before it in the original
    /// header that is not removed.
    pub fn position(&self) -> usize {
        self.position
    }
}
