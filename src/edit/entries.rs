//! Changes to entries: values, keys, types and the order.

use alloc::borrow::Cow;
use alloc::format;
use alloc::sync::Arc;

use super::change::{Change, shared};
use super::edited_entry::{Content, Entry};
use super::{Edit, EntrySelector};
use crate::error::ErrorCode;
use crate::format::header::Header;
use crate::format::value::{Value, ValueType};
use crate::limits::Limits;
use crate::write::checks::{check_alignment, check_count, check_inside, check_key, key_taken};
use crate::write::encode::OwnedValue;
use crate::write::error::{EditError, Result, not_there};
use crate::write::new_value::number::retype_as;
use crate::write::new_value::{NewValue, too_long};

impl Edit {
    /// How many entries there will be.
    pub fn entry_count(&self) -> usize {
        self.draft.entries.len()
    }

    /// The entry at a position, as it will be.
    pub fn entry(&self, position: usize) -> Option<EditedKv<'_>> {
        Some(EditedKv { header: &self.header, entry: self.draft.entries.get(position)? })
    }

    /// Gives an entry another value, of another type if need be.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `does-not-fit`, `bad-alignment`.
    pub fn set<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, value: &OwnedValue) -> Result<()> {
        self.set_new(entry.into(), NewValue::new(value)?)
    }

    /// As [`set`](Self::set), with a value that is encoded already.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    pub fn set_new(&mut self, entry: EntrySelector<'_>, value: NewValue) -> Result<()> {
        let entry = self.find(entry)?;
        self.check_value(&self.draft.entries[entry].key(&self.header), value.value())?;
        self.change(Change::Set { entry, value })
    }

    /// Adds an entry before the one at a position, or at the end.
    ///
    /// # Errors
    ///
    /// `key-taken`, `bad-key`, `does-not-fit`, `bad-alignment`, `out-of-range`, `limit-exceeded`.
    pub fn add(&mut self, position: Option<usize>, key: &[u8], value: &OwnedValue) -> Result<()> {
        self.add_new(position, key, NewValue::new(value)?)
    }

    /// As [`add`](Self::add), with a value that is encoded already.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_new(&mut self, position: Option<usize>, key: &[u8], value: NewValue) -> Result<()> {
        let count = self.draft.entries.len();
        let position = position.unwrap_or(count);
        check_position(position, count + 1)?;
        check_count(key, count, Limits::default().metadata_count, "entries")?;
        self.check_key(None, key)?;
        self.check_value(key, value.value())?;
        self.change(Change::Add { position, key: shared(key), value })
    }

    /// Removes an entry.
    ///
    /// # Errors
    ///
    /// `unknown-key`.
    pub fn remove<'k>(&mut self, entry: impl Into<EntrySelector<'k>>) -> Result<()> {
        let entry = self.find(entry.into())?;
        self.change(Change::Remove { entry })
    }

    /// Gives an entry another key.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `key-taken`, `bad-key`, `bad-alignment`.
    pub fn rename<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, key: &[u8]) -> Result<()> {
        let entry = self.find(entry.into())?;
        self.check_key(Some(entry), key)?;
        check_alignment(key, self.draft.entries[entry].value(&self.header))?;
        self.change(Change::Rename { entry, key: shared(key) })
    }

    /// Gives an entry the same value as another type: integers exactly, floats to the nearest. A number or BOOL becomes its
    /// shortest text as a string, and a string that says a number becomes that number. `types` are the value's type and, of
    /// an array, that of its elements, of theirs, and so on.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `does-not-fit`, `bad-alignment`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::{Edit, ValueType};
    ///
    #[doc = include_str!("../doc_example.txt")]
    /// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
    /// edit.retype("llama.block_count", &[ValueType::Uint64])?;
    /// assert_eq!(edit.entry(1).unwrap().value_type(), ValueType::Uint64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn retype<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, types: &[ValueType]) -> Result<()> {
        let entry = self.find(entry.into())?;
        let value = self.retyped(&self.draft.entries[entry], types)?;
        self.check_value(&self.draft.entries[entry].key(&self.header), value.value())?;
        self.change(Change::Retype { entry, types: types.into(), value })
    }

    /// Gives an entry a value that is known to be its own as other types.
    pub(super) fn set_retyped(
        &mut self,
        entry: EntrySelector<'_>,
        types: &Arc<[ValueType]>,
        value: &NewValue,
    ) -> Result<()> {
        let entry = self.find(entry)?;
        self.check_value(&self.draft.entries[entry].key(&self.header), value.value())?;
        self.change(Change::Retype { entry, types: types.clone(), value: value.clone() })
    }

    /// Moves an entry, so that it then has the position.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`.
    pub fn move_to<'k>(&mut self, entry: impl Into<EntrySelector<'k>>, position: usize) -> Result<()> {
        let entry = self.find(entry.into())?;
        check_position(position, self.draft.entries.len())?;
        self.change(Change::Move { entry, position })
    }

    /// The position of an entry among those as they are now.
    ///
    /// # Errors
    ///
    /// `unknown-key`.
    pub fn find(&self, entry: EntrySelector<'_>) -> Result<usize> {
        let (found, name) = match entry {
            EntrySelector::Key(key) => (self.draft.find(&self.header, key), Ok(key)),
            EntrySelector::Index(index) => (Some(index).filter(|index| *index < self.draft.entries.len()), Err(index)),
        };
        found.ok_or_else(|| not_there(ErrorCode::UnknownKey, "entry", name))
    }

    /// Whether the entry at a position, or a new one, can have a key.
    fn check_key(&self, entry: Option<usize>, key: &[u8]) -> Result<()> {
        check_key(key)?;
        match self.draft.find(&self.header, key) {
            Some(other) if Some(other) != entry => Err(key_taken(key)),
            _ => Ok(()),
        }
    }

    /// Whether an entry with a key can get a value.
    pub(super) fn check_value(&self, key: &[u8], value: Value<'_>) -> Result<()> {
        check_alignment(key, Some(value))?;
        self.check_version(key, value)
    }

    /// Whether the version of the file has the types of a value, and readers follow its arrays.
    pub(super) fn check_version(&self, key: &[u8], value: Value<'_>) -> Result<()> {
        check_inside(key, value, self.draft.format.version, Limits::default().array_depth)
    }

    /// The value of an entry as other types.
    fn retyped(&self, entry: &Entry, types: &[ValueType]) -> Result<NewValue> {
        let joined = entry.joined(&self.header);
        let value = joined.as_ref().map(NewValue::value).or_else(|| entry.value(&self.header));
        let mut encoder = NewValue::encoder(types.first().copied().unwrap_or(ValueType::Array));
        if !value.is_some_and(|value| retype_as(value, types, &mut encoder)) {
            let found = entry.value_type(&self.header).name();
            let wanted = types.last().map_or("no type", |value_type| value_type.name());
            return Err(EditError::of(
                &entry.key(&self.header),
                ErrorCode::DoesNotFit,
                format_args!("{found} does not fit {wanted}"),
            ));
        }
        NewValue::encoded(encoder).ok_or_else(too_long)
    }
}

