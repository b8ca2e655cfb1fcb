//! What was changed, in sentences.

use alloc::string::String;
use alloc::vec::Vec;

/// A change that llama-server made before the template saw the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A stable name of the kind of change, for example `arguments-parsed`.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
}

/// The changes so far, each kind once.
#[derive(Debug, Default)]
pub(super) struct Notes(pub Vec<Note>);

impl Notes {
    #[inline(never)]
    pub fn add(&mut self, code: &'static str, message: &str) {
        if self.0.iter().all(|note| note.code != code) {
            self.0.push(Note { code, message: message.into() });
        }
    }
}
