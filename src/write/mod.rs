//! Writing: encoded bytes, checks of keys, names and values, plans of whole files, and new files.
//!
//! Examples: [`Writer`], [`WritePlan`], [`PlannedFile`], [`encode`].

pub(crate) mod checks;
pub mod encode;
pub(crate) mod name_index;
pub(crate) mod new_value;
pub(crate) mod plan;
pub(crate) mod planned_chunks;
pub(crate) mod planned_file;
pub(crate) mod replaced;
pub(crate) mod writer;

pub use new_value::NewValue;
pub use plan::{Part, Parts, Segment, WritePlan};
pub use planned_chunks::PlannedChunks;
pub use planned_file::PlannedFile;
pub use replaced::{KeptRange, kept_ranges};
pub use writer::{NewTensor, Writer};
