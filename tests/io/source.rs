//! A source that notes what is read from it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::ops::Range;
use std::rc::Rc;
use std::task::Poll;

use gguf_format::io::{Blocking, MemoryBuffer, Source};
use gguf_format::{Error, ErrorCode, Result};

/// What happens to a source, as the test that made it sees and controls it.
#[derive(Default)]
pub struct Log {
    /// The ranges that were read, in order.
    pub reads: RefCell<Vec<Range<u64>>>,
    /// How many reads were dropped before they were done.
    pub cancelled: Cell<usize>,
    /// The most reads that were in flight at once.
    pub most_in_flight: Cell<usize>,
    /// The reads in flight.
    pub in_flight: Cell<usize>,
    /// While this is true, no read gets its bytes.
    pub is_blocked: Cell<bool>,
    /// The next read fails.
    pub fails: Cell<bool>,
    /// The next read returns a byte less.
    pub is_short: Cell<bool>,
}

/// A file in memory.
pub struct Logged {
    pub bytes: Vec<u8>,
    pub log: Rc<Log>,
    /// Whether the source tells the size of the file.
    pub knows_size: bool,
}

impl Logged {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), log: Rc::default(), knows_size: true }
    }
}

/// A read in flight.
struct InFlight<'a>(&'a Log, bool);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.set(self.0.in_flight.get() - 1);
        self.0.cancelled.set(self.0.cancelled.get() + usize::from(!self.1));
    }
}

impl Source for Logged {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        self.knows_size.then_some(self.bytes.len() as u64)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        let log = &*self.log;
        log.reads.borrow_mut().push(range.clone());
        log.in_flight.set(log.in_flight.get() + 1);
        log.most_in_flight.set(log.most_in_flight.get().max(log.in_flight.get()));
        let mut in_flight = InFlight(log, false);
        let mut is_first = true;
        // A read takes at least one turn, as in a browser.
        poll_fn(|_| match std::mem::take(&mut is_first) || log.is_blocked.get() {
            true => Poll::Pending,
            false => Poll::Ready(()),
        })
        .await;
        in_flight.1 = true;
        if log.fails.take() {
            return Err(Error::new(ErrorCode::ReadFailed, "the test lets this read fail"));
        }
        let end = (range.end as usize).min(self.bytes.len()) - usize::from(log.is_short.take());
        let start = (range.start as usize).min(end);
        Ok(self.bytes[start..end].to_vec().into())
    }

    fn bytes_at_once(&self) -> u64 {
        64
    }
}
