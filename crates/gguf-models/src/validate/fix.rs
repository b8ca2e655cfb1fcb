//! The changes that remove a finding.

use alloc::{string::String, vec::Vec};

use gguf_format::edit::Change;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::{Value, ValueType};
use gguf_format::limits::Limits;
use gguf_format::tensor::extents;
use gguf_format::write::checks::{check_alignment, check_count, check_key, check_readable};
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::new_value::NewValue;
use gguf_format::write::new_value::convert::convert_value;

/// The changes that remove a finding. [`Edit::apply`](gguf_format::edit::Edit::apply) makes them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// What the changes do, as the label of a button: `Convert to UINT32`.
    pub title: String,
    /// Whether the fix needs no decision: the changed file means the same, or agrees with the rest of the file. No error comes
    /// up by it.
    pub is_safe: bool,
    /// The changes to the header that was validated.
    pub changes: Vec<Change>,
}

/// Whether findings have fixes: making, checking and describing them takes a good part of the checks.
pub(super) const ARE_MADE: bool = cfg!(feature = "fixes");

/// The most elements of an array that a fix converts. The fix holds the converted array.
const MOST_CONVERTED: u64 = 1 << 20;

impl Fix {
    /// A fix that keeps the meaning of the file.
    pub(super) fn safe(title: impl Into<String>, change: Change) -> Self {
        Self { title: title.into(), is_safe: true, changes: vec![change] }
    }

    /// A fix that a person has to confirm.
    pub(super) fn to_confirm(title: impl Into<String>, change: Change) -> Self {
        Self { title: title.into(), is_safe: false, changes: vec![change] }
    }

    /// Whether the editor accepts the changes: it refuses some keys and values that a broken file can lead to.
    pub(super) fn is_accepted(&self, header: &Header) -> bool {
        let is_value = |key: &[u8], value: Value<'_>| {
            check_alignment(key, Some(value)).is_ok() && check_readable(key, value, header.format().version).is_ok()
        };
        let is_new_key = |key: &[u8]| {
            let is_text = core::str::from_utf8(key).is_ok();
            is_text && check_key(key).is_ok() && header.get(key).is_none()
        };
        let entry = |index: &usize| header.metadata_at(*index);
        self.changes.iter().all(|change| match change {
            Change::Set { entry: index, value } | Change::Retype { entry: index, value, .. } => {
                entry(index).is_some_and(|entry| is_value(&entry.key().to_bytes(), value.value()))
            }
            Change::Add { key, value, .. } => {
                let count = header.metadata().len();
                let has_room = check_count("entry", key, count, Limits::default().metadata_count).is_ok();
                has_room && is_new_key(key) && is_value(key, value.value())
            }
            Change::Rename { entry: index, key } => {
                is_new_key(key) && entry(index).is_some_and(|entry| is_value(key, entry.value()))
            }
            Change::RemoveTensor { .. } => can_move_data(header),
            _ => true,
        })
    }
}

/// The change that gives an entry a value. `None` if the value cannot be encoded.
pub(super) fn set(entry: usize, value: impl Into<OwnedValue>) -> Option<Change> {
    Some(Change::Set { entry, value: NewValue::new(&value.into()).ok()? })
}

/// The change that adds an entry at the end of the metadata. `None` if the value cannot be encoded.
pub(super) fn add(header: &Header, key: &[u8], value: impl Into<OwnedValue>) -> Option<Change> {
    let position = header.metadata().len();
    Some(Change::Add { position, key: key.into(), value: NewValue::new(&value.into()).ok()? })
}

/// The change that gives an entry another key. `None` if an entry has that key.
pub(super) fn rename(header: &Header, entry: usize, key: &[u8]) -> Option<Change> {
    header.get(key).is_none().then(|| Change::Rename { entry, key: key.into() })
}

/// The change that converts the value of an entry. `None` if the value does not fit the type.
pub(super) fn retype(entry: &MetadataKv<'_>, types: &[ValueType]) -> Option<Change> {
    Some(Change::Retype { entry: entry.index(), types: types.into(), value: convert(entry, types)? })
}

/// Whether an edit can move the data of all tensors. Data whose size is unknown ends at the end of the file.
pub(super) fn can_move_data(header: &Header) -> bool {
    header.tensors().all(|tensor| tensor.byte_length().is_some())
}

/// Whether an edit of a file can be written. An edit of an incomplete file is refused.
pub(super) fn can_be_written(header: &Header, file_size: Option<u64>) -> bool {
    let is_truncated = |size| size < header.header_size() || extents::first_incomplete(header, size).is_some();
    header.is_complete() && !file_size.is_some_and(is_truncated)
}

/// The value of an entry with other types.
fn convert(entry: &MetadataKv<'_>, types: &[ValueType]) -> Option<NewValue> {
    let value = entry.value();
    if matches!(&value, Value::Array(array) if array.len() > MOST_CONVERTED) {
        return None;
    }
    let mut encoder = NewValue::encoder(*types.first()?);
    let is_converted = convert_value(value, types, &mut encoder);
    NewValue::encoded(encoder).filter(|_| is_converted)
}

/// The change that stores each BOOL of a value as 0 or 1. `None` if the value is neither a BOOL nor an array of them.
pub(super) fn normalise_bools(entry: &MetadataKv<'_>) -> Option<Change> {
    let types: &[ValueType] = match entry.value() {
        Value::Bool(_) => &[ValueType::Bool],
        Value::Array(array) if array.element_type() == ValueType::Bool => &[ValueType::Array, ValueType::Bool],
        _ => return None,
    };
    Some(Change::Set { entry: entry.index(), value: convert(entry, types)? })
}
