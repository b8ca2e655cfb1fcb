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
use web_sys::{AbortController, Headers};

use super::error::{Code, failure, http_failure, reason};
use super::js::{self, Bytes, Record, Stream};
use super::options::OpenOptions;
use super::source::{HeaderReader, OpenStream, POSITION_END, new_bytes};
use super::timer::Timer;

/// The first range: more than is on its way in one round trip of 50 ms at 50 Mbit/s, so that the next one
/// is asked for before the link falls idle.
const FIRST_RANGE: u64 = 384 << 10;

/// A header is asked for in at most this many parts: small ones at first, when little is known of it.
const PARTS: u64 = 6;

/// Bytes beyond the estimated end that are asked for with it. They come after the header, and so cost no
/// time; what an estimate falls short of costs a round trip.
const SPARE: u64 = 64 << 10;

/// Bytes after which a server counts as getting on: one that sends less before it breaks off does not gain
/// new retries.
const GETTING_ON: u64 = 16 << 10;

/// Answers in a row that may bring less than was asked for without getting on.
const MOST_SHORT: u32 = 8;

/// Redirects in a row that are followed.
const MOST_REDIRECTS: u32 = 5;

/// Bytes that have to arrive within the timeout for an answer not to count as stalled.
const LEAST_ARRIVAL: f64 = 1024.0;

/// The wait before the second try, in milliseconds.
const FIRST_WAIT: f64 = 200.0;

/// The longest wait for a server that says when to come again, in milliseconds.
const LONGEST_WAIT: f64 = 60_000.0;

#[wasm_bindgen]
extern "C" {
    type Request;
    #[wasm_bindgen(constructor, catch)]
    fn new(url: &str) -> Result<Request, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn url(this: &Request) -> String;

    #[wasm_bindgen(js_name = URL)]
    type Url;
    #[wasm_bindgen(constructor, catch, js_class = "URL")]
    fn new(url: &str, base: &str) -> Result<Url, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn href(this: &Url) -> String;
}

