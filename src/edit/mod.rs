//! Changes to a header, and the file that they make.
//!
//! An [`Edit`] records changes, one after the other, and can take them back. What has not been changed is copied from
//! the old file, and never decoded and encoded again: a broken string, an unknown tensor type, a boolean that is 2 come
//! through as they are.

mod change;
mod edited_array;
mod edited_entry;
mod edited_header;
mod elements;
mod entries;
mod header_layout;
mod history;
mod revert;
mod selector;
mod tensors;

pub use change::{Change, HistoryStep};
pub use entries::EditedKv;
pub use history::Edit;
pub use selector::{EntrySelector, TensorSelector};
