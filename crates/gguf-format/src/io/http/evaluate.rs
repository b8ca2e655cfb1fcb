//! What the status and the headers of a response mean.
//!
//! | response | consequence |
//! | --- | --- |
//! | 206 with the range | the body is used; its `Content-Range` tells the size of the file |
//! | 206 with the beginning of the range | likewise; the next requests are as long as this response: see `response_cap` |
//! | 206 with another range, compressed, or without `Content-Range` though CORS cannot hide it | `bad-range` |
//! | 200 while the header is read | the header is read from the body as from a stream |
//! | 200 later | `no-ranges`, or `bad-response` if it is a web page |
//! | 200 without a body, later | the file is empty |
//! | 416 | the file ends before the range |
//! | 408, 425, 429, 500, 502, 503, 504 | the request is sent again later |
//! | another status | `http` |

use core::ops::Range;

use super::client::{Client, Response};
use super::content_range::ContentRange;
use super::exchange::Answer;
use super::fault::{Fault, Retryable};
use super::remote_file::RemoteFile;
use super::retries::{may_retry, retry_after};
use super::validators::Validators;
use crate::error::{Error, ErrorCode, error};

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

impl<C: Client> RemoteFile<C> {
    /// Checks whether a response brings the range, or a part of it, and learns from its headers.
    pub(super) fn evaluate(&self, range: &Range<u64>, answer: &Answer<C>) -> Result<BodyLength, Fault> {
        let response = &answer.response;
        let content_length = response.header("Content-Length").and_then(|length| length.parse::<u64>().ok());
        let encoding = response.header("Content-Encoding").filter(|encoding| encoding != "identity");
        match response.status() {
            206 => match encoding {
                None => self.evaluate_partial(range, answer, content_length),
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
                self.check_version(answer, size)?;
                Ok(size.map_or(BodyLength::up_to(u64::MAX), BodyLength::exactly))
            }
            200 if range.start == 0 && content_length == Some(0) => {
                self.check_version(answer, content_length)?;
                Err(Fault::End)
            }
            200 => Err(if is_page(response) { self.sent_page() } else { self.no_ranges() }.into()),
            416 => Err(self.unsatisfiable(range, answer)),
            _ => Err(self.refused(answer)),
        }
    }

    /// Evaluates a response with a part of the file: the status 206.
    fn evaluate_partial(
        &self,
        range: &Range<u64>,
        answer: &Answer<C>,
        content_length: Option<u64>,
    ) -> Result<BodyLength, Fault> {
        let (requested, response) = (range.end - range.start, &answer.response);
        let Some(content_range) = response.header("Content-Range") else {
            if !response.hides_headers() {
                let message = "the range cannot be used: the server sent a part of the file (status 206) without the header \
                               Content-Range, which says what part. Use a server that supports range requests";
                return Err(self.bad_range(message).into());
            }
            // CORS hides the header. The start of the range is trusted, its length is checked.
            if let Some(length) = content_length.filter(|length| *length > requested) {
                return Err(self.another_range(range, &format!("{length} bytes")));
            }
            self.has_ranges.set(true);
            self.check_version(answer, None)?;
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
        self.hides_size.set(size.is_none());
        self.check_version(answer, size)?;
        let (end, length) = (last + 1, last + 1 - first);
        if size != Some(end) {
            self.cap.learn(requested, length);
        }
        Ok(BodyLength::exactly(length))
    }

    /// Evaluates a response that says that the range begins beyond the end of the file: the status 416.
    fn unsatisfiable(&self, range: &Range<u64>, answer: &Answer<C>) -> Fault {
        let content_range = answer.response.header("Content-Range");
        let size = content_range.as_deref().and_then(ContentRange::parse).and_then(|range| range.size);
        if let Err(fault) = self.check_version(answer, size) {
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
                let error = Error::new(ErrorCode::BadRange, message).of_url(&answer.url, Some(416));
                Fault::Retry(Retryable { error, retry_after: Some(0.0), is_unreachable: false })
            }
            None if range.start == 0 => self.refused(answer),
            _ => Fault::End,
        }
    }

    /// The fault of a status that brings no bytes.
    fn refused(&self, answer: &Answer<C>) -> Fault {
        let status = answer.response.status();
        // The Hub of Hugging Face tells its reason: `GatedRepo` and so on.
        let reason = answer.response.header("X-Error-Code").unwrap_or_default();
        let message = format!(
            "the file cannot be read: the server responded with status {status}{}{reason}, expected 206 or 200",
            if reason.is_empty() { "" } else { " " }
        );
        let error = Error::new(ErrorCode::Http, message).of_url(&answer.url, Some(status));
        let retry_after = retry_after(&self.exchange.client, &answer.response);
        match may_retry(status, retry_after) {
            true => Fault::Retry(Retryable { error, retry_after, is_unreachable: false }),
            false => Fault::Final(error),
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
    fn check_version(&self, answer: &Answer<C>, size: Option<u64>) -> Result<(), Fault> {
        let header = |name| answer.response.header(name);
        let validators = Validators { etag: header("ETag"), last_modified: header("Last-Modified") };
        let is_same_size = self.size.get().zip(size).is_none_or(|(before, now)| before == now);
        if !self.versions.borrow_mut().check(&answer.url, validators) || !is_same_size {
            return Err(error!(Changed: "the file has changed on the server since it was opened: open it again")
                .of_url(&answer.url, None)
                .into());
        }
        self.size.set(self.size.get().or(size));
        Ok(())
    }
}

/// Whether a response is a web page. No model has this type of content.
fn is_page(response: &impl Response) -> bool {
    response.header("Content-Type").is_some_and(|r#type| r#type.starts_with("text/html"))
}
