//! Changes to entries: their values, keys, types and order.

use alloc::{sync::Arc, vec::Vec};

use super::change::Change;
use super::edited_entry::Entry;
use super::edited_kv::{EditedKv, RemovedKv};
use super::history::Edit;
use super::ids::{ChangeId, EntryId};
use super::selector::EntrySelector;
use crate::error::{Result, error};
use crate::format::value::{Value, ValueType};
use crate::limits::Limits;
use crate::write::checks::{check_alignment, check_count, check_key, check_readable, key_taken, lossy};
use crate::write::encode::OwnedValue;
use crate::write::new_value::convert::convert_value;
use crate::write::new_value::{NewValue, value_too_long};

impl Edit {
    /// The number of entries in the edited header.
    pub fn entry_count(&self) -> usize {
        self.edited.entries.len()
    }

    /// The entry at a position of the edited header.
    pub fn entry(&self, position: usize) -> Option<EditedKv<'_>> {
        Some(EditedKv::new(&self.header, self.edited.entries.get(position)?))
    }

    /// The entries of the edited header, in order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = EditedKv<'_>> {
        self.edited.entries.iter().map(|entry| EditedKv::new(&self.header, entry))
    }

    /// The entries that changes have removed, in the order of the original header.
    pub fn removed_entries(&self) -> Vec<RemovedKv<'_>> {
        let mut positions = alloc::vec![None; self.header.metadata().len()];
        for (position, entry) in self.edited.entries.iter().enumerate() {
            if let Some(origin) = entry.origin {
                positions[origin] = Some(position);
            }
        }
        let mut next = 0;
        let mut removed = Vec::new();
        for (original, position) in self.header.metadata().zip(positions) {
            match position {
                Some(position) => next = position + 1,
                None => removed.push(RemovedKv { original, position: next }),
            }
        }
        removed
    }

    /// The identifier of the entry that a change adds.
    pub fn added_entry(&self, change: ChangeId) -> EntryId {
        self.edited.added_id(change)
    }

    /// Sets the value of an entry. The new value may have another type. If no entry has the key, one is added at the end.
    ///
    /// # Errors
    ///
    /// `unknown-key` if the entry is selected by its position or identifier, `does-not-fit`, `bad-alignment`, and for a new key those of
    /// [`add`](Self::add).
    pub fn set<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, value: &OwnedValue) -> Result<()> {
        self.set_new(entry.into(), NewValue::new(value)?)
    }

    /// Sets the value of an entry, as [`set`](Self::set) does, to a value that is already encoded.
    ///
    /// # Errors
    ///
    /// Those of [`set`](Self::set).
    pub fn set_new(&mut self, entry: EntrySelector<'_>, value: NewValue) -> Result<()> {
        if let EntrySelector::Key(key) = entry
            && self.find(entry).is_err()
        {
            return self.add_new(None, key, value);
        }
        let change = self.check_set(entry, value)?;
        self.record(change)
    }

    pub(super) fn check_set(&self, entry: EntrySelector<'_>, value: NewValue) -> Result<Change> {
        let entry = self.find(entry)?;
        self.check_value(&self.edited.entries[entry].key(&self.header), value.value())?;
        Ok(Change::Set { entry, value })
    }

    /// Adds an entry before the entry at `position`. Adds it at the end if `position` is `None` or the number of entries.
    ///
    /// # Errors
    ///
    /// `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `out-of-range`, `limit-exceeded`.
    pub fn add(&mut self, position: Option<usize>, key: &[u8], value: &OwnedValue) -> Result<()> {
        self.add_new(position, key, NewValue::new(value)?)
    }

    /// Adds an entry, as [`add`](Self::add) does, with a value that is already encoded.
    ///
    /// # Errors
    ///
    /// Those of [`add`](Self::add).
    pub fn add_new(&mut self, position: Option<usize>, key: &[u8], value: NewValue) -> Result<()> {
        let change = self.check_add(position, key.into(), value)?;
        self.record(change)
    }

    pub(super) fn check_add(&self, position: Option<usize>, key: Arc<[u8]>, value: NewValue) -> Result<Change> {
        let count = self.edited.entries.len();
        let position = position.unwrap_or(count);
        check_position(position, count)?;
        check_count("entry", &key, count, Limits::default().metadata_count)?;
        self.check_new_key(None, &key)?;
        self.check_value(&key, value.value())?;
        Ok(Change::Add { position, key, value })
    }

    /// Removes an entry.
    ///
    /// # Errors
    ///
    /// `unknown-key`.
    pub fn remove<'k>(&mut self, entry: impl Into<EntrySelector<'k>>) -> Result<()> {
        let change = self.check_remove(entry.into())?;
        self.record(change)
    }

    pub(super) fn check_remove(&self, entry: EntrySelector<'_>) -> Result<Change> {
        Ok(Change::Remove { entry: self.find(entry)? })
    }

    /// Renames an entry.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `key-taken`, `bad-key`, `bad-alignment`.
    pub fn rename<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, key: &[u8]) -> Result<()> {
        let change = self.check_rename(entry.into(), key.into())?;
        self.record(change)
    }

    pub(super) fn check_rename(&self, entry: EntrySelector<'_>, key: Arc<[u8]>) -> Result<Change> {
        let entry = self.find(entry)?;
        self.check_new_key(Some(entry), &key)?;
        check_alignment(&key, self.edited.entries[entry].value(&self.header))?;
        Ok(Change::Rename { entry, key })
    }

    /// Converts the value of an entry to other types. `types` has one type for each level of nesting: the type of the
    /// value, the type of its elements if it is an array, and so on.
    ///
    /// Integers are converted exactly. Floats are rounded to the nearest float of the type. A number or a BOOL becomes a
    /// STRING: its shortest text. A STRING becomes a number if it is the text of a number.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `does-not-fit`, `bad-alignment`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::{ValueType, edit::Edit};
    ///
    /// # let file = gguf_format::example_file();
    /// let mut edit = Edit::new(gguf_format::parse(&file)?);
    /// edit.retype("llama.block_count", &[ValueType::Uint64])?;
    /// assert_eq!(edit.entry(1).unwrap().value_type(), ValueType::Uint64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retype<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, types: &[ValueType]) -> Result<()> {
        let change = self.check_retype(entry.into(), types.into())?;
        self.record(change)
    }

    pub(super) fn check_retype(&self, entry: EntrySelector<'_>, types: Arc<[ValueType]>) -> Result<Change> {
        let entry = self.find(entry)?;
        let value = self.convert(&self.edited.entries[entry], &types)?;
        self.check_converted(entry, types, value)
    }

    /// Checks a conversion of the entry at a position. The converted value is known.
    pub(super) fn check_converted(&self, entry: usize, types: Arc<[ValueType]>, value: NewValue) -> Result<Change> {
        self.check_value(&self.edited.entries[entry].key(&self.header), value.value())?;
        Ok(Change::Retype { entry, types, value })
    }

    /// Moves an entry to `position`, its index after the move.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`.
    pub fn move_to<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, position: usize) -> Result<()> {
        let change = self.check_move(entry.into(), position)?;
        self.record(change)
    }

    pub(super) fn check_move(&self, entry: EntrySelector<'_>, position: usize) -> Result<Change> {
        let entry = self.find(entry)?;
        check_position(position, self.edited.entries.len() - 1)?;
        Ok(Change::Move { entry, position })
    }

    /// The position of an entry in the edited header.
    ///
    /// # Errors
    ///
    /// `unknown-key`.
    pub fn find(&self, entry: EntrySelector<'_>) -> Result<usize> {
        let found = match entry {
            EntrySelector::Key(key) => self.edited.find(&self.header, key),
            EntrySelector::Index(index) => Some(index).filter(|index| *index < self.edited.entries.len()),
            EntrySelector::Id(id) => self.edited.position_of(id),
        };
        found.ok_or_else(|| {
            let count = self.edited.entries.len();
            error!(UnknownKey: "cannot find the entry: no entry {entry} is among the {count} entries of the header")
        })
    }

    /// Checks that an entry can have a key. `entry` is its position; `None` is a new entry.
    fn check_new_key(&self, entry: Option<usize>, key: &[u8]) -> Result<()> {
        check_key(key)?;
        match self.edited.find(&self.header, key) {
            Some(other) if Some(other) != entry => Err(key_taken(key)),
            _ => Ok(()),
        }
    }

    /// Checks that an entry with a key can have a value.
    fn check_value(&self, key: &[u8], value: Value<'_>) -> Result<()> {
        check_alignment(key, Some(value))?;
        check_readable(key, value, self.edited.format.version)
    }

    /// Encodes the value of an entry as other types.
    fn convert(&self, entry: &Entry, types: &[ValueType]) -> Result<NewValue> {
        let encoded = entry.encode_edited_array(&self.header);
        let value = encoded.as_ref().map(NewValue::value).or_else(|| entry.value(&self.header));
        let mut encoder = NewValue::encoder(types.first().copied().unwrap_or(ValueType::Array));
        if !value.is_some_and(|value| convert_value(value, types, &mut encoder)) {
            let key = entry.key(&self.header);
            let found = entry.value_type(&self.header).name();
            let wanted = types.last().map_or("no type", |value_type| value_type.name());
            return Err(error!(DoesNotFit:
                "cannot convert \"{}\": the {found} value does not fit {wanted}", lossy(&key)));
        }
        NewValue::encoded(encoder).ok_or_else(value_too_long)
    }
}

fn check_position(position: usize, max: usize) -> Result<()> {
    if position <= max {
        return Ok(());
    }
    Err(error!(OutOfRange: "cannot place the entry: position {position} is not in the range from 0 to {max}"))
}
