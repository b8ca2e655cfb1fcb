//! Changes to a header, and the file that they lead to.
//!
//! An [`Edit`] holds the original header and a list of changes. It can undo and revert them. Unchanged bytes are copied from
//! the original file and never decoded and encoded again, so invalid strings, unknown tensor types and a BOOL of 2 survive.
//!
//! In this module, *original* refers to the file that is edited, and *edited* to the file after all changes.

mod change;
mod data_layout;
mod edited_array;
mod edited_entry;
mod edited_header;
mod edited_kv;
mod edited_tensor;
mod elements;
mod entries;
mod header_layout;
mod history;
mod ids;
mod plan;
mod revert;
mod selector;
mod state;
mod tensors;
mod value_difference;

pub use change::{Change, HistoryStep, RecordedChange};
pub use edited_kv::{EditedKv, RemovedKv};
pub use edited_tensor::EditedTensor;
pub use history::Edit;
pub use ids::{ChangeId, EntryId, TensorId};
pub use plan::HeaderPlan;
pub use selector::{EntrySelector, TensorSelector};
pub use state::EditState;
