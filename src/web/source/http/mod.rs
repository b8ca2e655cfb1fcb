//! Reading a file over HTTP by ranges.
//!
//! A header is read by ranges up to its estimated end, two of them in flight at once, so that the link is never idle and
//! little is downloaded in vain. A response that breaks off is resumed where it stopped. What servers do, and what follows
//! from it, is in [`answer`].
//!
//! No HEAD, no conditional headers and no suffix ranges: each would cost a CORS preflight.

mod answer;
mod caller_headers;
mod connections;
mod content_range;
mod cors;
mod origin;
mod request;
mod retries;
mod validators;

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use core::cell::{Cell, RefCell};
use core::ops::Range;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::web::interop::error::{Code, failure, file_ends, http_failure, reason};
use crate::web::interop::js::Bytes;
use crate::web::reader::options::OpenOptions;
use crate::web::source::{HeaderReader, POSITION_END, new_bytes};
use caller_headers::CallerHeaders;
use connections::{Connections, MOST_REQUESTS};
use cors::Probe;
use request::{Fault, Request};
use retries::{LEAST_ANSWER, Retries, Retryable};
use validators::Versions;

/// The first range: more than is in flight in one round trip of 50 ms at 50 Mbit/s, so that the next request is sent
/// before the link falls idle.
const FIRST_RANGE: u64 = 384 << 10;

/// A header is read in at most this many parts: small ones at first, when little is known of it.
const PARTS: u64 = 6;

/// Bytes beyond the estimated end that are requested with the header. They come after it, so they cost no time; an estimate
/// that falls short costs a round trip.
const SPARE: u64 = 64 << 10;

/// The default of `options.retries`.
const RETRIES: f64 = 4.0;

/// The default of `options.timeout`, in milliseconds.
const TIMEOUT: f64 = 30_000.0;

/// The default of `options.responseTimeout`, in milliseconds.
const RESPONSE_TIMEOUT: f64 = 600_000.0;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Request)]
    type HostRequest;
    #[wasm_bindgen(constructor, catch, js_class = "Request")]
    fn new(url: &str) -> Result<HostRequest, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn url(this: &HostRequest) -> String;
}

/// A file at a URL.
pub(crate) struct Http {
    /// The URL that was given, written out in full.
    given: String,
    /// The URL that it leads to, once that is known.
    redirected: RefCell<Option<String>>,
    /// The URL that redirects without showing where to, as browsers report it.
    hidden_redirect: RefCell<Option<String>>,
    headers: Option<CallerHeaders>,
    fetch: Option<Function>,
    retries: u32,
    /// Milliseconds that the server may be silent.
    timeout: f64,
    /// Milliseconds that one response may take.
    response_timeout: f64,
    /// Whether the header is complete. The whole file may come instead of a range only before that.
    is_open: Cell<bool>,
    /// False once the server has shown that it ignores ranges.
    has_ranges: Cell<bool>,
    /// The most bytes that the server sends in one response, once it has sent fewer than the range has.
    cap: Cell<Option<u64>>,
    versions: RefCell<Versions>,
    size: Cell<Option<u64>>,
    /// The whole file, if it came with the header.
    whole: RefCell<Option<Bytes>>,
    connections: Connections,
    /// Whether to find out if CORS is why the server cannot be reached.
    probes_cors: bool,
    /// Whether a response has come: CORS then allows to read the file.
    is_answered: Cell<bool>,
    probe: RefCell<Option<Probe>>,
    is_probed: Cell<bool>,
}

