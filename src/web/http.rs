//! Reading a file over HTTP: by bounded ranges, on servers as they are.
//!
//! A header is read by ranges up to where it is estimated to end, two of them under way at once, so that
//! the link is never idle and little is fetched in vain. What breaks off is taken up where it stopped.
//!
//! No HEAD, no conditional headers and no suffix ranges: each would cost a CORS preflight.

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use core::cell::{Cell, RefCell};
use core::ops::Range;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, RequestInit, Response};

use super::error::{Code, failure, http_failure, reason};
use super::js::{self, Bytes, Stream};
use super::options::OpenOptions;
use super::source::{HeaderReader, OpenStream, new_bytes};
use super::timer::Timer;

/// The first range: more than is on its way in one round trip of 50 ms at 50 Mbit/s, so that the next one
/// is asked for before the link falls idle.
const FIRST_RANGE: u64 = 384 << 10;

/// A header is asked for in at least this many parts, so that the last ones are asked for when most of it
/// is known.
const PARTS: u64 = 6;

/// Bytes after which an answer counts as getting on: a server that sends less before it breaks off does not
/// gain new retries.
const GETTING_ON: u64 = 64 << 10;

/// Bytes that have to arrive within the timeout for an answer not to count as stalled.
const LEAST_ARRIVAL: f64 = 1024.0;

/// The wait before the second try, in milliseconds.
const FIRST_WAIT: f64 = 200.0;

/// The longest wait for a server that says when to come again, in milliseconds.
const LONGEST_WAIT: f64 = 60_000.0;

/// A file at a URL.
pub(super) struct Http {
    /// The address that was given, as it was given.
    given: String,
    /// The address to which it led, once that is known.
    redirected: RefCell<Option<String>>,
    headers: Option<JsValue>,
    fetch: Option<Function>,
    retries: u32,
    timeout: f64,
    /// False once the server has shown that it ignores ranges.
    ranges: Cell<bool>,
    version: RefCell<Option<Version>>,
    size: Cell<Option<u64>>,
    /// All of the file, if it came with the header.
    whole: RefCell<Option<Bytes>>,
}

/// What tells one version of a file from another.
struct Version {
    /// Only a strong one.
    etag: Option<String>,
    last_modified: Option<String>,
}

/// A request under way; dropping it ends it and its answer, wherever they are.
struct Exchange(AbortController);

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A range that has been asked for.
struct Sent {
    range: Range<u64>,
    url: String,
    response: JsFuture,
    exchange: Exchange,
}

/// An answer that brings the range, or what of it there is.
struct Answer {
    response: Response,
    /// Bytes that the body is to have, if that is known.
    length: Option<u64>,
    _exchange: Exchange,
}

/// Why a range did not arrive.
enum Fault {
    /// The file ends before it.
    End,
    /// It may arrive if it is asked for again, after so many milliseconds if the server says when.
    Again { error: JsValue, after: Option<f64> },
    /// It will not.
    Final(JsValue),
}

impl From<JsValue> for Fault {
    fn from(error: JsValue) -> Self {
        Self::Final(error)
    }
}

/// How often something has failed without getting on.
struct Failures {
    count: u32,
    allowed: u32,
}

impl Http {
    pub fn new(url: String, options: Option<&OpenOptions>) -> Result<Self, JsValue> {
        let some = |name| options.map(|options| options.some(name)).transpose().map(Option::flatten);
        let number = |name, default: f64| match some(name)? {
            None => Ok(default),
            Some(value) => match value.as_f64().filter(|value| *value >= 0.0) {
                Some(value) => Ok(value),
                None => Err(failure(Code::InvalidArgument, &format!("{name} is not a number from 0 on"))),
            },
        };
        Ok(Self {
            given: url,
            redirected: RefCell::new(None),
            headers: some("headers")?,
            fetch: options.map(|options| options.function("fetch")).transpose()?.flatten(),
            retries: number("retries", 4.0)? as u32,
            timeout: number("timeout", 30_000.0)?,
            ranges: Cell::new(true),
            version: RefCell::new(None),
            size: Cell::new(None),
            whole: RefCell::new(None),
        })
    }

