//! Reading ranges of one file on behalf of several callers.
//!
//! - Ranges that are requested in the same turn of the event loop and lie close together become one read.
//! - A range that lies within a read in flight, or within a read that waits, does not cause another read.
//! - At most six reads are in flight at once.
//! - A read that no caller waits for any more is cancelled.
//! - A failed read is forgotten: the next request for its range reads again.

use alloc::{collections::VecDeque, rc::Rc, vec::Vec};
use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn};
use core::ops::Range;
use core::pin::pin;
use core::task::{Poll, Waker};

use super::buffer::Buffer;
use super::header_reader::wrong_length;
use super::host::Host;
use super::source::Source;
use crate::error::Result;

/// The largest gap between two ranges that are read together, in bytes: fewer than arrive in a round trip.
const LARGEST_GAP: u64 = 64 << 10;

/// The largest padding between two tensors that are read together, in bytes.
const LARGEST_PADDING: u64 = 4 << 10;

/// The most bytes of ranges that are read together.
const MOST_MERGED_BYTES: u64 = 8 << 20;

/// The most reads in flight at once: the number of connections that browsers open to one host.
const MOST_READS: usize = 6;

/// Whether a range may be read together with ranges close to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Close ranges are read together, with the bytes between them.
    Close,
    /// Ranges that nearly touch are read together, with the padding between them.
    Adjacent,
    /// No bytes besides the range are read.
    Never,
}

impl Merge {
    /// The largest gap between two ranges that are read together, in bytes.
    fn largest_gap(self) -> Option<u64> {
        match self {
            Self::Close => Some(LARGEST_GAP),
            Self::Adjacent => Some(LARGEST_PADDING),
            Self::Never => None,
        }
    }
}

/// Reads ranges of one file on behalf of several callers.
pub struct RangeReader<S: Source> {
    source: S,
    /// Reads that have not started, in the order of the requests.
    waiting: RefCell<VecDeque<Rc<Read<S::Buffer>>>>,
    in_flight: RefCell<Vec<Rc<Read<S::Buffer>>>>,
    /// Whether waiting reads will start at the end of this turn of the event loop.
    is_start_scheduled: Cell<bool>,
}

/// One read of the source.
struct Read<B> {
    range: RefCell<Range<u64>>,
    result: RefCell<Option<Result<B>>>,
    /// The tasks that wait for the result, and the task that reads.
    wakers: RefCell<Vec<Waker>>,
    /// How many callers wait for a part of the range.
    callers: Cell<usize>,
    merge: Merge,
}

impl<S: Source> RangeReader<S> {
    /// A reader of a source.
    pub fn new(source: S) -> Rc<Self> {
        Rc::new(Self {
            source,
            waiting: RefCell::default(),
            in_flight: RefCell::default(),
            is_start_scheduled: Cell::new(false),
        })
    }

    /// The source that is read.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Requests all bytes of a range.
    pub fn request(self: &Rc<Self>, range: Range<u64>, merge: Merge) -> RequestedRange<S::Buffer> {
        let read = self.find_or_add(&range, merge);
        read.callers.set(read.callers.get() + 1);
        RequestedRange { read, range }
    }

    /// A read that contains `range`: an existing one, or a new one.
    fn find_or_add(self: &Rc<Self>, range: &Range<u64>, merge: Merge) -> Rc<Read<S::Buffer>> {
        let contains = |read: &&Rc<Read<S::Buffer>>| {
            let known = read.range.borrow();
            read.callers.get() > 0 && known.start <= range.start && range.end <= known.end
        };
        if let Some(read) = self.in_flight.borrow().iter().find(contains) {
            return read.clone();
        }
        let mut waiting = self.waiting.borrow_mut();
        for read in waiting.iter().filter(|read| read.callers.get() > 0) {
            let mut known = read.range.borrow_mut();
            let merged = known.start.min(range.start)..known.end.max(range.end);
            let is_close = merge.largest_gap().is_some_and(|gap| {
                range.start <= known.end.saturating_add(gap) && known.start <= range.end.saturating_add(gap)
            });
            let joins = merge == read.merge && is_close && merged.end - merged.start <= MOST_MERGED_BYTES;
            if joins || merged == *known {
                *known = merged;
                return read.clone();
            }
        }
        let read = Rc::new(Read {
            range: RefCell::new(range.clone()),
            result: RefCell::default(),
            wakers: RefCell::default(),
            callers: Cell::new(0),
            merge,
        });
        waiting.push_back(read.clone());
        if !self.is_start_scheduled.replace(true) {
            let reader = self.clone();
            S::Host::spawn(async move {
                S::Host::end_of_turn().await;
                reader.is_start_scheduled.set(false);
                reader.start();
            });
        }
        read
    }

    /// Starts waiting reads, as many as may be in flight.
    fn start(self: &Rc<Self>) {
        while self.in_flight.borrow().len() < MOST_READS {
            let Some(read) = self.waiting.borrow_mut().pop_front() else { return };
            if read.callers.get() == 0 {
                continue;
            }
            self.in_flight.borrow_mut().push(read.clone());
            let reader = self.clone();
            S::Host::spawn(async move {
                let result = reader.run(&read).await;
                reader.in_flight.borrow_mut().retain(|other| !Rc::ptr_eq(other, &read));
                read.result.replace(result);
                read.wake();
                drop(read);
                reader.start();
            });
        }
    }

    /// Reads the range. Returns `None` if no caller waits for it any more.
    async fn run(&self, read: &Rc<Read<S::Buffer>>) -> Option<Result<S::Buffer>> {
        let range = read.range.borrow().clone();
        let mut bytes = pin!(self.source.read(range.clone()));
        let result = poll_fn(|context| {
            if read.callers.get() == 0 {
                return Poll::Ready(None);
            }
            read.wakers.borrow_mut().push(context.waker().clone());
            bytes.as_mut().poll(context).map(Some)
        })
        .await?;
        Some(match result {
            Ok(bytes) if bytes.len() != range.end - range.start => Err(wrong_length(&range, bytes.len())),
            result => result,
        })
    }
}

impl<B> Read<B> {
    fn wake(&self) {
        for waker in self.wakers.take() {
            waker.wake();
        }
    }
}

/// A range that has been requested. Dropping it withdraws the request.
pub struct RequestedRange<B> {
    read: Rc<Read<B>>,
    range: Range<u64>,
}

impl<B: Buffer> RequestedRange<B> {
    /// Waits for the bytes of the range.
    ///
    /// # Errors
    ///
    /// Errors of the source are passed on.
    pub async fn bytes(&self) -> Result<B> {
        let bytes = poll_fn(|context| match &*self.read.result.borrow() {
            Some(result) => Poll::Ready(result.clone()),
            None => {
                self.read.wakers.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        })
        .await?;
        let start = self.range.start - self.read.range.borrow().start;
        let length = self.range.end - self.range.start;
        // The bytes are copied if another caller has them too: a change by one must not show for the other.
        if Rc::strong_count(&self.read) == 1 && bytes.len() == length {
            return Ok(bytes);
        }
        bytes.copy_of(start..start + length)
    }
}

impl<B> Drop for RequestedRange<B> {
    fn drop(&mut self) {
        self.read.callers.set(self.read.callers.get() - 1);
        if self.read.callers.get() == 0 {
            self.read.wake();
        }
    }
}
