//! Reverting one change: the later changes are repeated without it.
//!
//! A later change selects entries and tensors by their positions. Without the reverted change, the same entry can be at
//! another position. So the position is translated: the identifier of the entry is looked up in the header without the
//! reverted change. Each translated change passes the checks of a new change. If one of them is refused, the revert is
//! refused.

use alloc::vec::Vec;

use super::change::{Change, RecordedChange};
use super::edited_header::EditedHeader;
use super::history::Edit;
use super::ids::{EntryId, TensorId};
use super::selector::{EntrySelector, TensorSelector};
use super::value_difference::ValueDifference;
use crate::error::{Error, Result, error};
use crate::write::checks::lossy;

impl Edit {
    /// Reverts the change at a position of [`changes`](Self::changes): the header becomes what it would be if that change
    /// had never been made and all others had. A revert is one step of [`undo`](Self::undo).
    ///
    /// # Errors
    ///
    /// `unknown-change`. `conflict` if a later change depends on the change: for example, if it changes the entry that this
    /// change added. `key-taken`, `name-taken`, `does-not-fit`, `bad-alignment`, `limit-exceeded` or `unsupported-version`
    /// if a later change cannot be made without the change.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::edit::Edit;
    ///
    /// # let file = gguf_format::example_file();
    /// let mut edit = Edit::new(gguf_format::parse(&file)?);
    /// edit.remove("general.architecture")?;
    /// edit.rename("llama.block_count", b"mamba.block_count")?;
    /// edit.revert(0)?;
    /// assert_eq!(edit.changes().len(), 1);
    /// assert_eq!(edit.entry(0).unwrap().key(), &b"general.architecture"[..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn revert(&mut self, position: usize) -> Result<()> {
        self.revert_and_keep_undone(position)?;
        self.discard_undone();
        Ok(())
    }

    /// Reverts the change at a position, and keeps the undone steps.
    ///
    /// # Errors
    ///
    /// Those of [`revert`](Self::revert).
    pub(super) fn revert_and_keep_undone(&mut self, position: usize) -> Result<()> {
        let count = self.changes().len();
        let Some(reverted) = self.changes().get(position) else {
            return Err(error!(UnknownChange: "cannot revert change {position}: there are {count} changes"));
        };
        let mut replay = Replay::new(self, position, reverted);
        for made in &self.changes()[position + 1..] {
            replay.make(made)?;
        }
        let changes = replay.finish()?;
        self.finish_revert(position, changes)
    }
}

/// Repeats the later changes without the reverted one.
struct Replay {
    /// The header with the reverted change and the later changes so far.
    with: EditedHeader,
    /// An edit with the translated changes so far, without the reverted change.
    without: Edit,
    /// The number of changes before the reverted one.
    kept: usize,
    /// The entry that the reverted change added.
    added: Option<EntryId>,
    /// The entry whose value the reverted change changed, and the current difference of the value.
    changed: Option<(EntryId, ValueDifference)>,
    /// The error for a later change of the added entry. It is dropped if a still later change removes the entry.
    conflict: Option<Error>,
}

impl Replay {
    fn new(edit: &Edit, position: usize, reverted: &RecordedChange) -> Self {
        let header = edit.header();
        let (mut with, mut without) = (EditedHeader::new(header), Edit::new(header.clone()));
        for made in &edit.changes()[..position] {
            with.apply(header, made);
            without.make(made.clone());
        }
        let id_of = |entry: usize| with.entries[entry].id;
        let changed = match &reverted.change {
            Change::Set { entry, .. } | Change::Retype { entry, .. } => Some((id_of(*entry), ValueDifference::Value)),
            Change::Splice { entry, elements, inserted } => {
                let inserted = inserted.as_ref().and_then(|inserted| inserted.value().as_array());
                let end = elements.start + inserted.map_or(0, |inserted| inserted.len());
                let difference = ValueDifference::Elements { with: elements.start..end, without: elements.clone() };
                Some((id_of(*entry), difference))
            }
            _ => None,
        };
        let added = matches!(reverted.change, Change::Add { .. }).then(|| with.added_id(reverted.id));
        with.apply(header, reverted);
        Self { kept: without.changes().len(), with, without, added, changed, conflict: None }
    }

    /// Repeats a later change. A change without effect is left out.
    fn make(&mut self, made: &RecordedChange) -> Result<()> {
        let translated = match made.change.entry().map(|entry| self.with.entries[entry].id) {
            None => self.translate(&made.change)?,
            Some(id) => match self.without.edited.position_of(id) {
                Some(place) => self.translate_change_of_entry(&made.change, id, place)?,
                // Only the entry that the reverted change added can be missing.
                None => {
                    self.check_change_of_added(&made.change);
                    None
                }
            },
        };
        self.with.apply(self.without.header(), made);
        if let Some(change) = translated {
            self.without.make(RecordedChange { id: made.id, change });
        }
        Ok(())
    }

