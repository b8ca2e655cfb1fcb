//! A file that is made piece by piece.

use alloc::boxed::Box;
use core::future::Future;
use core::ops::Range;
use core::pin::Pin;

use futures_util::stream::{FuturesOrdered, StreamExt};

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
    /// Errors of the source are passed on.
    fn next_chunk(&mut self) -> impl Future<Output = Result<Option<Self::Buffer>>>;
}

/// The pieces that are made at once: while the bytes of one are computed, those of the next ones arrive.
const PIECES_AT_ONCE: usize = 4;

/// A piece that is made.
type Piece<B> = Pin<Box<dyn Future<Output = Result<B>>>>;

/// A source whose size is known, piece by piece: each piece has at most [`Source::bytes_at_once`] bytes. The next pieces are read
/// while one is written.
pub struct SourceChunks<S: Source> {
    source: S,
    size: u64,
    next: u64,
    ahead: FuturesOrdered<Piece<S::Buffer>>,
}

impl<S: Source + Clone> SourceChunks<S> {
    /// The `size` bytes of a source from `start` on.
    #[doc(hidden)]
    pub fn new(source: S, size: u64, start: u64) -> Self {
        Self { source, size, next: start, ahead: FuturesOrdered::new() }
    }

    /// The range of the next piece. `None` at the end.
    fn next_range(&mut self) -> Option<Range<u64>> {
        let start = self.next;
        // Pieces end at multiples of their size, also if the first one begins between two multiples.
        let end = self.size.min((start + 1).next_multiple_of(self.source.bytes_at_once()));
        self.next = end.max(start);
        (start < end).then_some(start..end)
    }
}

impl<S: Source + Clone> Chunks for SourceChunks<S> {
    type Buffer = S::Buffer;

    async fn next_chunk(&mut self) -> Result<Option<S::Buffer>> {
        while self.ahead.len() < PIECES_AT_ONCE
            && let Some(range) = self.next_range()
        {
            let source = self.source.clone();
            self.ahead.push_back(Box::pin(async move { source.read(range).await }));
        }
        self.ahead.next().await.transpose()
    }
}
