//! The changes to a header: made, taken back and made again, and what they come to.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::edited_header::{Back, Draft};
use super::{Change, HistoryStep, header_layout};
use crate::error::ErrorCode;
use crate::format::header::Header;
use crate::write::error::{EditError, Result};
use crate::write::new_value::LONGEST_VALUE;
use crate::write::plan::WritePlan;

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
    pub(super) header: Arc<Header>,
    changes: Vec<Change>,
    /// The identifiers of the changes.
    ids: Vec<usize>,
    /// What takes each of the changes back.
    back: Vec<Back>,
    /// What the changes make of the header.
    pub(super) draft: Draft,
    /// The steps that led to the changes.
    done: Vec<Done>,
    /// The steps that were undone, the next one to be redone last.
    undone: Vec<HistoryStep>,
    /// For each undone step, the identifier of its change.
    undone_ids: Vec<usize>,
    /// Bytes of new values that have been kept since they were last counted.
    held: u64,
}

/// A step that was made.
enum Done {
    /// The last change was made.
    Made,
    /// A change was reverted, and those after it were made again without it.
    Reverted(Reverted),
}

/// The changes before a revert, from the reverted one on.
struct Reverted {
    position: usize,
    changes: Vec<Change>,
    ids: Vec<usize>,
}

impl Reverted {
    /// Bytes of new values that may be kept only for undo: of the reverted change, and of values that became others.
    fn held(&self) -> u64 {
        let later = self.changes.iter().skip(1).filter(|change| matches!(change, Change::Retype { .. }));
        self.changes.iter().take(1).chain(later).map(Change::held).sum()
    }
}

/// The identifier of the next change. All edits of a program share it, so that no edit takes another's change for its own.
static NEXT_ID: AtomicUsize = AtomicUsize::new(0);

/// Bytes of new values that the changes keep between them.
const MOST_HELD: u64 = 2 * LONGEST_VALUE as u64;

impl Edit {
    /// An edit of a file that has changed nothing yet.
    pub fn new(header: impl Into<Arc<Header>>) -> Self {
        let header = header.into();
        let draft = Draft::new(&header);
        Self {
            header,
            changes: Vec::new(),
            ids: Vec::new(),
            back: Vec::new(),
            draft,
            done: Vec::new(),
            undone: Vec::new(),
            undone_ids: Vec::new(),
            held: 0,
        }
    }

    /// The header of the file as it is.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The changes, the first one first.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The identifiers of the changes. A change keeps its identifier when other changes are undone or reverted, and no
    /// change of another edit has it.
    pub fn change_ids(&self) -> &[usize] {
        &self.ids
    }

    /// The steps that were undone and can be redone, the next one last.
    pub fn undone(&self) -> &[HistoryStep] {
        &self.undone
    }

    /// The identifiers of the changes that the undone steps make or revert.
    pub fn undone_ids(&self) -> &[usize] {
        &self.undone_ids
    }

    /// Undoes the last step: `false` if there is none.
    pub fn undo(&mut self) -> bool {
        match self.done.pop() {
            None => return false,
            Some(Done::Made) => {
                let (Some(change), Some(id), Some(back)) = (self.changes.pop(), self.ids.pop(), self.back.pop()) else {
                    return false;
                };
                if !self.draft.take_back(back) {
                    self.rebuild();
                }
                self.undone.push(HistoryStep::Make(change));
                self.undone_ids.push(id);
            }
            Some(Done::Reverted(Reverted { position, changes, ids })) => {
                self.undone.push(HistoryStep::Revert { position });
                self.undone_ids.extend(ids.first());
                self.replace_from(position, changes, ids);
            }
        }
        true
    }

    /// Makes the step again that was undone last: `false` if there is none, or if a change has been made since.
    pub fn redo(&mut self) -> bool {
        let (Some(step), Some(id)) = (self.undone.pop(), self.undone_ids.pop()) else { return false };
        self.step(step, id)
    }

