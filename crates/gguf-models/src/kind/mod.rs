//! The kind of a file: a model, an adapter, an importance matrix and so on.
//!
//! Example: [`classify()`].

// - `marks`: what in a header marks each kind
// - `classify`: the order in which the marks are looked for
// - `facts`: the family, the blocks and the parts of a model
// - `ollama`: what marks the files of Ollama's converter
// - `shard`: the entries of a file that is a part of a set

mod classify;
mod facts;
mod marks;
mod ollama;
mod shard;

pub use crate::file_kinds::{FILE_KINDS, FileKind, FileKindInfo};
#[doc(hidden)]
pub use classify::kind_of;
pub use classify::{Classification, classify};
pub(crate) use classify::{kind_and_evidence, kind_and_shard};
pub use marks::Modality;
pub(crate) use ollama::{ENCODER_NAMES, ollama_mark};
pub use shard::Shard;
#[doc(hidden)]
pub use shard::{SHARD_KEYS, SPLIT_COUNT, SPLIT_NO, SPLIT_TENSORS_COUNT};
