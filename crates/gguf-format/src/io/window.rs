//! Many reads, of which a few are in flight, and whose results come in order.

use alloc::collections::VecDeque;

/// Reads in flight, in the order in which they were requested. Dropping it withdraws them.
///
/// `R` is what was requested: a [`RequestedRange`](super::RequestedRange), for example, with what its caller knows about it.
#[doc(hidden)]
pub struct Window<R> {
    in_flight: VecDeque<(R, u64)>,
    bytes: u64,
    limits: WindowLimits,
}

/// How much a window has in flight.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct WindowLimits {
    /// The most reads.
    pub reads: usize,
    /// Reads are added until they have this many bytes together.
    pub bytes: u64,
    /// Reads are added only when at most this many bytes are in flight. So small reads that lie close together are requested
    /// together and become one read.
    pub least_bytes: u64,
}

impl WindowLimits {
    /// A few reads, whatever their length: as many as a [`RangeReader`](super::RangeReader) has in flight.
    pub const FEW: Self = Self { reads: 6, bytes: u64::MAX, least_bytes: u64::MAX };
}

impl<R> Window<R> {
    pub fn new(limits: WindowLimits) -> Self {
        Self { in_flight: VecDeque::new(), bytes: 0, limits }
    }

    /// Adds reads as far as the limits allow. `next` requests one, and tells how many bytes it has.
    pub fn fill(&mut self, mut next: impl FnMut() -> Option<(R, u64)>) {
        if self.bytes > self.limits.least_bytes {
            return;
        }
        while self.bytes < self.limits.bytes && self.in_flight.len() < self.limits.reads {
            let Some((read, bytes)) = next() else { return };
            self.bytes += bytes;
            self.in_flight.push_back((read, bytes));
        }
    }

    /// Takes the read that was requested first.
    pub fn pop(&mut self) -> Option<R> {
        let (read, bytes) = self.in_flight.pop_front()?;
        self.bytes -= bytes;
        Some(read)
    }
}
