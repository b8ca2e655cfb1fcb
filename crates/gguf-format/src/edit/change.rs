//! One change, and one step of undo and redo.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use super::ids::ChangeId;
use crate::format::value::ValueType;
use crate::format::version::Endian;
use crate::write::new_value::NewValue;

/// A change to a header.
///
/// A position is an index in the list of entries or tensors as it is directly before the change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the documentation of each variant names its fields")]
pub enum Change {
    /// Gives the entry another `value`.
    Set { entry: usize, value: NewValue },
    /// Converts the value of the entry to other types. `types` has one type for each level of nesting: the type of the
    /// value, the type of its elements if it is an array, and so on. `value` is the converted value.
    Retype { entry: usize, types: Arc<[ValueType]>, value: NewValue },
    /// Adds an entry before the entry at `position`, or at the end if `position` is the number of entries.
    Add { position: usize, key: Arc<[u8]>, value: NewValue },
    /// Removes the entry.
    Remove { entry: usize },
    /// Gives the entry another `key`.
    Rename { entry: usize, key: Arc<[u8]> },
    /// Moves the entry to `position`, its index after the move.
    Move { entry: usize, position: usize },
    /// Replaces the `elements` of an array with the elements of the array `inserted`. `None` removes them.
    Splice { entry: usize, elements: Range<u64>, inserted: Option<NewValue> },
    /// Gives the tensor another `name`. The entry with its original shape follows.
    RenameTensor { tensor: usize, name: Arc<[u8]> },
    /// Removes the tensor and its data, and the entry with its original shape.
    RemoveTensor { tensor: usize },
    /// Packs the data of all tensors: without gaps, in the order of the tensors.
    Repack,
    /// Converts the file to another version of the format.
    Version(u32),
    /// Converts every number of the file to another byte order.
    ByteOrder(Endian),
}

/// A change that was made, and its identifier.
#[derive(Clone, Debug)]
pub struct RecordedChange {
    /// Identifies the change.
    pub id: ChangeId,
    /// The change.
    pub change: Change,
}

/// A step that [`Edit::undo`](crate::edit::Edit::undo) undoes and [`Edit::redo`](crate::edit::Edit::redo) redoes.
#[derive(Clone, Debug)]
pub enum HistoryStep {
    /// A change is made, or several changes that [`Edit::apply`](crate::edit::Edit::apply) makes together. At least one.
    Make(Vec<RecordedChange>),
    /// A change is reverted: see [`Edit::revert`](crate::edit::Edit::revert).
    Revert {
        /// The change that is reverted.
        id: ChangeId,
        /// Its position among the changes.
        position: usize,
    },
}

impl HistoryStep {
    /// The changes that are made, or the change that is reverted.
    pub fn ids(&self) -> impl Iterator<Item = ChangeId> {
        let (made, reverted) = match self {
            Self::Make(made) => (made.as_slice(), None),
            Self::Revert { id, .. } => (&[][..], Some(*id)),
        };
        made.iter().map(|made| made.id).chain(reverted)
    }
}

impl Change {
    /// The position of the entry that is changed. `None` if the change adds an entry or changes no entry.
    pub fn entry(&self) -> Option<usize> {
        match self {
            Self::Set { entry, .. }
            | Self::Retype { entry, .. }
            | Self::Remove { entry }
            | Self::Rename { entry, .. }
            | Self::Move { entry, .. }
            | Self::Splice { entry, .. } => Some(*entry),
            _ => None,
        }
    }

    /// The position of the tensor that is changed. `None` if the change changes no single tensor.
    pub fn tensor(&self) -> Option<usize> {
        match self {
            Self::RenameTensor { tensor, .. } | Self::RemoveTensor { tensor } => Some(*tensor),
            _ => None,
        }
    }

    /// The size in bytes of the new value that the change keeps in memory.
    pub(super) fn value_bytes(&self) -> u64 {
        match self {
            Self::Set { value, .. } | Self::Retype { value, .. } | Self::Add { value, .. } => value.byte_length(),
            Self::Splice { inserted, .. } => inserted.as_ref().map_or(0, NewValue::byte_length),
            _ => 0,
        }
    }
}
