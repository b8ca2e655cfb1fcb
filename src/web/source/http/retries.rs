//! When a request that has failed is sent again.

use wasm_bindgen::prelude::*;

use super::fault::Retryable;
use crate::web::interop::timer::Timer;

/// Bytes after which a server counts as making progress. It then has all its retries again.
const PROGRESS: u64 = 16 << 10;

/// The fewest bytes of a response that is shorter than the range. A server that sends fewer would cost a request for each
/// token.
pub(super) const LEAST_RESPONSE: u64 = 4 << 10;

/// The most responses in a row that may be shorter than `LEAST_RESPONSE`.
const MOST_SHORT_RESPONSES: u32 = 1;

/// The wait before the first retry, in milliseconds.
const FIRST_WAIT: f64 = 200.0;

/// The wait is doubled at most this often.
const MOST_DOUBLINGS: u32 = 5;

/// The failures of one range since the last progress.
pub(super) struct Retries {
    failures: u32,
    allowed: u32,
    short_responses: u32,
    /// Bytes that have arrived since `failures` was last set to 0.
    received: u64,
}

impl Retries {
    pub fn new(allowed: u32) -> Self {
        Self { failures: 0, allowed, short_responses: 0, received: 0 }
    }

    /// Counts `bytes` that have arrived. `is_all` says that the whole range has arrived.
    pub fn received(&mut self, bytes: u64, is_all: bool) {
        self.received += bytes;
        if is_all || self.received >= PROGRESS {
            (self.failures, self.received) = (0, 0);
        }
    }

    /// Counts a complete response of `bytes` that is shorter than the range. Returns false if too many were too short.
    pub fn allow_short_response(&mut self, bytes: u64) -> bool {
        self.short_responses = if bytes < LEAST_RESPONSE { self.short_responses + 1 } else { 0 };
        self.short_responses <= MOST_SHORT_RESPONSES
    }

    /// Waits before the next try. Fails if there are no retries left.
    pub async fn wait(&mut self, failure: Retryable) -> Result<(), JsValue> {
        if self.failures >= self.allowed {
            return Err(failure.error);
        }
        // Exponential backoff with jitter: clients that fail together do not retry together.
        let doublings = self.failures.min(MOST_DOUBLINGS);
        let backoff = FIRST_WAIT * f64::from(1 << doublings) * (1.0 + js_sys::Math::random() / 2.0);
        self.failures += 1;
        Timer::new(failure.retry_after.unwrap_or(backoff)).wait().await;
        Ok(())
    }
}
