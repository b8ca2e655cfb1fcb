//! A file that is made piece by piece.

use core::future::Future;

use super::buffer::Buffer;
use super::source::Source;
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

/// A source whose size is known, piece by piece: each piece has at most [`Source::bytes_at_once`] bytes.
pub struct SourceChunks<S> {
    source: S,
    size: u64,
    next: u64,
}

impl<S: Source> SourceChunks<S> {
    /// The `size` bytes of a source from `start` on.
    pub(crate) fn new(source: S, size: u64, start: u64) -> Self {
        Self { source, size, next: start }
    }
}

impl<S: Source> Chunks for SourceChunks<S> {
    type Buffer = S::Buffer;

    async fn next_chunk(&mut self) -> Result<Option<S::Buffer>> {
        let start = self.next;
        // Pieces end at multiples of their size, also if the first one begins between two multiples.
        let end = self.size.min((start + 1).next_multiple_of(self.source.bytes_at_once()));
        if end <= start {
            return Ok(None);
        }
        self.next = end;
        Ok(Some(self.source.read(start..end).await?))
    }
}
