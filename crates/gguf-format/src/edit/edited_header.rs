//! The edited header: its entries and tensors after all changes. Unchanged parts refer to the original header.

use alloc::{sync::Arc, vec::Vec};
use core::mem::replace;
use core::ops::Range;

use super::change::{Change, RecordedChange};
use super::edited_array::ElementRun;
use super::edited_entry::{Entry, EntryValue};
use super::edited_tensor::Tensor;
use super::ids::{ChangeId, EntryId};
use crate::distinct_names::NameTree;
use crate::format::header::Header;
use crate::format::version::{ALIGNMENT, DEFAULT_ALIGNMENT, Endian, Format, ORIGINAL_SHAPE};

/// The header after all changes.
pub(super) struct EditedHeader {
    pub format: Format,
    pub entries: Vec<Entry>,
    /// The tensors in the order of the original header: tensors are removed but never moved.
    pub tensors: Vec<Tensor>,
    /// An index of renamed tensors: the new name, and the position in the original header.
    renamed: NameTree,
    /// Whether [`Change::Repack`] was made.
    pub is_repacked: bool,
    /// The number of entries in the original header.
    original_count: usize,
}

/// An action that undoes one change.
pub(super) enum UndoAction {
    SetValue { entry: usize, value: EntryValue },
    ReplaceElements { entry: usize, elements: Range<u64>, runs: Vec<ElementRun> },
    RemoveEntry { entry: usize },
    InsertEntry { position: usize, entry: Entry },
    SetKey { entry: usize, key: Option<Arc<[u8]>> },
    MoveEntry { entry: usize, position: usize, was_moved: bool },
    SetTensorName { tensor: usize, name: Option<Arc<[u8]>>, shape: Option<(usize, Option<Arc<[u8]>>)> },
    InsertTensor { position: usize, tensor: Tensor, shape: Option<(usize, Entry)> },
    UndoRepack,
    SetVersion(u32),
    SetByteOrder(Endian),
}

impl EditedHeader {
    /// The original header, unchanged.
    pub fn new(header: &Header) -> Self {
        let original_count = header.metadata().len();
        Self {
            format: header.format(),
            entries: (0..original_count).map(Entry::original).collect(),
            tensors: (0..header.tensors().len()).map(|origin| Tensor { origin, name: None }).collect(),
            renamed: NameTree::new(),
            is_repacked: false,
            original_count,
        }
    }

    /// Makes a change that has passed its checks. Returns the action that undoes it. Returns `None` if the change has no
    /// effect: for example, if the entry already has the key. A new value always has an effect, even if it equals the old
    /// one.
    pub fn apply(&mut self, header: &Header, made: &RecordedChange) -> Option<UndoAction> {
        Some(match &made.change {
            Change::Set { entry, value } | Change::Retype { entry, value, .. } => {
                self.set_value(*entry, EntryValue::New(value.clone()))
            }
            Change::Splice { entry, elements, inserted } => {
                let inserted = inserted.as_ref().map(ElementRun::all).unwrap_or_default();
                return self.replace_elements(header, *entry, elements, inserted);
            }
            Change::Add { position, key, value } => {
                let id = self.added_id(made.id);
                self.entries.insert(*position, Entry::added(id, key.clone(), value.clone()));
                UndoAction::RemoveEntry { entry: *position }
            }
            Change::Remove { entry } => {
                UndoAction::InsertEntry { position: *entry, entry: self.entries.remove(*entry) }
            }
            Change::Rename { entry, key } => {
                let renamed = &mut self.entries[*entry];
                if *renamed.key(header) == **key {
                    return None;
                }
                UndoAction::SetKey { entry: *entry, key: renamed.key.replace(key.clone()) }
            }
            Change::Move { entry, position } if entry == position => return None,
            Change::Move { entry, position } => {
                let was_moved = self.move_entry(*entry, *position, true);
                UndoAction::MoveEntry { entry: *position, position: *entry, was_moved }
            }
            Change::RenameTensor { tensor, name } => {
                if self.tensors[*tensor].name(header).is_some_and(|own| *own == **name) {
                    return None;
                }
                let shape = self.rename_shape(header, *tensor, name);
                let before = self.set_tensor_name(*tensor, Some(name.clone()));
                UndoAction::SetTensorName { tensor: *tensor, name: before, shape }
            }
            Change::RemoveTensor { tensor } => {
                let shape = self.find_shape(header, *tensor).map(|entry| (entry, self.entries.remove(entry)));
                self.set_renamed(*tensor, false);
                UndoAction::InsertTensor { position: *tensor, tensor: self.tensors.remove(*tensor), shape }
            }
            Change::Repack if self.is_repacked => return None,
            Change::Repack => {
                self.is_repacked = true;
                UndoAction::UndoRepack
            }
            Change::Version(version) if *version == self.format.version => return None,
            Change::Version(version) => UndoAction::SetVersion(replace(&mut self.format.version, *version)),
            Change::ByteOrder(endian) if *endian == self.format.endian => return None,
            Change::ByteOrder(endian) => UndoAction::SetByteOrder(replace(&mut self.format.endian, *endian)),
        })
    }

