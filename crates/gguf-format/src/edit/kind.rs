//! The kinds of changes.

use super::change::Change;
use gguf_declare::names;

names! {
    /// The kinds of changes to a file.
    #[typescript("ChangeKind")]
    pub enum ChangeKind {
        /// The value of an entry is set.
        Set = "set",
        /// An entry is added.
        Add = "add",
        /// An entry is removed.
        Remove = "remove",
        /// An entry gets another key.
        Rename = "rename",
        /// The value of an entry is converted to another type.
        Retype = "retype",
        /// An entry is moved.
        Move = "move",
        /// Elements of an array are replaced.
        SetElement = "set-element",
        /// Elements are inserted into an array.
        InsertElements = "insert-elements",
        /// Elements of an array are removed.
        RemoveElements = "remove-elements",
        /// A tensor gets another name.
        RenameTensor = "rename-tensor",
        /// A tensor is removed.
        RemoveTensor = "remove-tensor",
        /// The data of all tensors is packed.
        Repack = "repack",
        /// The file gets another version.
        Version = "version",
        /// The file gets another byte order.
        ByteOrder = "byte-order",
        /// A change is reverted.
        Revert = "revert",
        /// Several changes are made together.
        Apply = "apply",
    }
}

impl ChangeKind {
    /// The names of the kinds that a fix can have.
    #[doc(hidden)]
    pub const OF_FIXES: [&'static str; 12] = {
        let (mut names, mut count, mut kind) = ([""; 12], 0, 0);
        while kind < Self::ALL.len() {
            if !matches!(Self::ALL[kind], Self::Move | Self::InsertElements | Self::Revert | Self::Apply) {
                names[count] = Self::NAMES[kind];
                count += 1;
            }
            kind += 1;
        }
        names
    };
}

impl Change {
    /// The kind of the change.
    pub fn kind(&self) -> ChangeKind {
        match self {
            Self::Set { .. } => ChangeKind::Set,
            Self::Retype { .. } => ChangeKind::Retype,
            Self::Add { .. } => ChangeKind::Add,
            Self::Remove { .. } => ChangeKind::Remove,
            Self::Rename { .. } => ChangeKind::Rename,
            Self::Move { .. } => ChangeKind::Move,
            Self::Splice { inserted: None, .. } => ChangeKind::RemoveElements,
            Self::Splice { elements, .. } if elements.is_empty() => ChangeKind::InsertElements,
            Self::Splice { .. } => ChangeKind::SetElement,
            Self::RenameTensor { .. } => ChangeKind::RenameTensor,
            Self::RemoveTensor { .. } => ChangeKind::RemoveTensor,
            Self::Repack => ChangeKind::Repack,
            Self::Version(_) => ChangeKind::Version,
            Self::ByteOrder(_) => ChangeKind::ByteOrder,
        }
    }
}
