//! The budget of a model folder: how much memory and how much work its small files may cause.
//!
//! A small file can describe something large: each step of a decoder can double a text, and a value of JSON takes fifty times the
//! memory of its text. So what is made from the small files is counted while it is made, against one budget for the whole folder:
//!
//! - **bytes**: the values of JSON files, tokens, merges, pieces, ids, templates and replaced texts. The bytes count by fixed sizes, so
//!   that all hosts accept the same files. Most are not given back when the memory is.
//! - **steps**: characters that decoders and normalisers look at, and tries of regular expressions. A step takes about 10 ns.
//!
//! Counting bytes also makes sure that the memory is there: it is reserved ahead, so that small allocations cannot fail, and the memory
//! of a module grows in few steps.

use alloc::vec::Vec;
use core::cell::Cell;

use gguf_format::allocation;
use gguf_format::error::{Error, Result, error, no_memory};

/// The most bytes that may be counted. The largest known vocabularies need 300 MiB.
const MOST_BYTES: u64 = 512 << 20;

/// The most steps. The largest known vocabularies need 2 million.
const MOST_STEPS: u64 = 1 << 26;

/// The least bytes that are reserved ahead.
const LEAST_AHEAD: u64 = 1 << 20;

/// The size of a piece from which its memory is looked for on its own.
const LARGE: u64 = LEAST_AHEAD / 8;

/// The remaining memory and work that the small files of a folder may cause.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    most_bytes: u64,
    bytes: Cell<u64>,
    steps: Cell<u64>,
    /// Bytes that were seen to be free, and are not counted yet.
    ahead: Cell<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(MOST_BYTES, MOST_STEPS)
    }
}

impl Budget {
    /// A budget of this number of bytes and steps.
    pub fn new(bytes: u64, steps: u64) -> Self {
        Self { most_bytes: bytes, bytes: Cell::new(bytes), steps: Cell::new(steps), ahead: Cell::new(0) }
    }

    /// A budget for the bytes of one file: at most `most`, and what is left.
    pub fn part(&self, most: u64) -> Self {
        let left = self.bytes_left();
        // An error names the limit that was reached.
        let most_bytes = if most < left { most } else { self.most_bytes };
        Self { most_bytes, ..Self::new(most.min(left), 0) }
    }

    /// The bytes that are left.
    pub fn bytes_left(&self) -> u64 {
        self.bytes.get()
    }

    /// The steps that are left.
    #[cfg(test)]
    pub fn steps_left(&self) -> u64 {
        self.steps.get()
    }

    /// The bytes that were counted.
    pub fn bytes_taken(&self) -> u64 {
        self.most_bytes - self.bytes.get()
    }

    /// Counts memory before it is allocated, and makes sure that it is there.
    ///
    /// # Errors
    ///
    /// `too-large` if the budget, or the memory, is used up.
    pub fn take(&self, bytes: u64) -> Result<()> {
        let left = self.bytes.get().checked_sub(bytes).ok_or_else(|| too_many_bytes(self.most_bytes))?;
        self.bytes.set(left);
        // A large piece may not fit between small ones that were allocated since.
        match self.ahead.get().checked_sub(bytes).filter(|_| bytes < LARGE) {
            Some(ahead) => self.ahead.set(ahead),
            None => {
                let ahead = LEAST_AHEAD.max(self.bytes_taken() / 4);
                self.expect(bytes.saturating_add(ahead))?;
                self.ahead.set(ahead);
            }
        }
        Ok(())
    }

    /// Adds an element to a list. It counts `bytes`.
    ///
    /// # Errors
    ///
    /// `too-large` if the budget, or the memory, is used up.
    pub fn push<T>(&self, list: &mut Vec<T>, element: T, bytes: u64) -> Result<()> {
        self.take(bytes)?;
        if list.len() == list.capacity() {
            // The list is copied to a larger piece.
            self.ahead.set(0);
            list.try_reserve(1).map_err(|_| no_memory(bytes * list.len() as u64))?;
        }
        list.push(element);
        Ok(())
    }

    /// Gives back bytes that were counted for something temporary.
    pub fn give_back(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_add(bytes));
    }

    /// Makes sure that memory is there in one piece, without counting it: for something temporary that is no larger than what is
    /// counted.
    ///
    /// # Errors
    ///
    /// `too-large` if it is not.
    pub fn expect(&self, bytes: u64) -> Result<()> {
        // What was seen to be free may be part of this piece.
        self.ahead.set(0);
        if allocation::is_available(bytes) { Ok(()) } else { Err(no_memory(bytes)) }
    }

    /// Counts work before it is done.
    ///
    /// # Errors
    ///
    /// `too-large` if the budget is used up.
    pub fn step(&self, steps: u64) -> Result<()> {
        self.steps.set(self.steps.get().checked_sub(steps).ok_or_else(too_many_steps)?);
        Ok(())
    }
}

#[cold]
fn too_many_bytes(most: u64) -> Error {
    error!(TooLarge:
        "what the file describes takes more than {most} bytes of memory, the limit for files of a model folder; check that it belongs to \
         the model, and download it again")
}

#[cold]
fn too_many_steps() -> Error {
    error!(TooLarge:
        "the tokenizer of the model takes more than {MOST_STEPS} steps, the limit for a folder; check that its files belong to the \
         model, and download them again")
}
