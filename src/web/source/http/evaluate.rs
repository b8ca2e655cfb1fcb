//! What the status and the headers of a response mean.
//!
//! | response | consequence |
//! | --- | --- |
//! | 206 with the range | the body is used; its `Content-Range` tells the size of the file |
//! | 206 with the beginning of the range | likewise; the next requests are as long as this response: see `response_cap` |
//! | 206 with another range, compressed, or without `Content-Range` though CORS cannot hide it | `bad-range` |
//! | 200 while the header is read | the header is read from the body as from a stream |
//! | 200 later | `no-ranges` |
//! | 416 | the file ends before the range |
//! | 408, 425, 429, 500, 502, 503, 504 | the request is sent again later |
//! | another status | `http` |

use alloc::format;
use core::ops::Range;

use super::content_range::ContentRange;
use super::fault::{Fault, Retryable};
use super::remote_file::RemoteFile;
use super::response::Response;
use super::validators::Validators;
use crate::error::ErrorCode;
use crate::web::interop::error::http_failure;

/// The longest wait that a server may ask for, in milliseconds.
pub(super) const LONGEST_WAIT: f64 = 60_000.0;

/// How long the body of a response is.
pub(super) struct BodyLength {
    /// The most bytes that the body may have.
    pub most: u64,
    /// Whether the body has exactly that many.
    pub is_exact: bool,
}

impl BodyLength {
    fn exactly(length: u64) -> Self {
        Self { most: length, is_exact: true }
    }

    fn up_to(length: u64) -> Self {
        Self { most: length, is_exact: false }
    }
}

impl RemoteFile {
    /// Checks whether a response brings the range, or a part of it, and learns from its headers.
    pub(super) fn evaluate(&self, range: &Range<u64>, response: &Response) -> Result<BodyLength, Fault> {
        let content_length = response.header("Content-Length").and_then(|length| length.parse::<u64>().ok());
        let encoding = response.header("Content-Encoding").filter(|encoding| encoding != "identity");
        match response.status() {
            206 => match encoding {
                None => self.evaluate_partial(range, response, content_length),
                Some(encoding) => {
                    let message = format!(
                        "the range cannot be used: the response is compressed (Content-Encoding: {encoding}), so its bytes \
                         are not those of the file. Turn compression off on the server for this file"
                    );
                    Err(self.bad_range(&message).into())
                }
            },
            200 if range.start == 0 && !self.has_header.get() => {
                let size = content_length.filter(|_| encoding.is_none());
                self.has_ranges.set(false);
                self.check_version(response, size)?;
                Ok(size.map_or(BodyLength::up_to(u64::MAX), BodyLength::exactly))
            }
            200 => Err(self.no_ranges().into()),
            416 => Err(self.unsatisfiable(range, response)),
            _ => Err(self.refused(response)),
        }
    }

    /// Evaluates a response with a part of the file: the status 206.
    fn evaluate_partial(
        &self,
        range: &Range<u64>,
        response: &Response,
        content_length: Option<u64>,
    ) -> Result<BodyLength, Fault> {
        let requested = range.end - range.start;
        let Some(content_range) = response.header("Content-Range") else {
            if self.options.fetch.is_none() && !response.hides_headers() {
                let message = "the range cannot be used: the server sent a part of the file (status 206) without the header \
                               Content-Range, which says what part. Use a server that supports range requests";
                return Err(self.bad_range(message).into());
            }
            // CORS hides the header. The start of the range is trusted, its length is checked.
            if let Some(length) = content_length.filter(|length| *length > requested) {
                return Err(self.another_range(range, &format!("{length} bytes")));
            }
            self.has_ranges.set(true);
            self.check_version(response, None)?;
            return Ok(content_length.map_or(BodyLength::up_to(requested), BodyLength::exactly));
        };
        let parsed = ContentRange::parse(&content_range);
        let Some(ContentRange { bytes: Some((first, last)), size }) = parsed else {
            return Err(self.another_range(range, &content_range));
        };
        if first != range.start || last >= range.end {
            return Err(self.another_range(range, &content_range));
        }
        self.has_ranges.set(true);
        self.check_version(response, size)?;
        let (end, length) = (last + 1, last + 1 - first);
        if size != Some(end) {
            self.cap.learn(requested, length);
        }
        Ok(BodyLength::exactly(length))
    }

    /// Evaluates a response that says that the range begins beyond the end of the file: the status 416.
    fn unsatisfiable(&self, range: &Range<u64>, response: &Response) -> Fault {
        let content_range = response.header("Content-Range");
        let size = content_range.as_deref().and_then(ContentRange::parse).and_then(|range| range.size);
        if let Err(fault) = self.check_version(response, size) {
            return fault;
        }
        match size {
            // Some servers refuse a range that reaches beyond the end. The size is known now, so the next range does not.
            Some(size) if size > range.start => {
                let message = format!(
                    "the range cannot be read: the server refused the bytes from {} on (status 416), but says that the file \
                     has {size} bytes",
                    range.start
                );
                let error = http_failure(ErrorCode::BadRange, &message, &response.url, Some(416));
                Fault::Retry(Retryable { error, retry_after: Some(0.0), is_unreachable: false })
            }
            None if range.start == 0 => self.refused(response),
            _ => Fault::End,
        }
    }

    /// The fault of a status that brings no bytes.
    pub(super) fn refused(&self, response: &Response) -> Fault {
        let status = response.status();
        let message =
            format!("the file cannot be read: the server responded with status {status}, expected 206 or 200");
        let error = http_failure(ErrorCode::Http, &message, &response.url, Some(status));
        if !is_temporary(status) {
            return Fault::Final(error);
        }
        match response.header("Retry-After").and_then(|after| parse_retry_after(&after)) {
            Some(wait) if wait > LONGEST_WAIT => Fault::Final(error),
            retry_after => Fault::Retry(Retryable { error, retry_after, is_unreachable: false }),
        }
    }

    fn another_range(&self, range: &Range<u64>, found: &str) -> Fault {
        let message = format!(
            "the range cannot be used: the server sent another one. Expected bytes {}-{}, found {found}",
            range.start,
            range.end - 1
        );
        self.bad_range(&message).into()
    }

    /// Fails if the response is of another version of the file than the responses before it.
    fn check_version(&self, response: &Response, size: Option<u64>) -> Result<(), Fault> {
        let validators = Validators { etag: response.header("ETag"), last_modified: response.header("Last-Modified") };
        let is_same_size = self.size.get().zip(size).is_none_or(|(before, now)| before == now);
        if !self.versions.borrow_mut().check(&response.url, validators) || !is_same_size {
            let message = "the file has changed on the server since it was opened: open it again";
            return Err(http_failure(ErrorCode::Changed, message, &response.url, None).into());
        }
        self.size.set(self.size.get().or(size));
        Ok(())
    }
}

/// Whether a request that gets this status may succeed later.
pub(super) fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// The wait in milliseconds that a `Retry-After` asks for: a number of seconds, or a date.
pub(super) fn parse_retry_after(text: &str) -> Option<f64> {
    let wait = match text.parse::<u64>() {
        Ok(seconds) => seconds as f64 * 1000.0,
        Err(_) => js_sys::Date::parse(text) - js_sys::Date::now(),
    };
    (!wait.is_nan()).then_some(wait.max(0.0))
}