/// A file at a URL.
pub(super) struct Http {
    /// The address that was given, written out in full.
    given: String,
    /// The address to which it led, once that is known.
    redirected: RefCell<Option<String>>,
    headers: Option<JsValue>,
    /// True where redirects cannot be followed from here.
    follow: Cell<bool>,
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
    body: JsValue,
    /// Bytes that the body has at most.
    length: u64,
    /// Whether it has no fewer.
    exact: bool,
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
    /// Answers that were right, but short.
    short: u32,
    /// Bytes that have come meanwhile.
    brought: u64,
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
        let fetch = options.map(|options| options.function("fetch")).transpose()?.flatten();
        let given = match Request::new(&url) {
            Ok(request) => request.url(),
            // It may understand more than the host does.
            Err(_) if fetch.is_some() => url,
            Err(error) => return Err(failure(Code::InvalidSource, &reason(&error))),
        };
        let http = Self {
            given,
            redirected: RefCell::new(None),
            headers: some("headers")?,
            follow: Cell::new(false),
            fetch,
            retries: number("retries", 4.0)? as u32,
            timeout: number("timeout", 30_000.0)?,
            ranges: Cell::new(true),
            version: RefCell::new(None),
            size: Cell::new(None),
            whole: RefCell::new(None),
        };
        http.headers_for(&http.given)?;
        Ok(http)
    }

    pub fn size(&self) -> Option<u64> {
        self.size.get()
    }

    /// Reads the header as it streams in.
    pub async fn read_header(&self, header: &mut HeaderReader) -> Result<(), JsValue> {
        let mut under_way = VecDeque::new();
        let mut failures = Failures::new(self.retries);
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
            let received = self.receive(sent, &mut take).await;
            let at = header.bytes_read();
            failures.got(at - start, at == end);
            match received {
                Ok(true) => return Ok(()),
                Ok(false) if self.ranges.get() => {
                    if failures.too_short() {
                        return Err(self.too_short());
                    }
                }
                Ok(false) => return header.end_of_file(),
                Err(Fault::End) => {
                    self.size.set(self.size.get().or(Some(at)));
                    return header.end_of_file();
                }
                Err(Fault::Again { error, .. }) if !self.ranges.get() && at > 0 => return Err(error),
                Err(Fault::Again { error, after }) => failures.next(error, after).await?,
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
        let target = estimate.saturating_add(SPARE);
        let target = if needed { target.max(from.saturating_add(header.at_least())) } else { target };
        let size = self.size.get().unwrap_or(u64::MAX);
        let part = (target / PARTS).max(from / 2).max(FIRST_RANGE);
        let end = if from + part + part / 4 >= target { target } else { from + part };
        // Nothing is known yet at the very beginning.
        let end = if from == 0 { FIRST_RANGE } else { end }.min(size);
        (from < end).then_some(from..end)
    }

    /// Keeps the file, if the server sent it whole and all of it has come with the header.
    fn keep_whole(&self, header: &HeaderReader, last: &Bytes) -> Result<(), JsValue> {
        let Some(size) = self.size.get().filter(|_| !self.ranges.get()) else { return Ok(()) };
        let rest = header.rest_of(last)?;
        if header.bytes_read() + rest.byte_length() as u64 == size {
            let whole = new_bytes(size)?;
            header.copy_to(&whole)?;
            whole.set(&rest, header.bytes_read() as f64)?;
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
        let mut failures = Failures::new(self.retries);
        let mut at = range.start;
        while at < range.end {
            let start = at;
            let sent = self.request(at..range.end, self.url())?;
            let mut take = |chunk: &Bytes| {
                bytes.set(chunk, (at - range.start) as f64)?;
                at += chunk.byte_length() as u64;
                Ok(false)
            };
            let received = self.receive(sent, &mut take).await;
            failures.got(at - start, false);
            match received {
                Ok(_) => {
                    if failures.too_short() && at < range.end {
                        return Err(self.too_short());
                    }
                }
                Err(Fault::Again { error, after }) => failures.next(error, after).await?,
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::End) => {
                    let message = format!("the server says that the file ends before byte {at}");
                    return Err(http_failure(Code::BadRange, &message, &self.url(), Some(416)));
                }
            }
        }
        Ok(bytes)
    }

    /// Learns the size of the file from how much there is from `start` on, where CORS hides what else would tell.
    pub async fn learn_size(&self, start: u64) -> Result<(), JsValue> {
        let sent = self.request(start..POSITION_END, self.url())?;
        match self.answer(sent).await {
            Ok(answer) if answer.exact => self.size.set(self.size.get().or(Some(start + answer.length))),
            Err(Fault::Again { error, .. } | Fault::Final(error)) => return Err(error),
            _ => {}
        }
        Ok(())
    }

    /// The address to ask.
    fn url(&self) -> String {
        self.redirected.borrow().as_ref().unwrap_or(&self.given).clone()
    }

    /// Asks for a range of the header.
    fn send(&self, range: Range<u64>, header: &mut HeaderReader) -> Result<Sent, JsValue> {
        header.count_request();
        self.request(range, self.url())
    }

    /// Asks for a range.
    fn request(&self, range: Range<u64>, url: String) -> Result<Sent, JsValue> {
        let exchange = Exchange(AbortController::new()?);
        let headers = self.headers_for(&url)?;
        headers.set("Range", &format!("bytes={}-{}", range.start, range.end - 1))?;
        // A host that follows redirects by itself takes headers along to other origins.
        let manual = self.headers.is_some() && !self.follow.get();
        let redirect = if manual { "manual".into() } else { JsValue::UNDEFINED };
        let init = Record::new()
            .value("headers", &headers)
            .value("signal", &exchange.0.signal())
            .value("redirect", &redirect)
            .done();
        let promise = match &self.fetch {
            Some(fetch) => {
                fetch.call2(&JsValue::UNDEFINED, &url.as_str().into(), &init).and_then(|value| js::promise_of(&value))
            }
            None => js::fetch(&url, init.unchecked_ref()),
        };
        let response = promise.unwrap_or_else(|error| Promise::reject(&error)).into();
        Ok(Sent { range, url, response, exchange })
    }

    /// The headers of the caller, as far as they are meant for that address: for the host that he named.
    fn headers_for(&self, url: &str) -> Result<Headers, JsValue> {
        match &self.headers {
            Some(headers) if same_origin(url, &self.given) => Headers::new_with_headers(headers.unchecked_ref()),
            _ => Headers::new(),
        }
        .map_err(|error| failure(Code::InvalidArgument, &format!("headers: {}", reason(&error))))
    }

    /// Waits for an answer and gives its bytes to `take` until that wants no more, or there are no more: says
    /// which.
    async fn receive(&self, sent: Sent, take: &mut dyn FnMut(&Bytes) -> Result<bool, JsValue>) -> Result<bool, Fault> {
        let answer = self.answer(sent).await?;
        let mut received = 0;
        if let Some(body) = js::members(&answer.body) {
            let stream = OpenStream::new(body.unchecked_ref::<Stream>()).map_err(|error| self.lost(&reason(&error)))?;
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
                if received > answer.length {
                    let message = format!("{} bytes were to come, and more did", answer.length);
                    return Err(self.bad_range(&message).into());
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
        if answer.exact && received < answer.length {
            return Err(self.lost("it ended early"));
        }
        Ok(false)
    }

    /// Waits for the head of an answer, going where it leads, and sees whether it brings what was asked for.
    async fn answer(&self, mut sent: Sent) -> Result<Answer, Fault> {
        let mut direct = sent.url != self.given;
        let mut redirects = 0;
        loop {
            let Sent { range, url, response, exchange } = sent;
            let response = match Timer::new(self.timeout).unless_over(response).await {
                Some(Ok(response)) => response,
                Some(Err(error)) => return Err(self.lost(&reason(&error))),
                None => return Err(self.lost("it did not begin")),
            };
            let Some(response) = js::members(&response) else {
                return Err(self.lost("fetch gave no response"));
            };
            let member = |name: &str| response.get(name).unwrap_or(JsValue::UNDEFINED);
            let headers: Headers = member("headers").unchecked_into();
            let header = |name: &str| headers.get(name).ok().flatten();
            let status = member("status").as_f64().unwrap_or_default() as u16;
            let next = match status {
                // Browsers do not show where a redirect leads. There it is they who follow, and who take
                // `Authorization` to no other origin.
                0 if !self.follow.replace(true) => url,
                301 | 302 | 303 | 307 | 308 if redirects < MOST_REDIRECTS => {
                    redirects += 1;
                    let location = header("Location").and_then(|location| Url::new(&location, &url).ok());
                    // Nowhere else than browsers would follow: not to files of this machine, say.
                    match location.map(|url| url.href()).filter(|url| url.starts_with("http")) {
                        Some(url) => url,
                        None => return Err(self.refused(status, &url, &header)),
                    }
                }
                // Signed addresses expire, and the original one leads to a new one.
                401 | 403 | 404 | 410 if direct => {
                    direct = false;
                    self.given.clone()
                }
                _ => {
                    let (length, exact) = self.announced(status, &range, &url, &header)?;
                    let at = if member("redirected").is_truthy() { member("url").as_string() } else { None };
                    self.redirected.replace(Some(at.unwrap_or(url)).filter(|url| *url != self.given));
                    return Ok(Answer { body: member("body"), length, exact, _exchange: exchange });
                }
            };
            sent = self.request(range, next)?;
        }
    }

    /// How long the body of an answer is at most, and whether it is to be as long as that.
    fn announced(
        &self,
        status: u16,
        range: &Range<u64>,
        url: &str,
        header: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(u64, bool), Fault> {
        let content_range = header("Content-Range");
        let content_length = header("Content-Length").and_then(|length| length.parse::<u64>().ok());
        let encoded = header("Content-Encoding").is_some_and(|encoding| encoding != "identity");
        let parsed = content_range.as_deref().and_then(parse_content_range);
        match status {
            206 if encoded => Err(self.bad_range("the answer is compressed: its bytes are not the file's").into()),
            206 => {
                let (start, end, size) = match (&content_range, parsed) {
                    (Some(_), Some(ContentRange { bytes: Some((first, last)), size })) => {
                        (first, last.saturating_add(1), size)
                    }
                    (Some(_), _) => (0, 0, None),
                    // CORS hides it: the place is taken on trust, the length is not.
                    (None, _) => (range.start, range.start.saturating_add(content_length.unwrap_or(1)), None),
                };
                if start != range.start || end < start || end > range.end || content_range.is_some() && end == start {
                    let got = content_range.as_deref().unwrap_or("longer");
                    let message = format!("asked for bytes {}-{}, the answer is \"{got}\"", range.start, range.end - 1);
                    return Err(self.bad_range(&message).into());
                }
                self.ranges.set(true);
                self.same_version(header, size)?;
                match content_range.is_none() && content_length.is_none() {
                    true => Ok((range.end - start, false)),
                    false => Ok((end - start, true)),
                }
            }
            200 if range.start == 0 => {
                let size = content_length.filter(|_| !encoded);
                self.ranges.set(false);
                self.same_version(header, size)?;
                Ok((size.unwrap_or(u64::MAX), size.is_some()))
            }
            200 => Err(self.no_ranges().into()),
            416 => {
                let size = parsed.and_then(|range| range.size);
                self.same_version(header, size)?;
                match size {
                    // Some refuse what reaches beyond the end.
                    Some(size) if size > range.start => Err(Fault::Again {
                        error: http_failure(Code::BadRange, "the server refuses a part that there is", url, Some(416)),
                        after: Some(0.0),
                    }),
                    _ => Err(Fault::End),
                }
            }
            _ => Err(self.refused(status, url, header)),
        }
    }

    /// What follows from a status that brings nothing.
    fn refused(&self, status: u16, url: &str, header: &dyn Fn(&str) -> Option<String>) -> Fault {
        let message = format!("the server answered with status {status}");
        let error = http_failure(Code::Http, &message, url, Some(status));
        match status {
            429 | 502 | 503 | 504 => {
                let after = header("Retry-After").and_then(|after| match after.parse::<u64>() {
                    Ok(seconds) => Some(seconds as f64 * 1000.0),
                    Err(_) => Some(js_sys::Date::parse(&after) - js_sys::Date::now()).filter(|wait| !wait.is_nan()),
                });
                match after {
                    Some(wait) if wait > LONGEST_WAIT => Fault::Final(error),
                    after => Fault::Again { error, after: after.map(|wait| wait.max(0.0)) },
                }
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

    fn too_short(&self) -> JsValue {
        self.bad_range("the server sends too little at a time")
    }

    fn bad_range(&self, message: &str) -> JsValue {
        http_failure(Code::BadRange, message, &self.url(), Some(206))
    }
}

impl Failures {
    fn new(allowed: u32) -> Self {
        Self { count: 0, allowed, short: 0, brought: 0 }
    }

    /// Takes note of what an answer has brought: all that was asked for, or so many bytes of it.
    fn got(&mut self, bytes: u64, all: bool) {
        self.brought += bytes;
        if all || self.brought >= GETTING_ON {
            *self = Self::new(self.allowed);
        }
    }

    /// Takes note of an answer that was shorter than asked for, if it was: says whether there were enough.
    fn too_short(&mut self) -> bool {
        self.short += 1;
        self.short > MOST_SHORT
    }

    /// Waits before the next try, or fails with `error` if there were enough.
    async fn next(&mut self, error: JsValue, after: Option<f64>) -> Result<(), JsValue> {
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

/// Whether two addresses, written out in full, have the same scheme, host and port: all up to the third slash.
fn same_origin(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
    a == b || same.filter(|(a, _)| *a == b'/').count() >= 3
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
        assert!(same_origin("https://a.b:8/c?d", "https://a.b:8/e"));
        assert!(same_origin("models/a.gguf", "models/a.gguf"));
        for other in ["http://a.b/c", "https://a.b:8/c", "https://a.bc/", "https://c/https://a.b/c", "models/a.gguf"] {
            assert!(!same_origin("https://a.b/c", other), "{other}");
        }
    }
}
