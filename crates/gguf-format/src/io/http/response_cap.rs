//! How many bytes are requested at once from a server that has sent less than a range.
//!
//! Some servers limit the length of every response. Others send one short response, for example while they are busy. So after
//! a short response, requests are as long as that response, and grow again while responses are complete.

use core::cell::Cell;

use super::connections::MOST_REQUESTS;
use super::retries::LEAST_RESPONSE;

/// The factor by which requests grow.
const GROWTH: u64 = 8;

/// How many complete responses come before the first longer request: one for each request in flight.
const FIRST_PATIENCE: u32 = MOST_REQUESTS as u32;

/// The length of requests to one server.
#[derive(Default)]
pub(super) struct ResponseCap(Cell<Option<Cap>>);

#[derive(Clone, Copy)]
struct Cap {
    /// The length of the next requests.
    length: u64,
    /// The length that responses have had: of the last short one, or of a longer one since.
    proven: u64,
    /// The longest range whose response was short. A complete response of this length ends the cap.
    wanted: u64,
    /// How many responses of the length `proven` come before a longer request.
    patience: u32,
    /// How many of them have come.
    complete: u32,
}

impl ResponseCap {
    /// The most bytes to request at once. `None` if no response was short, or the server has recovered.
    pub fn get(&self) -> Option<u64> {
        self.0.get().map(|cap| cap.length)
    }

    /// Learns from the response to a request for `requested` bytes before the end of the file.
    pub fn learn(&self, requested: u64, received: u64) {
        match self.0.get() {
            _ if received < LEAST_RESPONSE && received < requested => {}
            None if received < requested => self.0.set(Some(Cap::new(received, requested))),
            None => {}
            Some(cap) => self.0.set(cap.after(requested, received)),
        }
    }
}

impl Cap {
    fn new(received: u64, wanted: u64) -> Self {
        Self { length: received, proven: received, wanted, patience: FIRST_PATIENCE, complete: 0 }
    }

    /// The cap after one more response. `None` if the server sends long responses again.
    fn after(self, requested: u64, received: u64) -> Option<Self> {
        let wanted = self.wanted.max(requested);
        if received < requested {
            let is_longer_request = self.length > self.proven;
            return Some(match received == self.proven {
                // The server limits all responses. A longer request is tried less and less often.
                true if is_longer_request => {
                    Self { length: received, patience: self.patience.saturating_mul(2), complete: 0, wanted, ..self }
                }
                true => Self { wanted, ..self },
                false => Self::new(received, wanted),
            });
        }
        if received < self.proven {
            return Some(self);
        }
        if received >= self.wanted {
            return None;
        }
        let patience = if received > self.proven { 1 } else { self.patience };
        let complete = self.complete.saturating_add(1);
        let proven = received;
        Some(match complete >= patience {
            true => Self { length: proven.saturating_mul(GROWTH), proven, patience, complete: 0, ..self },
            false => Self { proven, patience, complete, length: self.length.max(proven), ..self },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{GROWTH, ResponseCap};

    const KB: u64 = 1 << 10;

    /// The lengths of the requests for `total` bytes, one after the other.
    fn requests(total: u64, responds: impl Fn(usize, u64) -> u64) -> alloc::vec::Vec<u64> {
        let (cap, mut position, mut lengths) = (ResponseCap::default(), 0, alloc::vec::Vec::new());
        while position < total {
            let requested = cap.get().unwrap_or(u64::MAX).min(total - position);
            let received = responds(lengths.len(), requested);
            cap.learn(requested, received);
            position += received;
            lengths.push(requested);
        }
        lengths
    }

    #[test]
    fn one_short_response_is_forgotten() {
        let total = 3 << 20;
        let lengths = requests(total, |number, requested| if number == 0 { 10 * KB } else { requested });
        assert_eq!(lengths[0], total);
        assert_eq!(lengths[1..9], [10 * KB; 8]);
        assert_eq!(lengths[9..11], [80 * KB, 640 * KB]);
        assert_eq!(lengths.len(), 12);
    }

    #[test]
    fn a_server_with_a_limit_gets_no_request_more() {
        let count = 1000;
        let lengths = requests(count * 10 * KB, |_, requested| requested.min(10 * KB));
        assert_eq!(lengths.len() as u64, count);
        let longer = lengths[1..].iter().filter(|length| **length == 10 * KB * GROWTH).count();
        assert!((1..=7).contains(&longer), "{longer} longer requests");
    }

    #[test]
    fn the_limit_of_a_server_is_found_again() {
        // The limit is 100 kB; the first response is shorter by chance.
        let responds = |number, requested: u64| if number == 0 { 10 * KB } else { requested.min(100 * KB) };
        let lengths = requests(100 * 100 * KB, responds);
        assert!(lengths.len() < 115, "{} requests", lengths.len());
    }

    #[test]
    fn tiny_responses_are_no_cap() {
        let cap = ResponseCap::default();
        cap.learn(100 * KB, 100);
        assert_eq!(cap.get(), None);
    }
}
