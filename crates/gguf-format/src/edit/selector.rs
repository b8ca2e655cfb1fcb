//! The ways to select one entry or one tensor of the edited header.

use core::fmt;

use super::ids::{EntryId, TensorId};
use crate::write::checks::lossy;

/// Selects one entry of the edited header.
#[derive(Clone, Copy, Debug)]
pub enum EntrySelector<'a> {
    /// The first entry with this key.
    Key(&'a [u8]),
    /// The entry at this position.
    Index(usize),
    /// The entry with this identifier, at any position.
    Id(EntryId),
}

/// Selects one tensor of the edited header.
#[derive(Clone, Copy, Debug)]
pub enum TensorSelector<'a> {
    /// The first tensor with this name.
    Name(&'a [u8]),
    /// The tensor at this position.
    Index(usize),
    /// The tensor with this identifier, at any position.
    Id(TensorId),
}

macro_rules! impl_selector {
    ($selector:ident, $name:ident, $id:ident, $term:literal) => {
        impl<'a> From<&'a str> for $selector<'a> {
            fn from(name: &'a str) -> Self {
                Self::$name(name.as_bytes())
            }
        }

        impl<'a> From<&'a [u8]> for $selector<'a> {
            fn from(name: &'a [u8]) -> Self {
                Self::$name(name)
            }
        }

        impl From<usize> for $selector<'_> {
            fn from(index: usize) -> Self {
                Self::Index(index)
            }
        }

        impl From<$id> for $selector<'_> {
            fn from(id: $id) -> Self {
                Self::Id(id)
            }
        }

        impl fmt::Display for $selector<'_> {
            /// The selector in the words of an error message: `with the key "general.name"`, `at position 3`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::$name(name) => write!(f, "with the {} \"{}\"", $term, lossy(name)),
                    Self::Index(index) => write!(f, "at position {index}"),
                    Self::Id(id) => write!(f, "with the id {}", id.0),
                }
            }
        }
    };
}
impl_selector!(EntrySelector, Key, EntryId, "key");
impl_selector!(TensorSelector, Name, TensorId, "name");