impl Http {
    pub fn new(url: String, options: Option<&OpenOptions>) -> Result<Self, JsValue> {
        let some = |name| options.map(|options| options.some(name)).transpose().map(Option::flatten);
        let number = |name, default: f64| match some(name)? {
            None => Ok(default),
            Some(value) => match value.as_f64().filter(|value| *value >= 0.0) {
                Some(value) => Ok(value),
                None => Err(failure(Code::InvalidArgument, &format!("options.{name} is not a number from 0 on"))),
            },
        };
        let fetch = options.map(|options| options.function("fetch")).transpose()?.flatten();
        let given = match HostRequest::new(&url) {
            Ok(request) => request.url(),
            // A `fetch` of the caller may understand more than the host does.
            Err(_) if fetch.is_some() => url,
            Err(error) => return Err(failure(Code::InvalidSource, &reason(&error))),
        };
        Ok(Self {
            given,
            redirected: RefCell::default(),
            hidden_redirect: RefCell::default(),
            headers: some("headers")?.map(|headers| CallerHeaders::new(&headers)).transpose()?,
            probes_cors: some("probeCors")?.map_or(fetch.is_none(), |given| given.is_truthy()),
            fetch,
            retries: number("retries", RETRIES)? as u32,
            timeout: number("timeout", TIMEOUT)?,
            response_timeout: number("responseTimeout", RESPONSE_TIMEOUT)?,
            is_open: Cell::new(false),
            has_ranges: Cell::new(true),
            cap: Cell::new(None),
            versions: RefCell::default(),
            size: Cell::new(None),
            whole: RefCell::default(),
            connections: Connections::new(),
            is_answered: Cell::new(false),
            probe: RefCell::default(),
            is_probed: Cell::new(false),
        })
    }

    /// The size of the file in bytes, if the server has told it.
    pub fn size(&self) -> Option<u64> {
        self.size.get()
    }

    /// Says that the caller has the header already, so that it is not read.
    pub fn has_header(&self) {
        self.is_open.set(true);
    }

    /// Reads the header as it streams in.
    pub async fn read_header(&self, header: &mut HeaderReader) -> Result<(), JsValue> {
        let mut ahead = VecDeque::new();
        let mut retries = Retries::new(self.retries);
        let mut is_restarted = false;
        loop {
            let start = header.bytes_read();
            if self.size.get().is_some_and(|size| start >= size) {
                return header.end_of_file();
            }
            let request = self.next_request(header, start, &mut ahead)?;
            let range = request.range.clone();
            if self.cap.get().is_some() {
                self.request_ahead(header, &range, &mut ahead)?;
            }
            let mut take = |chunk: &Bytes| {
                header.set_size(self.size.get());
                if header.take(chunk)? {
                    self.keep_whole(header, chunk)?;
                    return Ok(true);
                }
                self.request_ahead(header, &range, &mut ahead)?;
                Ok(false)
            };
            let received = self.receive(request, &mut take).await;
            let at = header.bytes_read();
            retries.received(at - start, at == range.end);
            match received {
                Ok(true) => {
                    self.is_open.set(true);
                    return Ok(());
                }
                Ok(false) if self.has_ranges.get() => {
                    if at < range.end && !retries.allow_short_answer(at - start) {
                        return Err(self.answers_too_short(at - start));
                    }
                }
                Ok(false) => return header.end_of_file(),
                Err(Fault::End) => {
                    self.size.set(self.size.get().or(Some(at)));
                    return header.end_of_file();
                }
                // A whole file cannot be resumed: it is read once more from its start.
                Err(Fault::Retry(failure)) if !self.has_ranges.get() && at > 0 => {
                    if is_restarted {
                        return Err(failure.error);
                    }
                    is_restarted = true;
                    self.wait_for_retry(&mut retries, failure).await?;
                    ahead.clear();
                    header.restart();
                }
                Err(Fault::Retry(failure)) => self.wait_for_retry(&mut retries, failure).await?,
                Err(Fault::Final(error)) => return Err(error),
            }
        }
    }

    /// The request that brings the header's bytes from `start` on: the first of those ahead, or a new one.
    fn next_request(
        &self,
        header: &mut HeaderReader,
        start: u64,
        ahead: &mut VecDeque<Request>,
    ) -> Result<Request, JsValue> {
        match ahead.front().map(|request| request.range.start) {
            Some(first) if first == start => {}
            // A response broke off, or was shorter than its range.
            Some(first) if first > start => return self.request_part(start..first, header),
            _ => ahead.clear(),
        }
        if let Some(request) = ahead.pop_front() {
            return Ok(request);
        }
        let range = self.next_range(header, start, true).unwrap_or(start..start + FIRST_RANGE);
        self.request_part(range, header)
    }

