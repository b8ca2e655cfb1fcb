//! Changes to a header, and the file that they make.
//!
//! An [`Edit`] records changes, one after the other, and can take them back. What has not been changed is copied from
//! the old file, and never decoded and encoded again: a broken string, an unknown tensor type, a boolean that is 2 come
//! through as they are.

mod at;
mod change;
mod changes;
mod draft;
mod elements;
mod entries;
mod entry;
mod layout;
mod revert;
mod spliced;
mod tensors;

pub use at::{EntryAt, TensorAt};
pub use change::{Change, Step};
pub use changes::Edit;
pub use entries::EditedKv;
