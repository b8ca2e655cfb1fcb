//! The edit of one header: its changes, and the steps that can be undone and redone.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use super::change::{Change, HistoryStep, RecordedChange};
use super::edited_header::{EditedHeader, UndoAction};
use super::ids::ChangeId;
use crate::error::{Error, Result, error};
use crate::format::header::Header;
use crate::write::new_value::MAX_VALUE_BYTES;

/// An edit of a header: a list of changes, and the header after all of them.
///
/// Every change is checked before it is made. If it is refused, nothing changes.
///
/// # Examples
///
/// ```
/// use gguf_format::edit::Edit;
///
/// # let file = gguf_format::example_file();
/// let mut edit = Edit::new(gguf_format::parse(&file)?);
/// edit.set("general.architecture", &"mamba".into())?;
/// edit.rename("llama.block_count", b"mamba.block_count")?;
/// edit.set_element("tokenizer.ggml.tokens", 1, &"<bos>".into())?;
///
/// let plan = edit.plan(Some(file.len() as u64))?;
/// let header: Vec<u8> =
///     plan.header_pieces(edit.header().bytes(), 0..plan.header_size()).flatten().copied().collect();
/// let header = gguf_format::parse(&header)?;
/// assert_eq!(header.get("general.architecture").unwrap().value().as_str().unwrap(), "mamba");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Edit {
    pub(super) header: Arc<Header>,
    /// The header after all changes.
    pub(super) edited: EditedHeader,
    changes: Vec<RecordedChange>,
    /// For each change, the action that undoes it.
    undo_actions: Vec<UndoAction>,
    /// The steps that can be undone. [`undo`](Self::undo) undoes the last one first.
    done: Vec<DoneStep>,
    /// The steps that can be redone. [`redo`](Self::redo) redoes the last one first.
    undone: Vec<HistoryStep>,
    /// An upper bound of the bytes of new values that the changes keep in memory. Counted exactly when it reaches the
    /// limit.
    retained_bytes: u64,
}

enum DoneStep {
    /// The last `count` changes were made together.
    Made { count: usize },
    /// A change was reverted: the later changes were made again without it.
    Reverted {
        /// The position of the reverted change.
        position: usize,
        /// The changes from `position` on, as they were before the revert. The first one is the reverted change.
        before: Vec<RecordedChange>,
    },
}

/// A step whose changes are being made.
#[doc(hidden)]
pub struct OpenStep {
    /// The numbers of steps and of changes before it.
    done: usize,
    changes: usize,
    /// The steps that could be redone before it.
    undone: Vec<HistoryStep>,
}

/// The number of the next [`ChangeId`]. All edits of a program share it.
static NEXT_CHANGE_ID: AtomicUsize = AtomicUsize::new(0);

/// The most bytes of new values that the changes of an edit keep in memory.
const MAX_RETAINED_BYTES: u64 = 2 * MAX_VALUE_BYTES as u64;

impl Edit {
    /// An edit without changes.
    pub fn new(header: impl Into<Arc<Header>>) -> Self {
        let header = header.into();
        let edited = EditedHeader::new(&header);
        Self {
            header,
            edited,
            changes: Vec::new(),
            undo_actions: Vec::new(),
            done: Vec::new(),
            undone: Vec::new(),
            retained_bytes: 0,
        }
    }

    /// A new edit of the same header that has made the first `count` changes of this one.
    #[doc(hidden)]
    pub fn with_first_changes(&self, count: usize) -> Self {
        let mut edit = Self::new(self.header.clone());
        for made in self.changes.iter().take(count) {
            edit.make(made.clone());
        }
        edit
    }

    /// The original header.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The current changes in the order in which they were made. Undone and reverted changes are not among them.
    pub fn changes(&self) -> &[RecordedChange] {
        &self.changes
    }

    /// The undone steps. [`redo`](Self::redo) redoes the last one first.
    pub fn undone(&self) -> &[HistoryStep] {
        &self.undone
    }