    /// Sends the requests that follow the one for `current`, as far as the header is estimated to go on: one, or as many as
    /// are allowed at once if the server sends little at a time.
    fn request_ahead(
        &self,
        header: &mut HeaderReader,
        current: &Range<u64>,
        ahead: &mut VecDeque<Request>,
    ) -> Result<(), JsValue> {
        if !self.has_ranges.get() {
            return Ok(());
        }
        let most = if self.cap.get().is_some() { MOST_REQUESTS - 1 } else { 1 };
        while ahead.len() < most {
            let current_end = self.cap.get().map_or(current.end, |cap| current.end.min(current.start + cap));
            let end = ahead.back().map_or(current_end, |request| request.range.end);
            let Some(range) = self.next_range(header, end, false) else { break };
            ahead.push_back(self.request_part(range, header)?);
        }
        Ok(())
    }

    /// The range to request after everything up to `from`. Without `needed`: none if that is expected to be enough.
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
        // At the very beginning nothing is known yet.
        let end = if from == 0 { FIRST_RANGE } else { end }.min(size);
        (from < end).then_some(from..end)
    }

    /// Requests a range of the header, or as much of it as the server sends at once.
    fn request_part(&self, range: Range<u64>, header: &mut HeaderReader) -> Result<Request, JsValue> {
        header.count_request();
        let end = self.cap.get().map_or(range.end, |cap| range.end.min(range.start + cap));
        self.request(range.start..end, self.url())
    }

    /// Keeps the file, if the server sent it whole and all of it has come with the header.
    fn keep_whole(&self, header: &HeaderReader, last: &Bytes) -> Result<(), JsValue> {
        let Some(size) = self.size.get().filter(|_| !self.has_ranges.get()) else { return Ok(()) };
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
        if !self.has_ranges.get() {
            return Err(self.no_ranges());
        }
        let bytes = new_bytes(range.end - range.start)?;
        let mut at = range.start;
        while at < range.end {
            at = match self.cap.get() {
                None => self.read_part(at..range.end, &bytes, range.start).await?,
                Some(cap) => {
                    let starts = (at..range.end).step_by(usize::try_from(cap).unwrap_or(usize::MAX));
                    let parts = starts.map(|start| start..range.end.min(start + cap));
                    let reads = parts.map(|part| self.read_parts(part, &bytes, range.start));
                    stream::iter(reads).buffer_unordered(MOST_REQUESTS).try_collect::<()>().await?;
                    range.end
                }
            };
        }
        Ok(bytes)
    }

    /// Reads a range, however little the server sends at once, one response after the other.
    async fn read_parts(&self, range: Range<u64>, bytes: &Bytes, bytes_start: u64) -> Result<(), JsValue> {
        let mut at = range.start;
        while at < range.end {
            at = self.read_part(at..range.end, bytes, bytes_start).await?;
        }
        Ok(())
    }

    /// Reads a range into `bytes`, whose first byte is that at `bytes_start` of the file. Returns the position that it
    /// has reached: less than the range's end only if the server sends less at once.
    async fn read_part(&self, range: Range<u64>, bytes: &Bytes, bytes_start: u64) -> Result<u64, JsValue> {
        let mut retries = Retries::new(self.retries);
        let mut at = range.start;
        while at < range.end {
            let start = at;
            let connection = self.connections.connect().await;
            let request = self.request(at..range.end, self.url())?;
            let mut take = |chunk: &Bytes| {
                bytes.set(chunk, (at - bytes_start) as f64)?;
                at += chunk.byte_length() as u64;
                Ok(false)
            };
            let received = self.receive(request, &mut take).await;
            drop(connection);
            retries.received(at - start, false);
            match received {
                Ok(_) if at == range.end => {}
                Ok(_) if !retries.allow_short_answer(at - start) => return Err(self.answers_too_short(at - start)),
                Ok(_) if self.cap.get().is_some_and(|cap| cap < range.end - at) => return Ok(at),
                Ok(_) => {}
                Err(Fault::Retry(failure)) => self.wait_for_retry(&mut retries, failure).await?,
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::End) => return Err(self.ends_at(at, at > range.start)),
            }
        }
        Ok(at)
    }

    /// Learns the size of the file from the length of a response that is open-ended from `start` on, where no header tells
    /// it. The server may send less at once: the size is known only if nothing follows.
    pub async fn learn_size(&self, start: u64) -> Result<(), JsValue> {
        let Some(length) = self.open_ended_length(start).await? else { return Ok(()) };
        let end = start + length;
        if self.size.get().is_none() && self.open_ended_length(end).await? == Some(0) {
            self.size.set(Some(end));
        }
        Ok(())
    }

    /// How many bytes the server announces from `start` on, if it says so: none at the end of the file.
    async fn open_ended_length(&self, start: u64) -> Result<Option<u64>, JsValue> {
        let request = self.request(start..POSITION_END, self.url())?;
        match self.answer(request).await {
            Ok(answer) => Ok(answer.is_exact.then_some(answer.length)),
            Err(Fault::End) => Ok(Some(0)),
            Err(Fault::Retry(Retryable { error, .. }) | Fault::Final(error)) => Err(error),
        }
    }

    /// Waits before a retry. If the server could not be reached, finds out at the same time as the retry whether CORS is
    /// the reason.
    async fn wait_for_retry(&self, retries: &mut Retries, failure: Retryable) -> Result<(), JsValue> {
        let url = self.url();
        let may_be_forbidden =
            failure.is_unreachable && self.probes_cors && !self.is_answered.get() && cors::can_forbid(&url);
        if may_be_forbidden {
            let probe = self.probe.take();
            if let Some(probe) = probe
                && probe.answers(self.timeout).await
            {
                return Err(self.forbidden_by_cors());
            }
        }
        retries.wait(failure).await?;
        if may_be_forbidden && !self.is_probed.replace(true) {
            self.probe.replace(Some(Probe::send(&url)?));
        }
        Ok(())
    }

    /// The URL to request.
    fn url(&self) -> String {
        self.redirected.borrow().as_ref().unwrap_or(&self.given).clone()
    }
}