    /// The changes that replace the reverted change and the later ones.
    fn finish(self) -> Result<Vec<RecordedChange>> {
        match self.conflict {
            Some(conflict) => Err(conflict),
            None => Ok(self.without.changes()[self.kept..].to_vec()),
        }
    }

    /// Translates a change of an entry. `place` is the position of the entry without the reverted change.
    fn translate_change_of_entry(&mut self, change: &Change, id: EntryId, place: usize) -> Result<Option<Change>> {
        let entry = EntrySelector::Index(place);
        let edit = &self.without;
        let difference = self.changed.as_mut().filter(|(changed, _)| *changed == id).map(|(_, difference)| difference);
        let translated = match change {
            Change::Set { value, .. } => {
                let translated = edit.check_set(entry, value.clone())?;
                if let Some(difference) = difference {
                    *difference = ValueDifference::None;
                }
                translated
            }
            Change::Retype { types, value, .. } => match difference {
                None | Some(ValueDifference::None) => edit.check_converted(place, types.clone(), value.clone())?,
                Some(_) => edit.check_retype(entry, types.clone())?,
            },
            Change::Splice { elements, inserted, .. } => {
                let length = inserted.as_ref().and_then(|new| new.value().as_array()).map_or(0, |new| new.len());
                let elements = match difference {
                    None => elements.clone(),
                    Some(difference) => match difference.translate(elements, length) {
                        Some(elements) => elements,
                        None => return Err(elements_conflict(edit, place)),
                    },
                };
                edit.check_splice(entry, elements, inserted.clone())?
            }
            Change::Rename { key, .. } => edit.check_rename(entry, key.clone())?,
            Change::Remove { .. } => edit.check_remove(entry)?,
            Change::Move { entry: from, position } => {
                // With the reverted change: the entry that follows after the move, and its position before the move.
                let next = if position > from { position + 1 } else { *position };
                let target = self.place_before(next);
                edit.check_move(entry, if target > place { target - 1 } else { target })?
            }
            _ => return Ok(None),
        };
        Ok(Some(translated))
    }

    /// Checks a later change of the entry that the reverted change added. The change is left out. It is a conflict, unless
    /// it moves the entry or a still later change removes it.
    fn check_change_of_added(&mut self, change: &Change) {
        match change {
            Change::Move { .. } => {}
            Change::Remove { .. } => self.conflict = None,
            _ => {
                self.conflict = Some(error!(Conflict:
                    "cannot revert the change: a later change changes the entry that it added; revert the later change \
                     first"));
            }
        }
    }

    /// Translates a change that adds an entry, changes a tensor, or changes the whole file.
    fn translate(&self, change: &Change) -> Result<Option<Change>> {
        let edit = &self.without;
        let translated = match change {
            Change::Add { position, key, value } => {
                edit.check_add(Some(self.place_before(*position)), key.clone(), value.clone())?
            }
            Change::RenameTensor { tensor, name } => edit.check_rename_tensor(self.tensor(*tensor), name.clone())?,
            Change::RemoveTensor { tensor } => edit.check_remove_tensor(self.tensor(*tensor))?,
            Change::Version(version) => edit.check_version(*version)?,
            Change::Repack | Change::ByteOrder(_) => change.clone(),
            _ => return Ok(None),
        };
        Ok(Some(translated))
    }

    /// Translates the position at which an entry is inserted, from the header with the reverted change to the header without
    /// it. The entry that followed the inserted one still follows it. If the reverted change added that entry, the next one
    /// follows.
    fn place_before(&self, position: usize) -> usize {
        let mut next = self.with.entries[position..].iter().filter(|entry| Some(entry.id) != self.added);
        let place = next.next().and_then(|entry| self.without.edited.position_of(entry.id));
        place.unwrap_or(self.without.entry_count())
    }

    /// Selects the tensor that is at a position with the reverted change.
    fn tensor(&self, position: usize) -> TensorSelector<'static> {
        TensorId(self.with.tensors[position].origin).into()
    }
}

#[cold]
fn elements_conflict(edit: &Edit, entry: usize) -> Error {
    let key = edit.entry(entry).map(|entry| entry.key()).unwrap_or_default();
    error!(Conflict:
        "cannot revert the change of \"{}\": a later change changes some of the same elements; revert the later change \
         first", lossy(&key))
}
