//! The kind of a file: a model, an adapter, an importance matrix and so on.
//!
//! Example: [`classify()`].

// - `marks`: what in a header marks each kind
// - `classify`: the order in which the marks are looked for
// - `evidence`: the marks that were found
// - `shard`: the entries of a file that is a part of a set

mod classify;
mod evidence;
mod marks;
mod shard;

pub use crate::file_kinds::{FILE_KINDS, FileKind, FileKindInfo};
pub(crate) use classify::kind_and_evidence;
pub use classify::{Classification, classify};
pub(crate) use evidence::Evidence;
pub use marks::Modality;
pub use shard::Shard;
#[doc(hidden)]
pub use shard::{SHARD_KEYS, SPLIT_COUNT, SPLIT_NO, SPLIT_TENSORS_COUNT};