/// The errors of this source.
impl Http {
    fn no_ranges(&self) -> JsValue {
        let message = "the server sent the whole file instead of a range, and the file is not downloaded as a whole: \
                       use a server that supports range requests";
        http_failure(Code::NoRanges, message, &self.url(), Some(200))
    }

    fn answers_too_short(&self, length: u64) -> JsValue {
        self.bad_range(&format!("the server sends too little at once: {length} bytes, expected {LEAST_ANSWER} or more"))
    }

    fn bad_range(&self, message: &str) -> JsValue {
        http_failure(Code::BadRange, message, &self.url(), Some(206))
    }

    /// The error of a read for which the server answers that the file ends at `position`, or before it unless the byte
    /// before `position` has arrived.
    fn ends_at(&self, position: u64, is_exact: bool) -> JsValue {
        if self.size.get().is_some_and(|size| position < size) {
            let message = format!("the server refuses the bytes from {position} on, though the file has them");
            return http_failure(Code::BadRange, &message, &self.url(), Some(416));
        }
        if is_exact {
            self.size.set(Some(position));
        }
        file_ends("the file ends before the bytes that were to be read", position)
    }

    fn forbidden_by_cors(&self) -> JsValue {
        let message = "the server can be reached, but does not allow this page to read the file (CORS). The owner of the \
                       server can allow it with the headers Access-Control-Allow-Origin: *, \
                       Access-Control-Allow-Headers: Range, and \
                       Access-Control-Expose-Headers: Content-Range, Content-Length, ETag, Last-Modified";
        http_failure(Code::Cors, message, &self.url(), None)
    }
}
