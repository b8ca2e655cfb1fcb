//! A planned file as chunks. The next chunks are read while one is written.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::rc::Rc;
use core::cell::{Cell, RefCell};

use crate::io::Source as _;
use crate::web::edit::chunk_stream::{Chunks, NextChunk};
use crate::web::source::gguf_source::{PlannedFile, Source};
use crate::write::planned_file::PlannedRead;

/// Parts that are in flight at once.
const PARTS_IN_FLIGHT: usize = 6;

pub(super) struct PlannedChunks {
    file: PlannedFile,
    /// The most bytes of a chunk.
    chunk_bytes: u64,
    /// The start of the next chunk that is read.
    next: Cell<u64>,
    in_flight: RefCell<VecDeque<PlannedRead<Source>>>,
}

impl PlannedChunks {
    /// The chunks from a position on.
    pub fn new(file: PlannedFile, start: u64) -> Rc<Self> {
        let chunk_bytes = file.original().reader().source().bytes_at_once();
        Rc::new(Self { file, chunk_bytes, next: Cell::new(start), in_flight: RefCell::default() })
    }
}

impl Chunks for PlannedChunks {
    fn next_chunk(self: Rc<Self>) -> NextChunk {
        let size = self.file.plan().size();
        let mut in_flight = self.in_flight.borrow_mut();
        while in_flight.len() < PARTS_IN_FLIGHT && self.next.get() < size {
            let start = self.next.get();
            // Chunks end at multiples of their size, also if the first one begins between two multiples.
            let end = size.min((start + 1).next_multiple_of(self.chunk_bytes));
            self.next.set(end);
            in_flight.push_back(self.file.start_read(start..end));
        }
        let read = in_flight.pop_front();
        Box::pin(async move {
            match read {
                Some(read) => Ok(Some(read.bytes().await?.into())),
                None => Ok(None),
            }
        })
    }

    fn stop(&self) {
        self.next.set(self.file.plan().size());
        self.in_flight.take();
    }
}