    pub fn size(&self) -> Option<u64> {
        self.size.get()
    }

    /// Reads the header as it streams in.
    pub async fn read_header(&self, header: &mut HeaderReader) -> Result<(), JsValue> {
        let mut under_way = VecDeque::new();
        let mut failures = Failures { count: 0, allowed: self.retries };
        loop {
            let start = header.bytes_read();
            if self.size.get().is_some_and(|size| start >= size) {
                return header.end_of_file();
            }
            let next = match under_way.front() {
                Some(Sent { range, .. }) if range.start == start => under_way.pop_front(),
                Some(Sent { range, .. }) => Some(self.send(start..range.start, header)?),
                None => None,
            };
            let sent = match next {
                Some(sent) => sent,
                None => {
                    self.send(self.next_range(header, start, true).unwrap_or(start..start + FIRST_RANGE), header)?
                }
            };
            let end = sent.range.end;
            let mut take = |chunk: &Bytes| {
                header.set_size(self.size.get());
                if header.take(chunk)? {
                    self.keep_whole(header, chunk)?;
                    return Ok(true);
                }
                if under_way.is_empty()
                    && self.ranges.get()
                    && let Some(range) = self.next_range(header, end, false)
                {
                    under_way.push_back(self.send(range, header)?);
                }
                Ok(false)
            };
            match self.receive(sent, &mut take).await {
                Ok(true) => return Ok(()),
                Ok(false) if self.ranges.get() => failures.count = 0,
                Ok(false) | Err(Fault::End) => return header.end_of_file(),
                Err(Fault::Again { error, .. }) if !self.ranges.get() && header.bytes_read() > 0 => return Err(error),
                Err(Fault::Again { error, after }) => {
                    failures.next(header.bytes_read() - start, error, after).await?;
                }
                Err(Fault::Final(error)) => return Err(error),
            }
        }
    }

    /// The range to ask for after everything up to `from`: none if that is expected to be enough.
    fn next_range(&self, header: &HeaderReader, from: u64, needed: bool) -> Option<Range<u64>> {
        let estimate = header.estimated_size();
        if from >= estimate && !needed {
            return None;
        }
        // What an estimate falls short of costs another round trip; what it exceeds, little.
        let target = estimate + (estimate / 64).min(24 << 10) + (8 << 10);
        let target = if needed { target.max(from + header.at_least()) } else { target };
        let size = self.size.get().unwrap_or(u64::MAX);
        let part = (target / PARTS).max(FIRST_RANGE);
        let end = if from + part + part / 4 >= target { target } else { from + part };
        // Nothing is known yet at the very beginning.
        let end = if from == 0 { FIRST_RANGE } else { end.min(size) };
        (from < end).then_some(from..end)
    }

    /// Keeps the file, if the server sent it whole and all of it has come with the header.
    fn keep_whole(&self, header: &HeaderReader, last: &Bytes) -> Result<(), JsValue> {
        let Some(size) = self.size.get().filter(|_| !self.ranges.get()) else { return Ok(()) };
        let rest = header.rest_of(last);
        if header.bytes_read() + rest.byte_length() as u64 == size {
            let whole = new_bytes(size)?;
            header.copy_to(&whole);
            whole.set(&rest, header.bytes_read() as f64);
            self.whole.replace(Some(whole));
        }
        Ok(())
    }