    /// Undoes the last change by the action that [`apply`](Self::apply) returned for it.
    pub fn undo(&mut self, action: UndoAction) {
        match action {
            UndoAction::SetValue { entry, value } => _ = self.set_value(entry, value),
            UndoAction::ReplaceElements { entry, elements, runs } => {
                if let EntryValue::Array(array) = &mut self.entries[entry].value {
                    array.replace(&elements, runs);
                }
            }
            UndoAction::RemoveEntry { entry } => _ = self.entries.remove(entry),
            UndoAction::InsertEntry { position, entry } => self.entries.insert(position, entry),
            UndoAction::SetKey { entry, key } => self.entries[entry].key = key,
            UndoAction::MoveEntry { entry, position, was_moved } => _ = self.move_entry(entry, position, was_moved),
            UndoAction::SetTensorName { tensor, name, shape } => {
                self.set_tensor_name(tensor, name);
                if let Some((entry, key)) = shape {
                    self.entries[entry].key = key;
                }
            }
            UndoAction::InsertTensor { position, tensor, shape } => {
                if let Some((place, entry)) = shape {
                    self.entries.insert(place, entry);
                }
                self.tensors.insert(position, tensor);
                self.set_renamed(position, true);
            }
            UndoAction::UndoRepack => self.is_repacked = false,
            UndoAction::SetVersion(version) => self.format.version = version,
            UndoAction::SetByteOrder(endian) => self.format.endian = endian,
        }
    }

    /// Sets the value of an entry. Returns the action that restores the old value.
    fn set_value(&mut self, entry: usize, value: EntryValue) -> UndoAction {
        UndoAction::SetValue { entry, value: replace(&mut self.entries[entry].value, value) }
    }

    /// Replaces elements of an array. Returns the action that undoes it, or `None` if it has no effect.
    fn replace_elements(
        &mut self,
        header: &Header,
        entry: usize,
        elements: &Range<u64>,
        inserted: Vec<ElementRun>,
    ) -> Option<UndoAction> {
        if elements.is_empty() && inserted.is_empty() {
            return None;
        }
        if let EntryValue::Array(array) = &mut self.entries[entry].value {
            let end = elements.start + inserted.iter().map(ElementRun::len).sum::<u64>();
            let runs = array.replace(elements, inserted);
            return Some(UndoAction::ReplaceElements { entry, elements: elements.start..end, runs });
        }
        let mut array = self.entries[entry].to_edited_array(header);
        array.replace(elements, inserted);
        Some(self.set_value(entry, EntryValue::Array(array)))
    }

    /// Moves an entry, and sets its `is_moved`. Returns the old `is_moved`.
    fn move_entry(&mut self, entry: usize, position: usize, is_moved: bool) -> bool {
        let mut moved = self.entries.remove(entry);
        let was_moved = replace(&mut moved.is_moved, is_moved);
        self.entries.insert(position, moved);
        was_moved
    }

