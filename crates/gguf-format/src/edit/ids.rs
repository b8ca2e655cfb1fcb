//! Identifiers of changes, entries and tensors.
//!
//! A position changes when other entries are added, removed or moved. An identifier stays the same.

/// Identifies a change of an [`Edit`](crate::edit::Edit).
///
/// A change keeps its identifier when it is undone and redone, and when other changes are undone or reverted. Two edits of
/// a program never use the same identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeId(pub usize);

/// Identifies an entry of an [`Edit`](crate::edit::Edit).
///
/// An entry keeps its identifier when it is changed, renamed or moved, and when changes are undone, redone or reverted. The
/// identifier of an entry of the original file is its position there. Other numbers identify added entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub usize);

impl EntryId {
    /// The identifier of the entry that a change adds to a file with `original_count` entries.
    ///
    /// It depends on nothing else, so the entry has the same identifier again when the change is redone.
    pub(super) fn of_added(original_count: usize, change: ChangeId) -> Self {
        Self(original_count + change.0)
    }
}

/// Identifies a tensor of an [`Edit`](crate::edit::Edit): its position in the original file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TensorId(pub usize);
