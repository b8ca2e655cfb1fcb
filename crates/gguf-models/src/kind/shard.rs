//! Shards: the files of a set that was one file.

use crate::file_kinds::FileKind;
use gguf_declare::result;
use gguf_format::format::header::Header;

result! {
    /// The place of a file in a set of shards, by its metadata.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Shard {
        /// The number of the file in the set; the first one has number 1. Not present if the file does not say it.
        pub number: Option<u64>,
        /// The number of files in the set.
        pub count: u64,
        /// The number of tensors in all files of the set. Not present if the file does not say it.
        pub tensor_count: Option<u64>,
        /// What the set is. Often only the first shard says it; the others have `unknown`.
        pub set_kind: FileKind,
    }
}

/// The number of a shard, from 0.
#[doc(hidden)]
pub const SPLIT_NO: &str = "split.no";

/// The number of shards in the set.
#[doc(hidden)]
pub const SPLIT_COUNT: &str = "split.count";

/// The number of tensors in all shards of the set.
#[doc(hidden)]
pub const SPLIT_TENSORS_COUNT: &str = "split.tensors.count";

/// The keys that say the place of a file in a set.
#[doc(hidden)]
pub const SHARD_KEYS: [&str; 3] = [SPLIT_NO, SPLIT_TENSORS_COUNT, SPLIT_COUNT];

impl Shard {
    /// The place of a file in its set. `None` if the file is not one of several: llama.cpp takes a file whose `split.count`
    /// is missing, 0 or 1 as a whole. A merged file has 0.
    #[doc(hidden)]
    pub fn of(header: &Header) -> Option<Self> {
        let number = |key| header.get(key)?.value().as_u64();
        let count = number(SPLIT_COUNT).filter(|count| *count > 1)?;
        Some(Self {
            number: number(SPLIT_NO).map(|number| number.saturating_add(1)),
            count,
            tensor_count: number(SPLIT_TENSORS_COUNT),
            set_kind: FileKind::Unknown,
        })
    }
}
