//! Several changes as one step of undo.

use super::change::Change;
use super::history::Edit;
use super::selector::{EntrySelector, TensorSelector};
use crate::error::Result;

impl Edit {
    /// Makes changes as one step: [`undo`](Self::undo) undoes all of them. If one is refused, none is made. So the fix of a
    /// finding is applied to the header that was validated.
    ///
    /// Each change is recorded on its own, so that each can be [reverted](Self::revert).
    ///
    /// # Errors
    ///
    /// The error of the first change that is refused.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::edit::{Change, Edit};
    ///
    /// # let file = gguf_format::example_file();
    /// let mut edit = Edit::new(gguf_format::parse(&file)?);
    /// let count = edit.entry_count();
    /// edit.apply(&[Change::Remove { entry: 0 }, Change::Remove { entry: 0 }])?;
    /// assert_eq!(edit.entry_count(), count - 2);
    /// assert!(edit.undo() && edit.entry_count() == count);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, changes: &[Change]) -> Result<()> {
        let step = self.open_step();
        let made = changes.iter().try_for_each(|change| self.record(self.check(change)?));
        self.close_step(step, made.is_ok());
        made
    }

    /// Checks a change of the current header.
    fn check(&self, change: &Change) -> Result<Change> {
        match change.clone() {
            Change::Set { entry, value } => self.check_set(EntrySelector::Index(entry), value),
            Change::Retype { entry, types, .. } => self.check_retype(EntrySelector::Index(entry), types),
            Change::Add { position, key, value } => self.check_add(Some(position), key, value),
            Change::Remove { entry } => self.check_remove(EntrySelector::Index(entry)),
            Change::Rename { entry, key } => self.check_rename(EntrySelector::Index(entry), key),
            Change::Move { entry, position } => self.check_move(EntrySelector::Index(entry), position),
            Change::Splice { entry, elements, inserted } => {
                self.check_splice(EntrySelector::Index(entry), elements, inserted)
            }
            Change::RenameTensor { tensor, name } => self.check_rename_tensor(TensorSelector::Index(tensor), name),
            Change::RemoveTensor { tensor } => self.check_remove_tensor(TensorSelector::Index(tensor)),
            Change::Version(version) => self.check_version(version),
            change @ (Change::Repack | Change::ByteOrder(_)) => Ok(change),
        }
    }
}
