//! An entry of the edited header, and its value.

use alloc::{borrow::Cow, sync::Arc};

use super::edited_array::{EditedArray, ElementRun};
use super::ids::EntryId;
use super::state::EditState;
use crate::format::header::{Header, MetadataKv};
use crate::format::value::{Value, ValueType};
use crate::write::new_value::NewValue;

/// An entry of the edited header. Unchanged parts refer to the original header, which every method takes.
pub(super) struct Entry {
    pub id: EntryId,
    /// The position in the original header. `None` for an added entry.
    pub origin: Option<usize>,
    /// The key, if a change has set it.
    pub key: Option<Arc<[u8]>>,
    pub value: EntryValue,
    /// Whether a change has moved the entry.
    pub is_moved: bool,
}

pub(super) enum EntryValue {
    /// The value of the original entry.
    Original,
    /// A value that a change has set.
    New(NewValue),
    /// An array with inserted, replaced or removed elements.
    Array(EditedArray),
}

impl Entry {
    pub fn original(position: usize) -> Self {
        let origin = Some(position);
        Self { id: EntryId(position), origin, key: None, value: EntryValue::Original, is_moved: false }
    }

    pub fn added(id: EntryId, key: Arc<[u8]>, value: NewValue) -> Self {
        Self { id, origin: None, key: Some(key), value: EntryValue::New(value), is_moved: false }
    }

    pub fn state(&self) -> EditState {
        let is_unchanged = self.key.is_none() && matches!(self.value, EntryValue::Original) && !self.is_moved;
        match self.origin {
            None => EditState::Added,
            Some(_) if is_unchanged => EditState::Unchanged,
            Some(_) => EditState::Changed,
        }
    }

    /// The entry in the original header. `None` for an added entry.
    pub fn original_in<'a>(&self, header: &'a Header) -> Option<MetadataKv<'a>> {
        header.metadata_at(self.origin?)
    }

    pub fn key<'a>(&'a self, header: &'a Header) -> Cow<'a, [u8]> {
        match (&self.key, self.original_in(header)) {
            (Some(key), _) => Cow::Borrowed(key),
            (None, Some(original)) => original.key().to_bytes(),
            (None, None) => Cow::Borrowed(&[]),
        }
    }

    pub fn value_type(&self, header: &Header) -> ValueType {
        self.stored(header).map_or(ValueType::Array, |stored| stored.value_type())
    }

    /// The value. `None` for an [`EditedArray`], because no header contains the whole array.
    pub fn value<'a>(&'a self, header: &'a Header) -> Option<Value<'a>> {
        Some(self.stored(header)?.value())
    }

    /// The entry of the original header or of a new value that has the value. `None` for an [`EditedArray`].
    pub fn stored<'a>(&'a self, header: &'a Header) -> Option<MetadataKv<'a>> {
        match &self.value {
            EntryValue::Original => self.original_in(header),
            EntryValue::New(value) => Some(value.entry()),
            EntryValue::Array(_) => None,
        }
    }

    /// The element type and the length of an array. `None` for other values.
    pub fn array(&self, header: &Header) -> Option<(ValueType, u64)> {
        match (&self.value, self.value(header)) {
            (EntryValue::Array(array), _) => Some((array.element_type, array.len())),
            (_, Some(Value::Array(array))) => Some((array.element_type(), array.len())),
            _ => None,
        }
    }

    /// The element of an array at `index`.
    pub fn element<'a>(&'a self, header: &'a Header, mut index: u64) -> Option<Value<'a>> {
        let EntryValue::Array(array) = &self.value else {
            return self.stored(header)?.value().as_array()?.get(index);
        };
        for run in &array.runs {
            if index < run.len() {
                let entry = run.entry(self.original_in(header))?;
                return entry.value().as_array()?.get(run.elements.start + index);
            }
            index -= run.len();
        }
        None
    }

    /// Encodes an [`EditedArray`] as one value. `None` for other values, and for an array that is too long for a new value.
    pub fn encode_edited_array(&self, header: &Header) -> Option<NewValue> {
        let EntryValue::Array(array) = &self.value else { return None };
        let mut encoder = NewValue::encoder(ValueType::Array);
        encoder.array(array.element_type.id(), array.len());
        for run in &array.runs {
            run.encode(self.original_in(header), &mut encoder);
        }
        NewValue::encoded(encoder)
    }

    /// The value as an [`EditedArray`] that has all its elements in one run.
    pub fn to_edited_array(&self, header: &Header) -> EditedArray {
        let source = match &self.value {
            EntryValue::New(value) => Some(value.clone()),
            EntryValue::Original | EntryValue::Array(_) => None,
        };
        let (element_type, length) = self.array(header).unwrap_or((ValueType::Array, 0));
        EditedArray::new(element_type, ElementRun { source, elements: 0..length })
    }
}