    /// Reads a range of the file, all of it.
    pub async fn read(&self, range: Range<u64>) -> Result<Bytes, JsValue> {
        if let Some(whole) = &*self.whole.borrow() {
            return whole.slice(range.start as f64, range.end as f64);
        }
        if !self.ranges.get() {
            return Err(self.no_ranges());
        }
        let bytes = new_bytes(range.end - range.start)?;
        let mut failures = Failures { count: 0, allowed: self.retries };
        let mut at = range.start;
        while at < range.end {
            let start = at;
            let sent = self.request(at..range.end)?;
            let mut take = |chunk: &Bytes| {
                bytes.set(chunk, (at - range.start) as f64);
                at += chunk.byte_length() as u64;
                Ok(false)
            };
            match self.receive(sent, &mut take).await {
                Ok(_) if at > start => failures.count = 0,
                Ok(_) => return Err(self.bad_range("the answer is empty")),
                Err(Fault::Again { error, after }) => failures.next(at - start, error, after).await?,
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::End) => {
                    let message = format!("the server says that the file ends before byte {at}");
                    return Err(http_failure(Code::BadRange, &message, &self.url(), Some(416)));
                }
            }
        }
        Ok(bytes)
    }

    /// The address to ask.
    fn url(&self) -> String {
        self.redirected.borrow().as_ref().unwrap_or(&self.given).clone()
    }

    /// Asks for a range of the header.
    fn send(&self, range: Range<u64>, header: &mut HeaderReader) -> Result<Sent, JsValue> {
        header.count_request();
        self.request(range)
    }

    /// Asks for a range.
    fn request(&self, range: Range<u64>) -> Result<Sent, JsValue> {
        let url = self.url();
        let exchange = Exchange(AbortController::new()?);
        // What the caller says about himself is meant for the host that he named.
        let headers = match &self.headers {
            Some(headers) if same_origin(&url, &self.given) => Headers::new_with_headers(headers.unchecked_ref())?,
            _ => Headers::new()?,
        };
        headers.set("Range", &format!("bytes={}-{}", range.start, range.end - 1))?;
        let init = RequestInit::new();
        init.set_headers_headers(&headers);
        init.set_signal(Some(&exchange.0.signal()));
        let promise: Promise = match &self.fetch {
            Some(fetch) => Promise::resolve(&fetch.call2(&JsValue::UNDEFINED, &url.as_str().into(), &init)?),
            None => js::fetch(&url, &init)?,
        };
        Ok(Sent { range, url, response: promise.into(), exchange })
    }

    /// Waits for an answer and gives its bytes to `take` until that wants no more, or there are no more: says
    /// which.
    async fn receive(&self, sent: Sent, take: &mut dyn FnMut(&Bytes) -> Result<bool, JsValue>) -> Result<bool, Fault> {
        let answer = self.answer(sent).await?;
        let mut received = 0;
        if let Some(body) = answer.response.body() {
            let stream = OpenStream::new(body.unchecked_ref::<Stream>())?;
            let (mut timer, mut arrived) = (Timer::new(self.timeout), 0.0);
            loop {
                let chunk = match timer.unless_over(stream.read()).await {
                    Some(Ok(Some(chunk))) => {
                        js::bytes(&chunk).ok_or_else(|| self.lost("it sent something else than bytes"))?
                    }
                    Some(Ok(None)) => break,
                    Some(Err(error)) => return Err(self.lost(&reason(&error))),
                    None => return Err(self.lost("it stopped sending")),
                };
                received += chunk.byte_length() as u64;
                if let Some(length) = answer.length.filter(|length| received > *length) {
                    return Err(self.bad_range(&format!("{length} bytes were to come, and more did")).into());
                }
                if take(&chunk)? {
                    return Ok(true);
                }
                arrived += chunk.byte_length();
                if arrived >= LEAST_ARRIVAL {
                    (timer, arrived) = (Timer::new(self.timeout), 0.0);
                }
            }
        }
        match answer.length {
            Some(length) if received < length => Err(self.lost("it ended early")),
            None if received == 0 => Err(self.lost("it is empty")),
            _ => Ok(false),
        }
    }

    /// Waits for the head of an answer, and sees whether it brings what was asked for.
    async fn answer(&self, sent: Sent) -> Result<Answer, Fault> {
        let Sent { range, url, response, exchange } = sent;
        let response: Response = match Timer::new(self.timeout).unless_over(response).await {
            Some(Ok(response)) => response.unchecked_into(),
            Some(Err(error)) => return Err(self.lost(&reason(&error))),
            None => return Err(self.lost("it did not begin")),
        };
        let header = |name: &str| response.headers().get(name).ok().flatten();
        let content_range = header("Content-Range");
        let content_length = header("Content-Length").and_then(|length| length.parse::<u64>().ok());
        let encoded = header("Content-Encoding").is_some_and(|encoding| encoding != "identity");
        let size = content_range.as_deref().and_then(parse_content_range);
        let status = response.status();
        let length = match status {
            206 if encoded => {
                return Err(self.bad_range("the answer is compressed: its bytes are not the file's").into());
            }
            206 => {
                let (first, last, size) = match (&content_range, size) {
                    (Some(_), Some(ContentRange { bytes: Some((first, last)), size })) => (first, last, size),
                    (Some(text), _) => return Err(self.bad_range(&asked(&range, text)).into()),
                    // CORS hides it: the place is taken on trust, the length is not.
                    (None, _) => (range.start, range.end - 1, None),
                };
                if first != range.start || last < first || last >= range.end {
                    let text = content_range.unwrap_or_default();
                    return Err(self.bad_range(&asked(&range, &text)).into());
                }
                self.same_version(&header, size)?;
                match content_range {
                    Some(_) => Some(last + 1 - first),
                    None => content_length.filter(|length| *length <= range.end - range.start),
                }
            }
            200 if range.start == 0 && self.ranges.get() && self.size.get().is_none() => {
                let size = content_length.filter(|_| !encoded);
                self.ranges.set(false);
                self.same_version(&header, size)?;
                size
            }
            200 => return Err(self.no_ranges().into()),
            416 => {
                let size = size.and_then(|range| range.size).unwrap_or(range.start);
                self.same_version(&header, Some(size))?;
                return Err(Fault::End);
            }
            _ => return Err(self.refused(status, &url, &header)),
        };
        if response.redirected() && url == self.given {
            self.redirected.replace(Some(response.url()));
        }
        Ok(Answer { response, length, _exchange: exchange })
    }

    /// What follows from a status that brings nothing.
    fn refused(&self, status: u16, url: &str, header: &dyn Fn(&str) -> Option<String>) -> Fault {
        let message = format!("the server answered with status {status}");
        let error = http_failure(Code::Http, &message, url, Some(status));
        match status {
            429 | 502 | 503 | 504 => {
                let after = header("Retry-After").and_then(|after| match after.parse::<u32>() {
                    Ok(seconds) => Some(f64::from(seconds) * 1000.0),
                    Err(_) => Some(js_sys::Date::parse(&after) - js_sys::Date::now()).filter(|wait| !wait.is_nan()),
                });
                match after {
                    Some(wait) if wait > LONGEST_WAIT => Fault::Final(error),
                    after => Fault::Again { error, after: after.map(|wait| wait.max(0.0)) },
                }
            }
            // Signed addresses expire, and the original one leads to a new one.
            401 | 403 | 404 | 410 if url != self.given => {
                self.redirected.replace(None);
                Fault::Again { error, after: Some(0.0) }
            }
            _ => Fault::Final(error),
        }
    }

    /// Fails unless the answer is of the same version of the file as those before it, as far as it says.
    fn same_version(&self, header: &dyn Fn(&str) -> Option<String>, size: Option<u64>) -> Result<(), Fault> {
        let version = Version {
            etag: header("ETag").filter(|etag| !etag.starts_with("W/")),
            last_modified: header("Last-Modified"),
        };
        let differ = |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
        let mut first = self.version.borrow_mut();
        let changed = first.as_ref().is_some_and(|first| {
            differ(&first.etag, &version.etag) || differ(&first.last_modified, &version.last_modified)
        });
        if changed || self.size.get().zip(size).is_some_and(|(before, now)| before != now) {
            let message = "the file has changed on the server while it was read";
            return Err(http_failure(Code::Changed, message, &self.url(), None).into());
        }
        first.get_or_insert(version);
        self.size.set(self.size.get().or(size));
        Ok(())
    }

    fn lost(&self, why: &str) -> Fault {
        let error = http_failure(
            Code::Network,
            &format!("no answer from the server, or not all of it: {why}"),
            &self.url(),
            None,
        );
        Fault::Again { error, after: None }
    }

    fn no_ranges(&self) -> JsValue {
        let message = "the server does not send parts of a file, and the whole is not downloaded";
        http_failure(Code::NoRanges, message, &self.url(), Some(200))
    }

    fn bad_range(&self, message: &str) -> JsValue {
        http_failure(Code::BadRange, message, &self.url(), Some(206))
    }
}

