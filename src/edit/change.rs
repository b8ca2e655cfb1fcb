//! One change.

use alloc::sync::Arc;
use core::ops::Range;

use crate::format::value::ValueType;
use crate::format::version::Endian;
use crate::write::new_value::NewValue;

/// A change to a header. Positions are those at that moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the members are what the variants' documentation names")]
pub enum Change {
    /// The entry gets another value.
    Set { entry: usize, value: NewValue },
    /// The entry gets the same value as another type. `types` are the value's type and, of an array, its elements' and so
    /// on; `value` is what the entry's value at that moment became.
    Retype { entry: usize, types: Arc<[ValueType]>, value: NewValue },
    /// A new entry is put in before the one at the position.
    Add { position: usize, key: Arc<[u8]>, value: NewValue },
    /// The entry is taken out.
    Remove { entry: usize },
    /// The entry gets another key.
    Rename { entry: usize, key: Arc<[u8]> },
    /// The entry is taken out and put in again, so that it then has the position.
    Move { entry: usize, position: usize },
    /// The elements of the inserted array, if there is one, take the place of some.
    Splice { entry: usize, elements: Range<u64>, inserted: Option<NewValue> },
    /// The tensor gets another name.
    RenameTensor { tensor: usize, name: Arc<[u8]> },
    /// The tensor is taken out, its data too.
    RemoveTensor { tensor: usize },
    /// The tensors' data is placed without gaps and in order.
    Repack,
    /// The file gets another version.
    Version(u32),
    /// Every number of the file gets the other byte order.
    ByteOrder(Endian),
}

/// One step that [`Edit::undo`](super::Edit::undo) takes back and [`Edit::redo`](super::Edit::redo) makes again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum HistoryStep {
    /// The change is made.
    Make(Change),
    /// The change at a position among the changes is reverted.
    Revert {
        /// The position of the change.
        position: usize,
    },
}

impl Change {
    /// Bytes of the new value in it.
    pub(super) fn held(&self) -> u64 {
        match self {
            Self::Set { value, .. } | Self::Retype { value, .. } | Self::Add { value, .. } => value.byte_length(),
            Self::Splice { inserted, .. } => inserted.as_ref().map_or(0, NewValue::byte_length),
            _ => 0,
        }
    }
}

/// A key or a name that is kept.
#[inline(never)]
pub(super) fn shared(name: &[u8]) -> Arc<[u8]> {
    name.into()
}
