//! What the status and the headers of a response say, and what follows from them.
//!
//! | response | what follows |
//! | --- | --- |
//! | 206 with the range | it is used, and its `Content-Range` tells the size of the file |
//! | 206 with the beginning of the range | likewise; later requests are as long as this response |
//! | 206 with another range, compressed, or without `Content-Range` though CORS cannot hide it | `bad-range` |
//! | 200 while the header is read | the header is read from it as from a stream |
//! | 200 later | `no-ranges` |
//! | 416 | the file ends before the range |
//! | 408, 425, 429, 500, 502, 503, 504 | the request is sent again later |
//! | another status | `http` |

use alloc::format;
use core::ops::Range;

use super::Http;
use super::content_range::ContentRange;
use super::request::{Fault, Response};
use super::retries::{LEAST_ANSWER, Retryable};
use super::validators::Validators;
use crate::web::interop::error::{Code, http_failure};

/// The longest wait that a server may ask for, in milliseconds.
const LONGEST_WAIT: f64 = 60_000.0;

impl Http {
    /// The most bytes that the body of a response has, and whether it has no fewer than that.
    pub(super) fn announced(&self, range: &Range<u64>, response: &Response<'_>) -> Result<(u64, bool), Fault> {
        let content_length = response.header("Content-Length").and_then(|length| length.parse::<u64>().ok());
        let is_compressed = response.header("Content-Encoding").is_some_and(|encoding| encoding != "identity");
        match response.status() {
            206 if is_compressed => {
                Err(self.bad_range("the response is compressed, so its bytes are not those of the file").into())
            }
            206 => self.partial(range, response, content_length),
            200 if range.start == 0 && !self.is_open.get() => {
                let size = content_length.filter(|_| !is_compressed);
                self.has_ranges.set(false);
                self.check_version(response, size)?;
                Ok((size.unwrap_or(u64::MAX), size.is_some()))
            }
            200 => Err(self.no_ranges().into()),
            416 => Err(self.unsatisfiable(range, response)),
            _ => Err(self.refused(response)),
        }
    }

    /// A part of the file: the status 206.
    fn partial(
        &self,
        range: &Range<u64>,
        response: &Response<'_>,
        content_length: Option<u64>,
    ) -> Result<(u64, bool), Fault> {
        let Some(content_range) = response.header("Content-Range") else {
            if self.fetch.is_none() && !response.hides_headers() {
                let message = "the server sends a part of the file (status 206) without saying which: the header \
                               Content-Range is missing";
                return Err(self.bad_range(message).into());
            }
            // The start is taken on trust, because CORS hides the header. The length is checked.
            let length = content_length.unwrap_or(range.end - range.start);
            if length > range.end - range.start {
                return Err(self.another_range(range, &format!("{length} bytes")));
            }
            self.has_ranges.set(true);
            self.check_version(response, None)?;
            return Ok((length, content_length.is_some()));
        };
        let parsed = ContentRange::parse(&content_range);
        let Some(ContentRange { bytes: Some((first, last)), size }) = parsed else {
            return Err(self.another_range(range, &content_range));
        };
        if first != range.start || last < first || last >= range.end {
            return Err(self.another_range(range, &content_range));
        }
        self.has_ranges.set(true);
        self.check_version(response, size)?;
        let (end, length) = (last + 1, last + 1 - first);
        // A response below `LEAST_ANSWER` is not taken for a cap. A second one in a row is an error.
        if end < range.end && size != Some(end) && length >= LEAST_ANSWER {
            self.cap.set(Some(length));
        }
        Ok((length, true))
    }

    /// The range lies beyond the end of the file: the status 416.
    fn unsatisfiable(&self, range: &Range<u64>, response: &Response<'_>) -> Fault {
        let content_range = response.header("Content-Range");
        let size = content_range.as_deref().and_then(ContentRange::parse).and_then(|range| range.size);
        if let Err(fault) = self.check_version(response, size) {
            return fault;
        }
        match size {
            // Some servers refuse a range that reaches beyond the end. Now that the size is known, the next range does not.
            Some(size) if size > range.start => {
                let message = "the server refuses a range that the file has";
                let error = http_failure(Code::BadRange, message, &response.url, Some(416));
                Fault::Retry(Retryable { error, retry_after: Some(0.0), is_unreachable: false })
            }
            None if range.start == 0 => self.refused(response),
            _ => Fault::End,
        }
    }

    /// What follows from a status that brings nothing.
    pub(super) fn refused(&self, response: &Response<'_>) -> Fault {
        let status = response.status();
        let message = format!("the server answered with status {status}");
        let error = http_failure(Code::Http, &message, &response.url, Some(status));
        if !is_temporary(status) {
            return Fault::Final(error);
        }
        match response.header("Retry-After").and_then(|after| wait(&after)) {
            Some(wait) if wait > LONGEST_WAIT => Fault::Final(error),
            retry_after => Fault::Retry(Retryable { error, retry_after, is_unreachable: false }),
        }
    }

    fn another_range(&self, range: &Range<u64>, found: &str) -> Fault {
        let message =
            format!("the server sent another range: expected bytes {}-{}, found {found}", range.start, range.end - 1);
        self.bad_range(&message).into()
    }

    /// Fails unless the response is of the same version of the file as those before it, as far as it tells.
    fn check_version(&self, response: &Response<'_>, size: Option<u64>) -> Result<(), Fault> {
        let validators = Validators { etag: response.header("ETag"), last_modified: response.header("Last-Modified") };
        let is_same_size = self.size.get().zip(size).is_none_or(|(before, now)| before == now);
        if !self.versions.borrow_mut().check(&response.url, validators) || !is_same_size {
            let message = "the file has changed on the server since it was opened: open it again";
            return Err(http_failure(Code::Changed, message, &response.url, None).into());
        }
        self.size.set(self.size.get().or(size));
        Ok(())
    }
}

/// Whether a request that is answered with this status may succeed later.
pub(super) fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// The milliseconds that a `Retry-After` asks for: a number of seconds, or a date.
fn wait(retry_after: &str) -> Option<f64> {
    let wait = match retry_after.parse::<u64>() {
        Ok(seconds) => seconds as f64 * 1000.0,
        Err(_) => js_sys::Date::parse(retry_after) - js_sys::Date::now(),
    };
    (!wait.is_nan()).then_some(wait.max(0.0))
}
