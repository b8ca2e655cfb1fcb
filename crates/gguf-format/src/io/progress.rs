//! How far long work is.

use crate::error::Result;
use gguf_declare::result;

result! {
    /// How much of the data has been read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[open true]
    pub struct ReadProgress {
        /// Bytes that have been read and processed.
        pub bytes_read: u64,
        /// Bytes that will be read in all.
        pub total_bytes: u64,
    }
}

impl ReadProgress {
    /// `bytes_read` of `total_bytes` have been read.
    pub const fn new(bytes_read: u64, total_bytes: u64) -> Self {
        Self { bytes_read, total_bytes }
    }
}

/// Is told how much has been read. An error ends the work, which fails with it.
pub type OnProgress<'a> = &'a dyn Fn(ReadProgress) -> Result<()>;