impl Failures {
    /// Waits before the next try, or fails with `error` if there were enough.
    async fn next(&mut self, got_on: u64, error: JsValue, after: Option<f64>) -> Result<(), JsValue> {
        if got_on >= GETTING_ON {
            self.count = 0;
        }
        if self.count >= self.allowed {
            return Err(error);
        }
        // Doubling, and by chance up to half as long again, so that those who failed together do not come back together.
        let backoff = FIRST_WAIT * f64::from(1 << self.count.min(5)) * (1.0 + js_sys::Math::random() / 2.0);
        self.count += 1;
        Timer::new(after.unwrap_or(backoff)).over().await;
        Ok(())
    }
}

/// Whether two addresses have the same scheme, host and port. Of such as are not written out in full it is
/// not known, so it is not said.
fn same_origin(a: &str, b: &str) -> bool {
    fn parts(url: &str) -> impl Iterator<Item = &[u8]> {
        url.as_bytes().split(|byte| *byte == b'/').take(3)
    }
    a == b || (parts(a).count() == 3 && parts(a).zip(parts(b)).all(|(a, b)| a.eq_ignore_ascii_case(b)))
}

fn asked(range: &Range<u64>, got: &str) -> String {
    format!("asked for bytes {}-{}, the answer is \"{got}\"", range.start, range.end - 1)
}

