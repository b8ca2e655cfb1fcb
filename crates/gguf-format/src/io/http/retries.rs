//! When a request that has failed is sent again.

use super::client::{Client, Response};
use super::header_text::split_at;

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

/// The longest wait that a server may ask for, in milliseconds.
const LONGEST_WAIT: f64 = 60_000.0;

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

    /// Whether the next failure is reported.
    pub fn are_used_up(&self) -> bool {
        self.failures >= self.allowed
    }

    /// Waits before the next try: as long as the server asks, or longer with each failure. Returns false if there are no
    /// retries left.
    pub async fn wait(&mut self, client: &impl Client, retry_after: Option<f64>) -> bool {
        if self.are_used_up() {
            return false;
        }
        // Exponential backoff with jitter: clients that fail together do not retry together.
        let doublings = self.failures.min(MOST_DOUBLINGS);
        let backoff = FIRST_WAIT * f64::from(1 << doublings) * (1.0 + client.random() / 2.0);
        self.failures += 1;
        client.timer(retry_after.unwrap_or(backoff), false).await;
        true
    }
}

/// Whether a request that got this status is sent again. A server that asks for a long wait is not asked again.
pub(super) fn may_retry(status: u16, retry_after: Option<f64>) -> bool {
    is_temporary(status) && retry_after.is_none_or(|wait| wait <= LONGEST_WAIT)
}

/// Whether a request that gets this status may succeed later.
pub(super) fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// The wait in milliseconds that a server asks for: `Retry-After`, or, of a server that has received too many requests, the
/// member `t` of `RateLimit` (draft 9 of `draft-ietf-httpapi-ratelimit-headers`): `"api";r=0;t=55`.
pub(super) fn retry_after<C: Client>(client: &C, response: &C::Response) -> Option<f64> {
    let after = response.header("Retry-After").and_then(|after| match after.parse::<u64>() {
        Ok(seconds) => Some(seconds as f64 * 1000.0),
        Err(_) => client.milliseconds_until(&after).map(|wait| wait.max(0.0)),
    });
    after.or_else(|| {
        let limit = response.header("RateLimit").filter(|_| response.status() == 429)?;
        seconds_of_rate_limit(&limit).map(|seconds| seconds as f64 * 1000.0)
    })
}

/// The seconds until more requests are allowed, in a header `RateLimit`.
fn seconds_of_rate_limit(header: &str) -> Option<u64> {
    let parameters = header.split([';', ',']).filter_map(|parameter| split_at(parameter, b'='));
    parameters.filter(|(name, _)| name.trim_ascii() == "t").find_map(|(_, seconds)| seconds.trim_ascii().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seconds_of_a_rate_limit() {
        assert_eq!(seconds_of_rate_limit(r#""api";r=0;t=55"#), Some(55));
        assert_eq!(seconds_of_rate_limit(r#""api"; r=0; t=7, "pages";r=1;t=9"#), Some(7));
        for other in ["", "t", "t=", "t=-1", "t=x", "reset=5", "t=99999999999999999999"] {
            assert_eq!(seconds_of_rate_limit(other), None, "{other}");
        }
    }
}
