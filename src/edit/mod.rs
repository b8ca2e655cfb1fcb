//! Changes to a header, and the file that they make.
//!
//! An [`Edit`] records changes, one after the other, and can take them back. What has not been changed is copied from
//! the old file, and never decoded and encoded again: a broken string, an unknown tensor type, a boolean that is 2 come
//! through as they are.

mod draft;
mod entry;
mod layout;
mod spliced;

use alloc::borrow::Cow;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::encode::OwnedValue;
use crate::format::{Endian, Format};
use crate::header::Header;
use crate::input::{
    ALIGNMENT, EditError, EditErrorKind, NewValue, Result, check_alignment, check_count, check_inside, check_key,
    check_tensor_name, key_taken, lossy, name_taken, not_there, write_as,
};
use crate::limits::Limits;
use crate::plan::WritePlan;
use crate::value::{Value, ValueType};
use draft::{Back, Draft};
use entry::{Content, Entry};

/// Which metadata entry is meant: the first with a key, or the one at a position among the entries as they are by then.
#[derive(Clone, Copy, Debug)]
pub enum EntryAt<'a> {
    /// The first entry with this key.
    Key(&'a [u8]),
    /// The entry at this position.
    Index(usize),
}

/// Which tensor is meant: the first with a name, or the one at a position among the tensors as they are by then.
#[derive(Clone, Copy, Debug)]
pub enum TensorAt<'a> {
    /// The first tensor with this name.
    Name(&'a [u8]),
    /// The tensor at this position.
    Index(usize),
}

macro_rules! at_from {
    ($at:ident, $name:ident) => {
        impl<'a> From<&'a str> for $at<'a> {
            fn from(name: &'a str) -> Self {
                Self::$name(name.as_bytes())
            }
        }

        impl<'a> From<&'a [u8]> for $at<'a> {
            fn from(name: &'a [u8]) -> Self {
                Self::$name(name)
            }
        }

        impl From<usize> for $at<'_> {
            fn from(index: usize) -> Self {
                Self::Index(index)
            }
        }

        impl fmt::Display for $at<'_> {
            /// The name in quotation marks, or the position.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::$name(name) => write!(f, "\"{}\"", lossy(name)),
                    Self::Index(index) => write!(f, "{index}"),
                }
            }
        }
    };
}
at_from!(EntryAt, Key);
at_from!(TensorAt, Name);

/// A change to a header. Positions are those at that moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the members are what the variants' documentation names")]
pub enum Change {
    /// The entry gets another value.
    Set { entry: usize, value: NewValue },
    /// The entry gets the same value as another type.
    Retype { entry: usize, value: NewValue },
    /// A new entry is put in before the one at the position.
    Add { position: usize, key: Arc<[u8]>, value: NewValue },
    /// The entry is taken out.
    Remove { entry: usize },
    /// The entry gets another key.
    Rename { entry: usize, key: Arc<[u8]> },
    /// The entry is taken out and put in again, so that it then has the position.
    Move { entry: usize, position: usize },
    /// The elements of the inserted array, if there is one, take the place of some.
    Splice { entry: usize, elements: Range<u64>, inserted: Option<NewValue> },
    /// The tensor gets another name.
    RenameTensor { tensor: usize, name: Arc<[u8]> },
    /// The tensor is taken out, its data too.
    RemoveTensor { tensor: usize },
    /// The tensors' data is placed without gaps and in order.
    Repack,
    /// The file gets another version.
    Version(u32),
    /// Every number of the file gets the other byte order.
    ByteOrder(Endian),
}

/// Changes to a header.
///
/// # Examples
///
/// ```
/// use gguf_wasm::Edit;
///
#[doc = include_str!("../doc_example.txt")]
/// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
/// edit.set("general.architecture", &"mamba".into())?;
/// edit.rename("llama.block_count", b"mamba.block_count")?;
/// edit.set_element("tokenizer.ggml.tokens", 1, &"<bos>".into())?;
///
/// let plan = edit.plan(Some(file.len() as u64))?;
/// let header: Vec<u8> =
///     plan.header_pieces(edit.header().bytes(), 0..plan.header_size()).flatten().copied().collect();
/// let header = gguf_wasm::parse(&header)?;
/// assert_eq!(header.get("general.architecture").unwrap().value().as_str().unwrap(), "mamba");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Edit {
    header: Arc<Header>,
    changes: Vec<Change>,
    /// Changes that were taken back, the last one first to be made again.
    undone: Vec<Change>,
    /// What the changes make of the header.
    draft: Draft,
    /// What takes each of the changes back.
    back: Vec<Back>,
}