    /// Makes a step that was possible before. Says whether it changes anything.
    pub(crate) fn step(&mut self, step: HistoryStep, id: usize) -> bool {
        match step {
            HistoryStep::Make(change) => self.repeat(change, id),
            HistoryStep::Revert { position } => self.take_out(position).is_ok(),
        }
    }

    /// Makes a change that has been found possible, unless it changes nothing.
    pub(super) fn change(&mut self, change: Change) -> Result<()> {
        let held = change.held();
        if self.held + held > MOST_HELD {
            self.held = self.count_held();
        }
        if self.held + held > MOST_HELD {
            return Err(too_much_held());
        }
        if self.repeat(change, NEXT_ID.fetch_add(1, Ordering::Relaxed)) {
            self.forget_undone();
            self.held += held;
        }
        Ok(())
    }

    /// Makes a change that has been made of the same entries and tensors before. Says whether it changes anything.
    pub(crate) fn repeat(&mut self, change: Change, id: usize) -> bool {
        let Some(back) = self.draft.make(&self.header, &change) else { return false };
        self.back.push(back);
        self.changes.push(change);
        self.ids.push(id);
        self.done.push(Done::Made);
        true
    }

    /// Ends the redo of what was undone.
    pub(super) fn forget_undone(&mut self) {
        self.undone.clear();
        self.undone_ids.clear();
    }

    /// Makes other changes the ones from a position on, as one step.
    pub(super) fn revert_to(&mut self, position: usize, changes: Vec<Change>, ids: Vec<usize>) -> Result<()> {
        let (changes, ids) = self.replace_from(position, changes, ids);
        self.done.push(Done::Reverted(Reverted { position, changes, ids }));
        self.held = self.count_held();
        if self.held <= MOST_HELD {
            return Ok(());
        }
        if let Some(Done::Reverted(Reverted { position, changes, ids })) = self.done.pop() {
            self.replace_from(position, changes, ids);
        }
        Err(too_much_held())
    }

    /// Puts other changes in the place of those from a position on, which are returned.
    fn replace_from(&mut self, position: usize, changes: Vec<Change>, ids: Vec<usize>) -> (Vec<Change>, Vec<usize>) {
        let before = (self.changes.split_off(position), self.ids.split_off(position));
        self.changes.extend(changes);
        self.ids.extend(ids);
        self.rebuild();
        before
    }

    /// Makes all changes again.
    fn rebuild(&mut self) {
        let mut draft = Draft::new(&self.header);
        self.back = self.changes.iter().filter_map(|change| draft.make(&self.header, change)).collect();
        self.draft = draft;
    }

    fn count_held(&self) -> u64 {
        let reverted = |done: &Done| match done {
            Done::Made => 0,
            Done::Reverted(reverted) => reverted.held(),
        };
        self.changes.iter().map(Change::held).sum::<u64>() + self.done.iter().map(reverted).sum::<u64>()
    }

    /// Plans the changed file; `file_size` is that of the file as it is.
    ///
    /// # Errors
    ///
    /// `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    pub fn plan(&self, file_size: Option<u64>) -> Result<WritePlan> {
        let file_size = file_size.ok_or_else(header_layout::size_unknown)?;
        header_layout::file(&self.header, &self.draft, !self.changes.is_empty(), file_size)
    }

    /// Plans the changed header alone, also where the file cannot be. The tensors' offsets are those in the changed file,
    /// or, where these cannot be told, those they have now.
    ///
    /// # Errors
    ///
    /// `limit-exceeded`, `too-large`.
    pub fn plan_header(&self, file_size: Option<u64>) -> Result<WritePlan> {
        header_layout::header(&self.header, &self.draft, file_size)
    }
}

#[cold]
fn too_much_held() -> EditError {
    let message = format!("all changes between them keep up to {MOST_HELD} bytes of new values");
    EditError::new(ErrorCode::LimitExceeded, message)
}
