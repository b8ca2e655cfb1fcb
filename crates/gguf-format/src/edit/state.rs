//! The state of an entry or a tensor, compared with the original file.

use gguf_declare::names;

names! {
    /// The state of an entry or a tensor, compared with the original file.
    pub enum EditState {
        /// It is the same in the original file.
        Unchanged = "unchanged",
        /// A change has set its value, its key or its name, or has moved it. It stays changed even if a later change restores
        /// the original value.
        Changed = "changed",
        /// A change has added it.
        Added = "added",
        /// A change has removed it.
        Removed = "removed",
    }
}
