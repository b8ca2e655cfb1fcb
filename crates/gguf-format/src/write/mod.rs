//! Writing: encoded bytes, checks of keys, names and values, plans of whole files, and new files.
//!
//! Examples: [`Writer`], [`WritePlan`], [`PlannedFile`], [`encode`].

#[doc(hidden)]
pub mod checks;
pub mod encode;
#[doc(hidden)]
pub mod new_value;
#[doc(hidden)]
pub mod plan;
pub(crate) mod planned_chunks;
#[doc(hidden)]
pub mod planned_file;
#[doc(hidden)]
pub mod replaced;
#[doc(hidden)]
pub mod writer;

pub use new_value::NewValue;
pub use plan::{Part, Parts, Segment, WritePlan};
pub use planned_chunks::PlannedChunks;
pub use planned_file::PlannedFile;
pub use replaced::{KeptRange, kept_ranges};
pub use writer::{NewTensor, Writer};
