//! The edit of one header: its changes, undo and redo.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::change::{Change, HistoryStep, RecordedChange};
use super::edited_header::{EditedHeader, UndoAction};
use super::ids::ChangeId;
use crate::error::ErrorCode;
use crate::format::header::Header;
use crate::write::error::{EditError, Result};
use crate::write::new_value::MAX_VALUE_BYTES;

/// An edit of a header: changes that are made one after the other, and the header that they lead to.
///
/// Every method that changes something checks the change first. A change that is refused leaves everything as it was.
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
    pub(super) header: Arc<Header>,
    /// The header after all changes.
    pub(super) edited: EditedHeader,
    changes: Vec<RecordedChange>,
    /// What undoes each of the changes.
    undo_actions: Vec<UndoAction>,
    /// The steps that undo undoes, the last one first.
    done: Vec<DoneStep>,
    /// The steps that redo redoes, the last one first.
    undone: Vec<HistoryStep>,
    /// At least the size of all new values that the changes keep in memory. Counted again when it reaches the limit.
    retained_bytes: u64,
}

enum DoneStep {
    /// The last change was made.
    Made,
    /// A change was reverted. The later changes were made again without it.
    Reverted {
        position: usize,
        /// The changes from `position` on before the revert. The first is the reverted one.
        before: Vec<RecordedChange>,
    },
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

    /// The original header.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The changes in the order in which they were made, without those that were undone or reverted.
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
    /// use gguf_wasm::Edit;
    ///
    #[doc = include_str!("../doc_example.txt")]
    /// let mut edit = Edit::new(gguf_wasm::parse(&file)?);
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
            Some(DoneStep::Made) => {
                let (Some(made), Some(action)) = (self.changes.pop(), self.undo_actions.pop()) else { return false };
                self.edited.undo(action);
                self.undone.push(HistoryStep::Make(made));
                true
            }
            Some(DoneStep::Reverted { position, before }) => {
                self.undone.extend(before.first().map(|reverted| HistoryStep::Revert { id: reverted.id, position }));
                self.replace_changes_from(position, before);
                true
            }
        }
    }

    /// Redoes the step that was undone last. Returns `false` if there is none: a new change discards the undone steps.
    pub fn redo(&mut self) -> bool {
        self.undone.pop().is_some_and(|step| self.replay(&step))
    }

    /// Makes a step again that was possible when the header was as it is now. Returns whether it changed anything.
    pub(crate) fn replay(&mut self, step: &HistoryStep) -> bool {
        match step {
            HistoryStep::Make(made) => self.make(made.clone()),
            HistoryStep::Revert { position, .. } => self.revert_and_keep_undone(*position).is_ok(),
        }
    }

    /// Makes a change that has passed its checks, and gives it an identifier. A change that changes nothing is not recorded
    /// and leaves the undone steps.
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

    /// Makes a change that has passed its checks and has an identifier. Returns whether it changed anything.
    pub(crate) fn make(&mut self, made: RecordedChange) -> bool {
        let Some(action) = self.edited.apply(&self.header, &made) else { return false };
        self.undo_actions.push(action);
        self.changes.push(made);
        self.done.push(DoneStep::Made);
        true
    }

    pub(super) fn discard_undone(&mut self) {
        self.undone.clear();
    }

    /// Replaces the changes from `position` on by other ones, as one step of undo: the revert of the change at `position`.
    ///
    /// # Errors
    ///
    /// `limit-exceeded` if both lists of changes together would keep too many bytes in memory.
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

    /// Replaces the changes from `position` on, and makes all changes again. Returns the replaced changes.
    fn replace_changes_from(&mut self, position: usize, changes: Vec<RecordedChange>) -> Vec<RecordedChange> {
        let before = self.changes.split_off(position);
        self.changes.extend(changes);
        self.edited = EditedHeader::new(&self.header);
        self.undo_actions = self.changes.iter().filter_map(|made| self.edited.apply(&self.header, made)).collect();
        before
    }

    fn count_retained_bytes(&self) -> u64 {
        let changes = self.changes.iter().map(|made| made.change.value_bytes());
        changes.sum::<u64>() + self.done.iter().map(DoneStep::retained_bytes).sum::<u64>()
    }
}

impl DoneStep {
    /// The size of the values that only this step keeps: that of the reverted change, and converted values, which a revert
    /// converts again. Other values are shared with the changes.
    fn retained_bytes(&self) -> u64 {
        let Self::Reverted { before, .. } = self else { return 0 };
        let is_own =
            |(index, made): &(usize, &RecordedChange)| *index == 0 || matches!(made.change, Change::Retype { .. });
        before.iter().enumerate().filter(is_own).map(|(_, made)| made.change.value_bytes()).sum()
    }
}

#[cold]
fn too_much_retained() -> EditError {
    let message = format!(
        "cannot make the change: all changes together keep at most {MAX_RETAINED_BYTES} bytes of new values in memory; \
         save the file and edit it again"
    );
    EditError::new(ErrorCode::LimitExceeded, message)
}
