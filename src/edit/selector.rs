//! Which entry or tensor is meant.

use core::fmt;

use crate::write::checks::lossy;

/// Which metadata entry is meant: the first with a key, or the one at a position among the entries as they are by then.
#[derive(Clone, Copy, Debug)]
pub enum EntrySelector<'a> {
    /// The first entry with this key.
    Key(&'a [u8]),
    /// The entry at this position.
    Index(usize),
}

/// Which tensor is meant: the first with a name, or the one at a position among the tensors as they are by then.
#[derive(Clone, Copy, Debug)]
pub enum TensorSelector<'a> {
    /// The first tensor with this name.
    Name(&'a [u8]),
    /// The tensor at this position.
    Index(usize),
}

macro_rules! at_from {
    ($at:ident, $name:ident) => {
        impl<'a> From<&'a str> for $at<'a> {
            fn from(name: &'a str) -> Self {
                Self::$name(name.as_bytes())
            }
        }

        impl<'a> From<&'a [u8]> for $at<'a> {
            fn from(name: &'a [u8]) -> Self {
                Self::$name(name)
            }
        }

        impl From<usize> for $at<'_> {
            fn from(index: usize) -> Self {
                Self::Index(index)
            }
        }

        impl fmt::Display for $at<'_> {
            /// The name in quotation marks, or the position.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Self::$name(name) => write!(f, "\"{}\"", lossy(name)),
                    Self::Index(index) => write!(f, "{index}"),
                }
            }
        }
    };
}
at_from!(EntrySelector, Key);
at_from!(TensorSelector, Name);
