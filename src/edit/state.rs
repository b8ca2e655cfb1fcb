//! The state of an entry or a tensor, compared with the original file.

/// The state of an entry or a tensor, compared with the original file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditState {
    /// It is the same in the original file.
    Unchanged,
    /// A change has set its value, its key or its name, or has moved it. It stays changed even if a later change restores
    /// the original value.
    Changed,
    /// A change has added it.
    Added,
    /// A change has removed it.
    Removed,
}

impl EditState {
    /// The names of all states.
    pub const NAMES: &'static [&'static str] = &["unchanged", "changed", "added", "removed"];

    /// The name in the JavaScript API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}
