//! Reading a file over HTTP by bounded ranges.

use alloc::format;
use alloc::string::String;
use core::cell::Cell;
use core::ops::Range;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, RequestInit, Response};

use super::error::{Code, http_failure, reason};
use super::js::{self, Bytes};
use super::options::OpenOptions;
use super::source::{HeaderReader, Streamed, read_stream, wrong_length};

/// The first range: more than fits on the wire in one round trip of 50 ms at 50 Mbit/s, and all of
/// most small headers.
const FIRST_RANGE: u64 = 384 << 10;

/// The largest range of a header that is asked for at once: what is received in vain at its end.
const LARGEST_RANGE: u64 = 4 << 20;

/// How often in a row an answer may break off before its end, or bring nothing, until that is an error.
const SHORT_ANSWERS: u32 = 3;

/// A file at a URL.
pub(super) struct Http {
    url: String,
    headers: Option<JsValue>,
    fetch: Option<Function>,
    size: Cell<Option<u64>>,
    /// False once the server has shown that it ignores ranges.
    ranges: Cell<bool>,
}

/// An answer whose body is under way.
struct Answer {
    response: Response,
    /// Bytes of the body, if the server says so.
    announced: Option<u64>,
    _exchange: Exchange,
}

/// A request and its answer; dropping it ends both, wherever they are.
struct Exchange(AbortController);

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Http {
    pub fn new(url: String, options: Option<&OpenOptions>) -> Self {
        Self {
            url,
            headers: options.and_then(|options| options.some("headers")),
            fetch: options.and_then(|options| options.function("fetch")),
            size: Cell::new(None),
            ranges: Cell::new(true),
        }
    }

    pub fn size(&self) -> Option<u64> {
        self.size.get()
    }

    /// Reads the header as it streams in, by ranges that double until it is complete.
    pub async fn read_header(&self, header: &mut HeaderReader) -> Result<(), JsValue> {
        let mut short_answers = 0;
        loop {
            let start = header.bytes_read();
            if self.size.get().is_some_and(|size| start >= size) {
                return header.end_of_file();
            }
            let wanted = start.clamp(FIRST_RANGE, LARGEST_RANGE).max(header.at_least());
            let end = (start + wanted).min(self.size.get().unwrap_or(u64::MAX));
            header.count_request();
            let Some(answer) = self.request(start..end).await? else { return header.end_of_file() };
            header.set_size(self.size.get());

            let streamed = match answer.response.body() {
                Some(body) => read_stream(body.unchecked_ref(), header).await?,
                None => Streamed::Ended,
            };
            let received = header.bytes_read() - start;
            let broken_off = match streamed {
                Streamed::Complete => return Ok(()),
                Streamed::Ended => match answer.announced {
                    Some(announced) => received < announced,
                    None => received == 0,
                },
                Streamed::Broken(_) => true,
            };
            if broken_off {
                short_answers += 1;
                if short_answers == SHORT_ANSWERS || !self.ranges.get() {
                    let message = format!("the connection was lost {received} bytes after offset {start:#x}");
                    return Err(http_failure(Code::Network, &message, &self.url, None));
                }
                continue;
            }
            if !self.ranges.get() {
                return header.end_of_file();
            }
            short_answers = 0;
            if self.size.get().is_none() && start + received < end {
                // The whole answer, and less than was asked for: the file ends there.
                self.size.set(Some(start + received));
            }
        }
    }

    /// Reads a range of the file.
    pub async fn read(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        if !self.ranges.get() {
            return Err(self.no_ranges());
        }
        let wanted = range.end - range.start;
        let Some(answer) = self.request(range).await? else {
            let message = "the server says that the range is not in the file";
            return Err(http_failure(Code::BadRange, message, &self.url, Some(416)));
        };
        let buffer = JsFuture::from(answer.response.array_buffer()?).await.map_err(|error| self.network(&error))?;
        let Some(bytes) = js::bytes(&buffer) else { return Err(self.no_ranges()) };
        if bytes.byte_length() != wanted as f64 {
            let message = wrong_length(wanted, &bytes);
            return Err(http_failure(Code::BadRange, &message, &self.url, Some(answer.response.status())));
        }
        Ok(bytes)
    }

    /// Asks for a range: `None` if the file ends before it.
    async fn request(&self, range: Range<u64>) -> Result<Option<Answer>, JsValue> {
        let exchange = Exchange(AbortController::new()?);
        let headers = match &self.headers {
            Some(headers) => Headers::new_with_headers(headers.unchecked_ref())?,
            None => Headers::new()?,
        };
        headers.set("Range", &format!("bytes={}-{}", range.start, range.end - 1))?;
        let init = RequestInit::new();
        init.set_headers_headers(&headers);
        init.set_signal(Some(&exchange.0.signal()));
        let promise: Promise = match &self.fetch {
            Some(fetch) => Promise::resolve(&fetch.call2(&JsValue::UNDEFINED, &self.url.as_str().into(), &init)?),
            None => js::fetch(&self.url, &init)?,
        };
        let mut answer = Answer {
            response: JsFuture::from(promise).await.map_err(|error| self.network(&error))?.unchecked_into(),
            announced: None,
            _exchange: exchange,
        };
        let header = |name: &str| answer.response.headers().get(name).ok().flatten();
        let announced = match header("Content-Encoding") {
            None => header("Content-Length").and_then(|length| length.parse().ok()),
            Some(_) => None,
        };
        let content_range = header("Content-Range");
        match answer.response.status() {
            206 => {
                if let Some(content_range) = content_range {
                    let Some((start, size)) = parse_content_range(&content_range) else {
                        return Err(self.bad_range(&range, &content_range));
                    };
                    if start != Some(range.start) {
                        return Err(self.bad_range(&range, &content_range));
                    }
                    self.size.set(size.or(self.size.get()));
                }
            }
            200 if range.start == 0 => {
                self.size.set(announced);
                self.ranges.set(false);
            }
            200 => return Err(self.no_ranges()),
            416 => {
                let size = content_range.as_deref().and_then(parse_content_range).and_then(|(_, size)| size);
                self.size.set(Some(size.unwrap_or(range.start)));
                return Ok(None);
            }
            status => {
                let message = format!("the server answered with status {status}");
                return Err(http_failure(Code::Http, &message, &self.url, Some(status)));
            }
        }
        answer.announced = announced;
        Ok(Some(answer))
    }

    fn network(&self, error: &JsValue) -> JsValue {
        http_failure(Code::Network, &format!("no answer from the server: {}", reason(error)), &self.url, None)
    }

    fn no_ranges(&self) -> JsValue {
        let message = "the server does not send parts of a file, and the whole is not downloaded";
        http_failure(Code::NoRanges, message, &self.url, Some(200))
    }

    fn bad_range(&self, asked: &Range<u64>, got: &str) -> JsValue {
        let message = format!("asked for bytes {}-{}, the answer is \"{got}\"", asked.start, asked.end - 1);
        http_failure(Code::BadRange, &message, &self.url, Some(206))
    }
}

/// The first byte and the file's size in a `Content-Range`: `bytes 0-99/1234`, `bytes 0-99/*`, or
/// `bytes */1234`, which has no first byte.
fn parse_content_range(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
    let size = match size {
        "*" => None,
        size => Some(size.parse().ok()?),
    };
    let start = match range {
        "*" => None,
        range => Some(range.split_once('-')?.0.parse().ok()?),
    };
    Some((start, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ranges() {
        assert_eq!(parse_content_range("bytes 0-99/1234"), Some((Some(0), Some(1234))));
        assert_eq!(parse_content_range("bytes 5-5/*"), Some((Some(5), None)));
        assert_eq!(parse_content_range("bytes */7"), Some((None, Some(7))));
        for wrong in ["", "bytes", "bytes 0-1", "items 0-1/2", "bytes 1/2", "bytes -1/2", "bytes a-b/c"] {
            assert_eq!(parse_content_range(wrong), None, "{wrong:?}");
        }
    }
}
