//! Limits how many requests one file, or the shards of one model, have in flight.

use alloc::{rc::Rc, vec::Vec};
use core::cell::{Cell, RefCell};
use core::future::poll_fn;
use core::task::{Poll, Waker};

/// The most requests of one file in flight at once.
pub(super) const MOST_REQUESTS: usize = 8;

/// The length of the first range: more than is in flight in one round trip of 50 ms at 50 Mbit/s, so that the next request
/// is sent before the link falls idle.
pub const FIRST_RANGE: u64 = 384 << 10;

/// How many requests a file may have in flight at once, and how long the first one is.
#[derive(Clone)]
pub struct RequestLimits {
    /// The connections for reading tensor data.
    pub connections: Rc<Connections>,
    /// The most requests while the header is read.
    pub header_requests: usize,
    /// The length of the first range.
    pub first_range: u64,
}

impl RequestLimits {
    /// The limits of a file that shares no connections.
    pub fn of_file() -> Self {
        Self {
            connections: Rc::new(Connections::new(MOST_REQUESTS)),
            header_requests: MOST_REQUESTS,
            first_range: FIRST_RANGE,
        }
    }
}

/// The connections of one file, or of the shards of one model.
pub struct Connections {
    free: Cell<usize>,
    waiting: RefCell<Vec<Waker>>,
}

/// A connection in use. Dropping it frees the connection.
pub(super) struct Connection<'a>(&'a Connections);

impl Connections {
    /// Connections for at most `most` requests at once.
    pub fn new(most: usize) -> Self {
        Self { free: Cell::new(most), waiting: RefCell::default() }
    }

    /// Waits for a free connection.
    pub(super) async fn connect(&self) -> Connection<'_> {
        poll_fn(|context| {
            if self.free.get() == 0 {
                let mut waiting = self.waiting.borrow_mut();
                if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                    waiting.push(context.waker().clone());
                }
                return Poll::Pending;
            }
            self.free.set(self.free.get() - 1);
            Poll::Ready(Connection(self))
        })
        .await
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.0.free.set(self.0.free.get() + 1);
        // All tasks are woken: one that was woken alone may have been dropped meanwhile, and the connection would stay unused.
        for waker in self.0.waiting.take() {
            waker.wake();
        }
    }
}