impl Edit {
    /// An edit of a file that has changed nothing yet.
    pub fn new(header: impl Into<Arc<Header>>) -> Self {
        let header = header.into();
        let draft = Draft::new(&header);
        Self { header, changes: Vec::new(), undone: Vec::new(), draft, back: Vec::new() }
    }

    /// The header of the file as it is.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The changes, the first one first.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The changes that were taken back and can be made again, the next one last.
    pub fn undone(&self) -> &[Change] {
        &self.undone
    }

    /// Takes the last change back: `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let (Some(change), Some(back)) = (self.changes.pop(), self.back.pop()) else { return false };
        if !self.draft.take_back(back) {
            self.draft = Draft::new(&self.header);
            self.changes.iter().for_each(|change| _ = self.draft.make(&self.header, change));
        }
        self.undone.push(change);
        true
    }

    /// Makes the change again that was taken back last: `false` if there is none, or if another has been made since.
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.undone.pop() else { return false };
        self.repeat(change);
        true
    }

    /// How many entries there will be.
    pub fn entry_count(&self) -> usize {
        self.draft.entries.len()
    }

    /// The entry at a position, as it will be.
    pub fn entry(&self, position: usize) -> Option<EditedKv<'_>> {
        Some(EditedKv { header: &self.header, entry: self.draft.entries.get(position)? })
    }

    /// How many tensors there will be.
    pub fn tensor_count(&self) -> usize {
        self.draft.tensors.len()
    }

    /// The position that the tensor at `position` has in the file as it is.
    pub fn tensor_origin(&self, position: usize) -> Option<usize> {
        Some(self.draft.tensors.get(position)?.origin)
    }

    /// The name that the tensor at a position will have.
    pub fn tensor_name(&self, position: usize) -> Option<Cow<'_, [u8]>> {
        self.draft.tensors.get(position)?.name(&self.header)
    }

    /// Gives an entry another value, of another type if need be.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `does-not-fit`, `bad-alignment`.
    pub fn set<'k>(&mut self, entry: impl Into<EntryAt<'k>>, value: &OwnedValue) -> Result<()> {
        self.set_new(entry.into(), NewValue::new(value)?)
    }

    /// As [`set`](Self::set), with a value that is encoded already.
    ///
    /// # Errors
    ///
    /// As [`set`](Self::set).
    pub fn set_new(&mut self, entry: EntryAt<'_>, value: NewValue) -> Result<()> {
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
    pub fn remove<'k>(&mut self, entry: impl Into<EntryAt<'k>>) -> Result<()> {
        let entry = self.find(entry.into())?;
        self.change(Change::Remove { entry })
    }

    /// Gives an entry another key.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `key-taken`, `bad-key`, `bad-alignment`.
    pub fn rename<'k>(&mut self, entry: impl Into<EntryAt<'k>>, key: &[u8]) -> Result<()> {
        let entry = self.find(entry.into())?;
        self.check_key(Some(entry), key)?;
        check_alignment(key, self.draft.entries[entry].value(&self.header))?;
        self.change(Change::Rename { entry, key: shared(key) })
    }

    /// Gives an entry the same value as another type: integers exactly, floats to the nearest. `types` are the value's type
    /// and, of an array, that of its elements, of theirs, and so on.
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
    pub fn retype<'k>(&mut self, entry: impl Into<EntryAt<'k>>, types: &[ValueType]) -> Result<()> {
        let entry = self.find(entry.into())?;
        let value = self.retyped(&self.draft.entries[entry], types)?;
        self.check_value(&self.draft.entries[entry].key(&self.header), value.value())?;
        self.change(Change::Retype { entry, value })
    }

    /// Moves an entry, so that it then has the position.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`.
    pub fn move_to<'k>(&mut self, entry: impl Into<EntryAt<'k>>, position: usize) -> Result<()> {
        let entry = self.find(entry.into())?;
        check_position(position, self.draft.entries.len())?;
        self.change(Change::Move { entry, position })
    }

    /// Gives an element of an array another value; the others are not touched.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array or the value not of its elements' type.
    pub fn set_element<'k>(&mut self, entry: impl Into<EntryAt<'k>>, index: u64, value: &OwnedValue) -> Result<()> {
        let values = OwnedValue::Array { element_type: value.value_type(), elements: Vec::from([value.clone()]) };
        self.splice(entry.into(), index..index.saturating_add(1), Some(NewValue::new(&values)?))
    }

    /// Puts the elements of an array in before the one at `index`, or at the end.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `limit-exceeded`, `does-not-fit` if either is no array, or not of the same type.
    pub fn insert_elements<'k>(
        &mut self,
        entry: impl Into<EntryAt<'k>>,
        index: u64,
        values: &OwnedValue,
    ) -> Result<()> {
        self.splice(entry.into(), index..index, Some(NewValue::new(values)?))
    }

    /// Takes elements out of an array.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `does-not-fit` if the entry is no array.
    pub fn remove_elements<'k>(&mut self, entry: impl Into<EntryAt<'k>>, elements: Range<u64>) -> Result<()> {
        self.splice(entry.into(), elements, None)
    }

    /// Puts the elements of an array in the place of some of an entry's.
    ///
    /// # Errors
    ///
    /// `unknown-key`, `out-of-range`, `limit-exceeded`, `does-not-fit` if either is no array, or not of the same type.
    pub fn splice(&mut self, entry: EntryAt<'_>, elements: Range<u64>, inserted: Option<NewValue>) -> Result<()> {
        let position = self.find(entry)?;
        let draft = &self.draft.entries[position];
        let key = draft.key(&self.header);
        let refuse = |kind, why: fmt::Arguments<'_>| Err(EditError::of(&key, kind, why));
        let array = draft.array(&self.header);
        let given = inserted.as_ref().map(|inserted| inserted.value().as_array());
        // What is put in is an array of the same type, if anything is.
        let given = given.map_or(array.map(|(element_type, _)| (element_type, 0)), |given| {
            given.map(|given| (given.element_type(), given.len()))
        });
        let (Some((element_type, length)), Some((given_type, more))) = (array, given) else {
            return refuse(EditErrorKind::DoesNotFit, format_args!("only arrays have elements"));
        };
        let Range { start, end } = elements;
        if start > end || end > length {
            return refuse(
                EditErrorKind::OutOfRange,
                format_args!("there are {length} elements, not {start} to {end}"),
            );
        }
        if given_type != element_type {
            let (expected, found) = (element_type.name(), given_type.name());
            return refuse(EditErrorKind::DoesNotFit, format_args!("elements are {expected}, not {found}"));
        }
        if let Some(inserted) = &inserted {
            self.check_version(&key, inserted.value())?;
        }
        let most = Limits::default().array_length;
        if length - (end - start) + more > most {
            return refuse(
                EditErrorKind::LimitExceeded,
                format_args!("readers take up to {most} elements of an array"),
            );
        }
        self.change(Change::Splice { entry: position, elements: start..end, inserted })
    }

    /// Gives a tensor another name.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`, `name-taken`, `bad-name`.
    pub fn rename_tensor<'k>(&mut self, tensor: impl Into<TensorAt<'k>>, name: &[u8]) -> Result<()> {
        let tensor = self.find_tensor(tensor.into())?;
        check_tensor_name(name)?;
        if self.draft.find_tensor(&self.header, name).is_some_and(|other| other != tensor) {
            return Err(name_taken(name));
        }
        self.change(Change::RenameTensor { tensor, name: shared(name) })
    }

    /// Removes a tensor and its data.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub fn remove_tensor<'k>(&mut self, tensor: impl Into<TensorAt<'k>>) -> Result<()> {
        let tensor = self.find_tensor(tensor.into())?;
        self.change(Change::RemoveTensor { tensor })
    }

    /// Places the tensors' data without gaps and in the order of the list, as llama.cpp demands it.
    pub fn repack(&mut self) {
        // Cannot be refused.
        let _ = self.change(Change::Repack);
    }

    /// Aligns the tensors' data to another number of bytes: sets `general.alignment`, or adds it.
    ///
    /// # Errors
    ///
    /// `bad-alignment`.
    pub fn set_alignment(&mut self, alignment: u32) -> Result<()> {
        let mut encoder = NewValue::encoder(ValueType::Uint32);
        encoder.u32(alignment);
        let value = NewValue::encoded(encoder);
        match self.draft.find(&self.header, ALIGNMENT) {
            Some(entry) => self.set_new(EntryAt::Index(entry), value),
            None => self.add_new(None, ALIGNMENT, value),
        }
    }

    /// Gives the file version 3.
    ///
    /// # Errors
    ///
    /// `unsupported-version` for another one than that and the one it has.
    pub fn set_version(&mut self, version: u32) -> Result<()> {
        if version != 3 && version != self.draft.format.version {
            let message = format!("version {version}: only 3 can be set");
            return Err(EditError::new(EditErrorKind::UnsupportedVersion, message));
        }
        self.change(Change::Version(version))
    }

    /// Turns every number of the file into the other byte order, the tensors' data included.
    pub fn set_byte_order(&mut self, endian: Endian) {
        // Cannot be refused before it is known what tensors are left.
        let _ = self.change(Change::ByteOrder(endian));
    }

    /// The version and the byte order that the file will have.
    pub fn format(&self) -> Format {
        self.draft.format
    }

    /// What the tensors' data will be aligned to, in bytes.
    pub fn alignment(&self) -> u64 {
        self.draft.alignment(&self.header)
    }

    /// Plans the changed file; `file_size` is that of the file as it is.
    ///
    /// # Errors
    ///
    /// `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    pub fn plan(&self, file_size: Option<u64>) -> Result<WritePlan> {
        let Some(file_size) = file_size else {
            return Err(EditError::new(EditErrorKind::SizeUnknown, "the file's size is not known".into()));
        };
        layout::file(&self.header, &self.draft, !self.changes.is_empty(), file_size)
    }

    /// Plans the changed header alone, also where the file cannot be. The tensors' offsets are those in the changed file,
    /// or, where these cannot be told, those they have now.
    ///
    /// # Errors
    ///
    /// `limit-exceeded`, `too-large`.
    pub fn plan_header(&self, file_size: Option<u64>) -> Result<WritePlan> {
        layout::header(&self.header, &self.draft, file_size)
    }

    /// The position of an entry among those as they are now.
    ///
    /// # Errors
    ///
    /// `unknown-key`.
    pub fn find(&self, entry: EntryAt<'_>) -> Result<usize> {
        let (found, name) = match entry {
            EntryAt::Key(key) => (self.draft.find(&self.header, key), Ok(key)),
            EntryAt::Index(index) => (Some(index).filter(|index| *index < self.draft.entries.len()), Err(index)),
        };
        found.ok_or_else(|| not_there(EditErrorKind::UnknownKey, "entry", name))
    }

    /// The position of a tensor among those as they are now.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`.
    pub fn find_tensor(&self, tensor: TensorAt<'_>) -> Result<usize> {
        let (found, name) = match tensor {
            TensorAt::Name(name) => (self.draft.find_tensor(&self.header, name), Ok(name)),
            TensorAt::Index(index) => (Some(index).filter(|index| *index < self.draft.tensors.len()), Err(index)),
        };
        found.ok_or_else(|| not_there(EditErrorKind::UnknownTensor, "tensor", name))
    }

    /// Makes a change that has been found possible, unless it changes nothing.
    fn change(&mut self, change: Change) -> Result<()> {
        if self.repeat(change) {
            self.undone.clear();
        }
        Ok(())
    }

    /// Makes a change that has been made of the same entries and tensors before. Says whether it changes anything.
    pub(crate) fn repeat(&mut self, change: Change) -> bool {
        let Some(back) = self.draft.make(&self.header, &change) else { return false };
        self.back.push(back);
        self.changes.push(change);
        true
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
    fn check_value(&self, key: &[u8], value: Value<'_>) -> Result<()> {
        check_alignment(key, Some(value))?;
        self.check_version(key, value)
    }

    /// Whether the version of the file has the types of a value, and readers follow its arrays.
    fn check_version(&self, key: &[u8], value: Value<'_>) -> Result<()> {
        check_inside(key, value, self.draft.format.version, Limits::default().array_depth)
    }

    /// The value of an entry as other types.
    fn retyped(&self, entry: &Entry, types: &[ValueType]) -> Result<NewValue> {
        let joined = entry.joined(&self.header);
        let value = joined.as_ref().map(NewValue::value).or_else(|| entry.value(&self.header));
        let mut encoder = NewValue::encoder(types.first().copied().unwrap_or(ValueType::Array));
        if !value.is_some_and(|value| write_as(value, types, &mut encoder)) {
            let found = entry.value_type(&self.header).name();
            let wanted = types.last().map_or("no type", |value_type| value_type.name());
            return Err(EditError::of(
                &entry.key(&self.header),
                EditErrorKind::DoesNotFit,
                format_args!("{found} does not fit {wanted}"),
            ));
        }
        Ok(NewValue::encoded(encoder))
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

#[inline(never)]
fn shared(name: &[u8]) -> Arc<[u8]> {
    name.into()
}

fn check_position(position: usize, count: usize) -> Result<()> {
    if position < count {
        return Ok(());
    }
    let message = format!("there are {count} positions, not {position}");
    Err(EditError::new(EditErrorKind::OutOfRange, message))
}