/// An entry as it will be.
#[derive(Clone, Copy)]
pub struct EditedKv<'a> {
    header: &'a Header,
    entry: &'a Entry,
}

impl<'a> EditedKv<'a> {
    /// The position in the file as it is, if it is there.
    pub fn origin(&self) -> Option<usize> {
        self.entry.origin
    }

    /// The key.
    pub fn key(&self) -> Cow<'a, [u8]> {
        self.entry.key(self.header)
    }

    /// The type of the value.
    pub fn value_type(&self) -> ValueType {
        self.entry.value_type(self.header)
    }

    /// The value: `None` for an array of which only some elements are new.
    pub fn value(&self) -> Option<Value<'a>> {
        self.entry.value(self.header)
    }

    /// The value, if it is a new one as a whole.
    pub fn new_value(&self) -> Option<&'a NewValue> {
        match &self.entry.content {
            Content::New(value) => Some(value),
            Content::Origin | Content::Spliced(_) => None,
        }
    }

    /// The type of an array's elements, and how many there are: `None` if the value is no array.
    pub fn array(&self) -> Option<(ValueType, u64)> {
        self.entry.array(self.header)
    }

    /// The element of an array at an index.
    pub fn element(&self, index: u64) -> Option<Value<'a>> {
        self.entry.element(self.header, index)
    }
}

fn check_position(position: usize, count: usize) -> Result<()> {
    if position < count {
        return Ok(());
    }
    let message = format!("there are {count} positions, not {position}");
    Err(EditError::new(ErrorCode::OutOfRange, message))
}
