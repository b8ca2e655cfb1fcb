//! How an entry or a tensor differs from the original file.

/// How an entry or a tensor differs from the original file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditState {
    /// No change has changed it.
    Unchanged,
    /// A change has set its value, its key or its name, or has moved it. It counts as changed even if a later change
    /// restored what was there.
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
