//! How far long work is.

use crate::declare::result;
use crate::error::Result;

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

/// Is told how much has been read. An error ends the work, which fails with it.
pub type OnProgress<'a> = &'a dyn Fn(ReadProgress) -> Result<()>;