    /// Sets the name of a tensor; `None` is the original name. Returns the old name in the same form.
    fn set_tensor_name(&mut self, tensor: usize, name: Option<Arc<[u8]>>) -> Option<Arc<[u8]>> {
        self.set_renamed(tensor, false);
        let before = replace(&mut self.tensors[tensor].name, name);
        self.set_renamed(tensor, true);
        before
    }

    /// The entry with the original shape of a tensor, which belongs to its name.
    fn find_shape(&self, header: &Header, tensor: usize) -> Option<usize> {
        self.find(header, &shape_key(&self.tensors[tensor].name(header)?))
    }

    /// Gives the entry with the original shape of a tensor the key of its new name. Returns the entry and its old key. An entry that has
    /// that key stays what it is.
    fn rename_shape(&mut self, header: &Header, tensor: usize, name: &[u8]) -> Option<(usize, Option<Arc<[u8]>>)> {
        let (entry, key) = (self.find_shape(header, tensor)?, shape_key(name));
        if self.find(header, &key).is_some() {
            return None;
        }
        Some((entry, self.entries[entry].key.replace(key.into())))
    }

    /// Adds a renamed tensor to the index of new names, or removes it. A tensor with its original name is not in the index.
    fn set_renamed(&mut self, tensor: usize, is_renamed: bool) {
        let Tensor { origin, name: Some(name) } = &self.tensors[tensor] else { return };
        let key = (name.clone(), *origin);
        if is_renamed {
            self.renamed.insert(key)
        } else {
            self.renamed.remove(&key)
        };
    }

    /// The number of tensors that have new names.
    pub fn renamed_count(&self) -> usize {
        self.renamed.len()
    }

    /// The identifier of the entry that a change adds.
    pub fn added_id(&self, change: ChangeId) -> EntryId {
        EntryId::of_added(self.original_count, change)
    }

    /// The position of the first entry with a key.
    pub fn find(&self, header: &Header, key: &[u8]) -> Option<usize> {
        // The index of the original header finds original keys. So only new keys are compared one by one.
        let origins: Vec<usize> = header.keys().positions(key).collect();
        self.entries.iter().position(|entry| match (&entry.key, entry.origin) {
            (Some(own), _) => **own == *key,
            (None, origin) => origin.is_some_and(|origin| origins.binary_search(&origin).is_ok()),
        })
    }

    /// The position of the entry with an identifier.
    pub fn position_of(&self, id: EntryId) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == id)
    }

    /// The position of the first tensor with a name.
    pub fn find_tensor(&self, header: &Header, name: &[u8]) -> Option<usize> {
        let mut kept = header.tensor_names().positions(name).filter_map(|origin| self.position_of_tensor(origin));
        let kept = kept.find(|position| self.tensors[*position].name.is_none());
        let mut renamed = self.renamed.range((Arc::from(name), 0)..).take_while(|(own, _)| **own == *name);
        let renamed = renamed.next().and_then(|(_, origin)| self.position_of_tensor(*origin));
        kept.into_iter().chain(renamed).min()
    }

    /// The position of the tensor that is at `origin` in the original header. `None` if it is removed.
    pub fn position_of_tensor(&self, origin: usize) -> Option<usize> {
        self.tensors.binary_search_by_key(&origin, |tensor| tensor.origin).ok()
    }

    /// The alignment of the data section, read as [`Header::alignment`] reads it.
    pub fn alignment(&self, header: &Header) -> u64 {
        let entry = self.find(header, ALIGNMENT.as_bytes()).map(|position| &self.entries[position]);
        let value = entry.and_then(|entry| entry.value(header)).and_then(|value| value.as_u64());
        value.filter(|alignment| (1..1 << 32).contains(alignment)).unwrap_or(DEFAULT_ALIGNMENT)
    }
}

fn shape_key(tensor: &[u8]) -> Vec<u8> {
    [ORIGINAL_SHAPE.as_bytes(), tensor].concat()
}