/// What a `Content-Range` says.
#[derive(Debug, PartialEq)]
struct ContentRange {
    /// The first and the last byte.
    bytes: Option<(u64, u64)>,
    /// The size of the file.
    size: Option<u64>,
}

/// Reads `bytes 0-99/1234`, `bytes 0-99/*`, or `bytes */1234`, which has no bytes.
fn parse_content_range(text: &str) -> Option<ContentRange> {
    let (bytes, size) = text.strip_prefix("bytes ")?.split_once('/')?;
    let number = |text: &str| text.parse().ok();
    let bytes = match bytes.split_once('-') {
        Some((first, last)) => Some((number(first)?, number(last)?)),
        None if bytes == "*" => None,
        None => return None,
    };
    let size = if size == "*" { None } else { Some(number(size)?) };
    Some(ContentRange { bytes, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_ranges() {
        let read = |text| parse_content_range(text).map(|range| (range.bytes, range.size));
        assert_eq!(read("bytes 0-99/1234"), Some((Some((0, 99)), Some(1234))));
        assert_eq!(read("bytes 5-5/*"), Some((Some((5, 5)), None)));
        assert_eq!(read("bytes */7"), Some((None, Some(7))));
        for wrong in ["", "bytes", "bytes 0-1", "items 0-1/2", "bytes 1/2", "bytes -1/2", "bytes a-b/c", "bytes 0-/2"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn origins() {
        assert!(same_origin("https://a.b:8/c?d", "https://A.B:8/e"));
        assert!(same_origin("models/a.gguf", "models/a.gguf"));
        for other in ["http://a.b/c", "https://a.b:8/c", "https://a.bc/", "https://c/https://a.b/c", "models/a.gguf"] {
            assert!(!same_origin("https://a.b/c", other), "{other}");
        }
    }
}
