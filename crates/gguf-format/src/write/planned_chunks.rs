//! A planned file as chunks. The next chunks are read while one is written.

use super::planned_file::{PlannedFile, PlannedRead};
use crate::error::Result;
use crate::io::{Chunks, Source, Window, WindowLimits};

/// A planned file, piece by piece: see [`PlannedFile::chunks`].
pub struct PlannedChunks<S: Source> {
    file: PlannedFile<S>,
    /// The start of the next chunk that is read.
    next: u64,
    window: Window<PlannedRead<S>>,
}

impl<S: Source> PlannedFile<S> {
    /// The bytes of the planned file from `start` on, piece by piece.
    pub fn chunks(&self, start: u64) -> PlannedChunks<S> {
        PlannedChunks { file: self.clone(), next: start, window: Window::new(WindowLimits::FEW) }
    }
}

impl<S: Source> Chunks for PlannedChunks<S> {
    type Buffer = S::Buffer;

    async fn next_chunk(&mut self) -> Result<Option<S::Buffer>> {
        let Self { file, next, window } = self;
        window.fill(|| {
            let start = *next;
            // Chunks end at multiples of their size, also if the first one begins between two multiples.
            let end = file.plan().size().min((start + 1).next_multiple_of(file.bytes_at_once()));
            *next = end.max(start);
            (start < end).then(|| (file.start_read(start..end), end - start))
        });
        match window.pop() {
            Some(read) => Ok(Some(read.bytes().await?)),
            None => Ok(None),
        }
    }
}