    /// Whether there is a step to undo.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Whether there is a step to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Undoes the last step: a change or a revert. Returns `false` if there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::edit::Edit;
    ///
    /// # let file = gguf_format::example_file();
    /// let mut edit = Edit::new(gguf_format::parse(&file)?);
    /// edit.remove("general.architecture")?;
    /// assert!(edit.can_undo() && edit.undo());
    /// assert_eq!(edit.entry(0).unwrap().key(), &b"general.architecture"[..]);
    /// assert!(edit.can_redo() && edit.redo());
    /// assert_eq!(edit.entry(0).unwrap().key(), &b"llama.block_count"[..]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> bool {
        match self.done.pop() {
            None => false,
            Some(DoneStep::Made { count }) => {
                let before = self.changes.len() - count;
                for action in self.undo_actions.split_off(before).into_iter().rev() {
                    self.edited.undo(action);
                }
                self.undone.push(HistoryStep::Make(self.changes.split_off(before)));
                true
            }
            Some(DoneStep::Reverted { position, before }) => {
                self.undone.extend(before.first().map(|reverted| HistoryStep::Revert { id: reverted.id, position }));
                self.replace_changes_from(position, before);
                true
            }
        }
    }

    /// Makes a change that has passed its checks, and gives it an identifier. The undone steps are discarded. A change
    /// without effect is not recorded, and the undone steps are kept.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if the changes would keep too many bytes in memory.
    pub(super) fn record(&mut self, change: Change) -> Result<()> {
        let bytes = change.value_bytes();
        if self.retained_bytes + bytes > MAX_RETAINED_BYTES {
            self.retained_bytes = self.count_retained_bytes();
        }
        if self.retained_bytes + bytes > MAX_RETAINED_BYTES {
            return Err(too_much_retained());
        }
        let id = ChangeId(NEXT_CHANGE_ID.fetch_add(1, Ordering::Relaxed));
        if self.make(RecordedChange { id, change }) {
            self.discard_undone();
            self.retained_bytes += bytes;
        }
        Ok(())
    }

    /// Makes a change that has passed its checks and has an identifier. Returns whether it has an effect.
    #[doc(hidden)]
    pub fn make(&mut self, made: RecordedChange) -> bool {
        self.make_together([made])
    }

    /// Makes changes that have passed their checks and have identifiers, as one step. Returns whether they have an effect.
    pub(super) fn make_together(&mut self, changes: impl IntoIterator<Item = RecordedChange>) -> bool {
        let before = self.changes.len();
        for made in changes {
            if let Some(action) = self.edited.apply(&self.header, &made) {
                self.undo_actions.push(action);
                self.changes.push(made);
            }
        }
        let count = self.changes.len() - before;
        if count > 0 {
            self.done.push(DoneStep::Made { count });
        }
        count > 0
    }

    /// Begins a step of several changes. The caller makes changes, and then closes the step.
    #[doc(hidden)]
    pub fn open_step(&mut self) -> OpenStep {
        let undone = core::mem::take(&mut self.undone);
        OpenStep { done: self.done.len(), changes: self.changes.len(), undone }
    }

    /// Ends a step. If all its changes were made, [`undo`](Self::undo) undoes all of them. Otherwise none remains.
    #[doc(hidden)]
    pub fn close_step(&mut self, step: OpenStep, is_made: bool) {
        if !is_made {
            while self.done.len() > step.done {
                self.undo();
            }
        }
        let count = self.changes.len() - step.changes;
        if count == 0 {
            self.undone = step.undone;
        } else {
            self.done.truncate(step.done);
            self.done.push(DoneStep::Made { count });
        }
    }

    /// Takes the step to redo next.
    pub(super) fn pop_undone(&mut self) -> Option<HistoryStep> {
        self.undone.pop()
    }

    /// Discards the undone steps: they can no longer be redone.
    pub(super) fn discard_undone(&mut self) {
        self.undone.clear();
    }

    /// Reverts the change at `position`: replaces the changes from there on with `changes`. The revert is one step of undo.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if the old and the new changes together would keep too many bytes in memory.
    pub(super) fn finish_revert(&mut self, position: usize, changes: Vec<RecordedChange>) -> Result<()> {
        let before = self.replace_changes_from(position, changes);
        self.done.push(DoneStep::Reverted { position, before });
        self.retained_bytes = self.count_retained_bytes();
        if self.retained_bytes <= MAX_RETAINED_BYTES {
            return Ok(());
        }
        if let Some(DoneStep::Reverted { position, before }) = self.done.pop() {
            self.replace_changes_from(position, before);
        }
        Err(too_much_retained())
    }

    /// Replaces the changes from `position` on, and makes all changes again from the original header. Returns the replaced
    /// changes.
    fn replace_changes_from(&mut self, position: usize, changes: Vec<RecordedChange>) -> Vec<RecordedChange> {
        let before = self.changes.split_off(position);
        self.changes.extend(changes);
        self.edited = EditedHeader::new(&self.header);
        self.undo_actions = self.changes.iter().filter_map(|made| self.edited.apply(&self.header, made)).collect();
        before
    }

    /// The bytes of new values that the changes and the steps keep in memory.
    fn count_retained_bytes(&self) -> u64 {
        let changes = self.changes.iter().map(|made| made.change.value_bytes());
        changes.sum::<u64>() + self.done.iter().map(DoneStep::retained_bytes).sum::<u64>()
    }
}

impl DoneStep {
    /// The bytes of new values that only this step keeps in memory: the value of the reverted change, and converted values,
    /// because a revert converts them again. All other values are shared with the current changes.
    fn retained_bytes(&self) -> u64 {
        let Self::Reverted { before, .. } = self else { return 0 };
        let is_own =
            |(index, made): &(usize, &RecordedChange)| *index == 0 || matches!(made.change, Change::Retype { .. });
        before.iter().enumerate().filter(is_own).map(|(_, made)| made.change.value_bytes()).sum()
    }
}

#[cold]
fn too_much_retained() -> Error {
    error!(LimitExceeded:
        "cannot make the change: all changes together keep at most {MAX_RETAINED_BYTES} bytes of new values in memory; \
         save the file and edit it again")
}
