//! Changes to a header, and the plan of the edited file.
//!
//! An [`Edit`] holds the original header and a list of changes, which can be undone, redone and reverted. Unchanged bytes
//! are copied from the original file. They are never decoded and encoded again, so invalid strings, unknown tensor types
//! and a BOOL of 2 survive.
//!
//! In this module, the *original* file is the file before all changes, and the *edited* file is the file after them.
//!
//! Examples: [`Edit`], [`Edit::apply`], [`Edit::plan`].

mod apply;
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
mod header_plan;
mod history;
mod ids;
mod kind;
mod plan;
mod redo;
mod revert;
mod selector;
mod state;
mod tensors;
mod value_difference;

pub use change::{Change, HistoryStep, RecordedChange};
pub use edited_kv::{EditedKv, RemovedKv};
pub use edited_tensor::EditedTensor;
pub use header_plan::HeaderPlan;
pub use history::Edit;
pub use ids::{ChangeId, EntryId, TensorId};
pub use kind::ChangeKind;
pub use selector::{EntrySelector, TensorSelector};
pub use state::EditState;
