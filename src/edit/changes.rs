//! The changes to a header: made, taken back and made again, and what they come to.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::draft::{Back, Draft};
use super::{Change, layout};
use crate::header::Header;
use crate::input::{EditError, EditErrorKind, LONGEST_VALUE, Result};
use crate::plan::WritePlan;

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
    /// Changes that were taken back, the last one first to be made again.
    undone: Vec<Change>,
    /// What the changes make of the header.
    pub(super) draft: Draft,
    /// What takes each of the changes back.
    back: Vec<Back>,
    /// Bytes of new values that have been kept since they were last counted.
    held: u64,
}

/// Bytes of new values that the changes keep between them.
const MOST_HELD: u64 = 2 * LONGEST_VALUE as u64;

impl Edit {
    /// An edit of a file that has changed nothing yet.
    pub fn new(header: impl Into<Arc<Header>>) -> Self {
        let header = header.into();
        let draft = Draft::new(&header);
        Self { header, changes: Vec::new(), undone: Vec::new(), draft, back: Vec::new(), held: 0 }
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

    /// Makes a change that has been found possible, unless it changes nothing.
    pub(super) fn change(&mut self, change: Change) -> Result<()> {
        let held = change.held();
        if self.held + held > MOST_HELD {
            self.held = self.changes.iter().map(Change::held).sum();
        }
        if self.held + held > MOST_HELD {
            let message = format!("all changes between them keep up to {MOST_HELD} bytes of new values");
            return Err(EditError::new(EditErrorKind::LimitExceeded, message));
        }
        if self.repeat(change) {
            self.undone.clear();
            self.held += held;
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

    /// Plans the changed file; `file_size` is that of the file as it is.
    ///
    /// # Errors
    ///
    /// `size-unknown`, `truncated`, `no-byte-order`, `limit-exceeded`, `too-large`.
    pub fn plan(&self, file_size: Option<u64>) -> Result<WritePlan> {
        let file_size = file_size.ok_or_else(layout::size_unknown)?;
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
}
