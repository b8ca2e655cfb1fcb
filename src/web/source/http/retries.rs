//! When a request that has failed is sent again.

use wasm_bindgen::prelude::*;

use crate::web::interop::timer::Timer;

/// Bytes after which a server counts as making progress: it then has all its retries again.
const PROGRESS: u64 = 16 << 10;

/// The fewest bytes of an answer that is shorter than the range. A server that sends fewer would cost a request for each
/// token.
pub(super) const LEAST_ANSWER: u64 = 4 << 10;

/// The most answers in a row that may be shorter than `LEAST_ANSWER`.
const MOST_SHORT_ANSWERS: u32 = 1;

/// The wait before the first retry, in milliseconds.
const FIRST_WAIT: f64 = 200.0;

/// A failure after which the request may be sent again.
pub(super) struct Retryable {
    /// What to fail with if there are no retries left.
    pub error: JsValue,
    /// How many milliseconds the server wants the client to wait.
    pub retry_after: Option<f64>,
    /// Whether there was no answer at all.
    pub is_unreachable: bool,
}

/// The failures of one range since the last progress.
pub(super) struct Retries {
    failures: u32,
    allowed: u32,
    short_answers: u32,
    /// Bytes that have arrived since the last failure was forgotten.
    received: u64,
}

impl Retries {
    pub fn new(allowed: u32) -> Self {
        Self { failures: 0, allowed, short_answers: 0, received: 0 }
    }

    /// Takes note of `bytes` that have arrived. `is_all` says that these are all that were asked for.
    pub fn received(&mut self, bytes: u64, is_all: bool) {
        self.received += bytes;
        if is_all || self.received >= PROGRESS {
            (self.failures, self.received) = (0, 0);
        }
    }

    /// Takes note of a good answer of `bytes` that is shorter than the range. Returns false if there were too many.
    pub fn allow_short_answer(&mut self, bytes: u64) -> bool {
        self.short_answers = if bytes < LEAST_ANSWER { self.short_answers + 1 } else { 0 };
        self.short_answers <= MOST_SHORT_ANSWERS
    }

    /// Waits before the next try. Fails if there are no retries left.
    pub async fn wait(&mut self, failure: Retryable) -> Result<(), JsValue> {
        if self.failures >= self.allowed {
            return Err(failure.error);
        }
        // Doubled each time, and up to half as long again by chance: clients that fail together do not return together.
        let backoff = FIRST_WAIT * f64::from(1 << self.failures.min(5)) * (1.0 + js_sys::Math::random() / 2.0);
        self.failures += 1;
        Timer::new(failure.retry_after.unwrap_or(backoff)).over().await;
        Ok(())
    }
}
