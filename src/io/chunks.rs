//! A file that is made piece by piece.

use core::future::Future;

use super::buffer::Buffer;
use crate::error::Result;

/// A file that is made piece by piece, in constant memory. Dropping it cancels its reads.
pub trait Chunks: 'static {
    /// Where the bytes are kept.
    type Buffer: Buffer;

    /// The next bytes of the file. `None` at its end.
    ///
    /// # Errors
    ///
    /// What reading a source fails with.
    fn next_chunk(&mut self) -> impl Future<Output = Result<Option<Self::Buffer>>>;
}
