//! Limits how many requests one file has in flight.

use alloc::collections::VecDeque;
use core::cell::{Cell, RefCell};
use core::future::poll_fn;
use core::task::{Poll, Waker};

/// The most requests in flight at once.
pub(super) const MOST_REQUESTS: usize = 8;

/// The connections of one file.
pub(super) struct Connections {
    free: Cell<usize>,
    waiting: RefCell<VecDeque<Waker>>,
}

/// A connection in use. Dropping it frees the connection.
pub(super) struct Connection<'a>(&'a Connections);

impl Connections {
    pub fn new() -> Self {
        Self { free: Cell::new(MOST_REQUESTS), waiting: RefCell::default() }
    }

    /// Waits for a free connection.
    pub async fn connect(&self) -> Connection<'_> {
        poll_fn(|context| {
            if self.free.get() == 0 {
                self.waiting.borrow_mut().push_back(context.waker().clone());
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
