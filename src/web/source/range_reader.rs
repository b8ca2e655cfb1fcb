//! Reading ranges of one file on behalf of several callers.
//!
//! - Ranges that are requested in the same turn of the event loop and lie close together become one read.
//! - A range that lies within a read in flight, or within a read that waits, does not cause another read.
//! - At most six reads are in flight at once.
//! - A read that no caller waits for any more is cancelled.
//! - A failed read is forgotten: the next request for its range reads again.

use alloc::collections::VecDeque;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn};
use core::ops::Range;
use core::pin::pin;
use core::task::{Poll, Waker};

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;
use web_sys::Blob;

use crate::web::interop::bytes::Bytes;
use crate::web::interop::promises::resolved;
use crate::web::source::gguf_source::Source;

/// The largest gap between two ranges that are read together, in bytes: fewer than arrive in a round trip.
const LARGEST_GAP: u64 = 64 << 10;

/// The largest padding between two tensors that are read together, in bytes.
#[cfg(feature = "files")]
const LARGEST_PADDING: u64 = 4 << 10;

/// The most bytes of ranges that are read together.
const MOST_MERGED_BYTES: u64 = 8 << 20;

/// The most reads in flight at once: the number of connections that browsers open to one host.
const MOST_READS: usize = 6;

/// Bytes that are requested at once from a server. A request takes a round trip, and six are in flight.
#[cfg(feature = "write")]
const REMOTE_BYTES_AT_ONCE: u64 = 4 << 20;

/// Bytes that are read at once from other sources. Six pieces in flight then take 6 MiB.
#[cfg(feature = "write")]
const LOCAL_BYTES_AT_ONCE: u64 = 1 << 20;

/// Whether a range may be read together with ranges close to it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Merge {
    /// Close ranges are read together, with the bytes between them.
    Close,
    /// Ranges that nearly touch are read together, with the padding between them.
    #[cfg(feature = "files")]
    Adjacent,
    /// No bytes besides the range are read.
    Never,
}

impl Merge {
    /// The largest gap between two ranges that are read together, in bytes.
    fn largest_gap(self) -> Option<u64> {
        match self {
            Self::Close => Some(LARGEST_GAP),
            #[cfg(feature = "files")]
            Self::Adjacent => Some(LARGEST_PADDING),
            Self::Never => None,
        }
    }
}

pub(crate) struct RangeReader {
    source: Rc<Source>,
    /// Reads that have not started, in the order of the requests.
    waiting: RefCell<VecDeque<Rc<Read>>>,
    in_flight: RefCell<Vec<Rc<Read>>>,
    /// Whether waiting reads will start at the end of this turn of the event loop.
    is_start_scheduled: Cell<bool>,
}

/// One read of the source.
struct Read {
    range: RefCell<Range<u64>>,
    result: RefCell<Option<Result<Bytes, JsValue>>>,
    /// The tasks that wait for the result, and the task that reads.
    wakers: RefCell<Vec<Waker>>,
    /// How many callers wait for a part of the range.
    callers: Cell<usize>,
    merge: Merge,
}

impl RangeReader {
    pub fn new(source: Rc<Source>) -> Rc<Self> {
        Rc::new(Self {
            source,
            waiting: RefCell::default(),
            in_flight: RefCell::default(),
            is_start_scheduled: Cell::new(false),
        })
    }

    /// The size of the file in bytes, if it is known by now.
    pub fn file_size(&self) -> Option<u64> {
        self.source.size()
    }

    /// The bytes to read at once if a large part of the file is read piece by piece.
    #[cfg(feature = "write")]
    pub fn bytes_at_once(&self) -> u64 {
        match &*self.source {
            Source::Remote(_) => REMOTE_BYTES_AT_ONCE,
            _ => LOCAL_BYTES_AT_ONCE,
        }
    }

    /// The `Blob` that is read, if the source is one.
    pub fn blob(&self) -> Option<&Blob> {
        match &*self.source {
            Source::Blob { blob, .. } => Some(blob),
            _ => None,
        }
    }

    /// The object of the caller that is read, if the source is one.
    #[cfg(feature = "write")]
    pub fn custom_source(&self) -> Option<&JsValue> {
        match &*self.source {
            Source::Custom { object, .. } => Some(object),
            _ => None,
        }
    }

    /// Asks the server for the size of the file, if it has not told it yet. The file is longer than `start`.
    pub async fn learn_file_size(&self, start: u64) -> Result<(), JsValue> {
        match &*self.source {
            Source::Remote(file) if file.size().is_none() => file.learn_size(start).await,
            _ => Ok(()),
        }
    }

    /// Requests all bytes of a range.
    pub fn request(self: &Rc<Self>, range: Range<u64>, merge: Merge) -> RequestedRange {
        let read = self.find_or_add(&range, merge);
        read.callers.set(read.callers.get() + 1);
        RequestedRange { read, range }
    }

    /// A read that contains `range`: an existing one, or a new one.
    fn find_or_add(self: &Rc<Self>, range: &Range<u64>, merge: Merge) -> Rc<Read> {
        let contains = |read: &&Rc<Read>| {
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
            spawn_local(async move {
                // Requests that come later in this turn can still join.
                let _ = resolved(JsValue::UNDEFINED).await;
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
            spawn_local(async move {
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
    async fn run(&self, read: &Rc<Read>) -> Option<Result<Bytes, JsValue>> {
        let controller = match AbortController::new() {
            Ok(controller) => controller,
            Err(error) => return Some(Err(error)),
        };
        let signal = controller.signal().into();
        let range = read.range.borrow().clone();
        let mut bytes = pin!(self.source.read(range, Some(&signal)));
        let result = poll_fn(|context| {
            if read.callers.get() == 0 {
                return Poll::Ready(None);
            }
            read.wakers.borrow_mut().push(context.waker().clone());
            bytes.as_mut().poll(context).map(Some)
        })
        .await;
        if result.is_none() {
            controller.abort();
        }
        result
    }
}

impl Read {
    fn wake(&self) {
        for waker in self.wakers.take() {
            waker.wake();
        }
    }
}

/// A range that has been requested. Dropping it withdraws the request.
pub(crate) struct RequestedRange {
    read: Rc<Read>,
    range: Range<u64>,
}

impl RequestedRange {
    /// Waits for the bytes of the range.
    pub async fn bytes(&self) -> Result<Bytes, JsValue> {
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
        if Rc::strong_count(&self.read) == 1 && bytes.byte_length() == length as f64 {
            return Ok(bytes);
        }
        bytes.slice(start as f64, (start + length) as f64)
    }
}

impl Drop for RequestedRange {
    fn drop(&mut self) {
        self.read.callers.set(self.read.callers.get() - 1);
        if self.read.callers.get() == 0 {
            self.read.wake();
        }
    }
}
