//! Requests and their responses: redirects, the headers of the caller, time-outs, retries and bodies.

use alloc::{boxed::Box, string::String, string::ToString};
use core::cell::{Cell, RefCell};
use core::future::{Future, poll_fn, ready};
use core::pin::{Pin, pin};
use core::task::Poll;

use super::client::{Client, Failure, Probe, Request, Response, Sending};
use super::fault::{Fault, Retryable};
use super::options::HttpOptions;
use super::origin::same_origin;
use super::retries::Retries;
use crate::error::{Error, ErrorCode, error};
use crate::io::buffer::Buffer;
use crate::io::turns::{Turns, WORK_PER_CHUNK};

/// The most redirects in a row that are followed.
pub(super) const MOST_REDIRECTS: u32 = 5;

/// Bytes that have to arrive within `timeout`. A response with fewer counts as silent.
const LEAST_ARRIVAL: u64 = 1024;

/// The requests for one file, or for the documents of one server.
pub(super) struct Exchange<C: Client> {
    pub client: C,
    pub options: HttpOptions,
    /// A URL of the origin that the caller's headers are meant for.
    home: String,
    /// The headers with which a server allows pages of other origins to read its responses.
    cors_headers: &'static str,
    /// A URL that redirects to a place that the host does not show, as browsers do.
    hidden_redirect: RefCell<Option<String>>,
    /// Whether a response has come: CORS then allows to read the others.
    has_response: Cell<bool>,
    probe: RefCell<Option<Probe>>,
    is_probed: Cell<bool>,
}

/// A request in flight.
pub(super) struct Sent<C: Client> {
    pub url: String,
    /// The header that is no caller's, with its name in lower case.
    extra: Option<(&'static str, String)>,
    /// Whether the host follows redirects. Otherwise they are followed here.
    follows_redirects: bool,
    response: Sending<C::Response>,
    /// Ends when the response has taken too long.
    deadline: C::Timer,
}

/// The response at the end of all redirects.
pub(super) struct Answer<C: Client> {
    pub response: C::Response,
    /// The URL that the response is from.
    pub url: String,
    /// Whether headers of the caller are missing, because the host has followed a redirect.
    pub lacks_headers: bool,
    /// Whether the response is a redirect after as many as are followed.
    pub is_endless: bool,
    /// Ends when the response has taken too long.
    deadline: C::Timer,
}

impl<C: Client> Exchange<C> {
    pub fn new(client: C, options: HttpOptions, home: String, cors_headers: &'static str) -> Self {
        Self {
            client,
            options,
            home,
            cors_headers,
            hidden_redirect: RefCell::default(),
            has_response: Cell::new(false),
            probe: RefCell::default(),
            is_probed: Cell::new(false),
        }
    }

    /// Sends a request.
    pub fn send(&self, url: String, extra: Option<(&'static str, String)>) -> Sent<C> {
        let of_caller = self.options.headers.as_ref();
        let follows_redirects = of_caller.is_none() || self.hidden_redirect.borrow().as_ref() == Some(&url);
        let mut headers =
            of_caller.map(|headers| headers.of_request(&url, &self.home, follows_redirects)).unwrap_or_default();
        if let Some((name, value)) = &extra {
            headers.retain(|(other, _)| other != name);
            headers.push((name.to_string(), value.clone()));
        }
        let response = self.client.send(&Request { url: &url, headers: &headers, follows_redirects });
        let deadline = self.client.timer(self.options.response_timeout, true);
        Sent { url, extra, follows_redirects, response, deadline }
    }

    /// A response that the caller has already, as that to a request.
    pub fn given(&self, url: String, extra: Option<(&'static str, String)>, response: C::Response) -> Sent<C> {
        let deadline = self.client.timer(self.options.response_timeout, true);
        Sent { url, extra, follows_redirects: true, response: Box::pin(ready(Ok(response))), deadline }
    }

    /// Waits for the head of the response, and follows redirects.
    pub async fn respond(&self, mut sent: Sent<C>) -> Result<Answer<C>, Fault> {
        let asked = sent.url.clone();
        let mut redirects = 0;
        loop {
            let Sent { url, extra, follows_redirects, response, mut deadline } = sent;
            let mut silence = self.client.timer(self.options.timeout, false);
            let response = match limit(&mut deadline, limit(&mut silence, response)).await {
                Some(Some(Ok(response))) => response,
                Some(Some(Err(failure))) => return Err(self.failed(&asked, failure, true)),
                Some(None) => return Err(self.silent(&asked, "it was silent")),
                None => return Err(self.too_slow(&asked).into()),
            };
            let answered = response.redirected_url().unwrap_or_else(|| url.clone());
            // After such a redirect, headers of the caller are missing.
            let lacks_headers = self.options.headers.is_some() && follows_redirects && answered != url;
            let status = response.status();
            let is_redirect = matches!(status, 301 | 302 | 303 | 307 | 308);
            let target = match status {
                // Browsers do not show where a redirect leads. So the host follows it, without headers that it would take to
                // another origin.
                0 if !follows_redirects => Some(url.clone()),
                _ if is_redirect => {
                    let location = response.header("Location");
                    let target = location.and_then(|location| self.client.resolve(&location, &url));
                    // Only http and https, as in browsers: never a file of this machine.
                    target.filter(|target| target.starts_with("http"))
                }
                // The redirect leads to the origin that may have all headers.
                _ if lacks_headers && same_origin(&answered, &self.home) => Some(answered.clone()),
                _ => None,
            };
            match target.filter(|_| redirects < MOST_REDIRECTS) {
                Some(target) => {
                    if status == 0 {
                        self.hidden_redirect.replace(Some(url));
                    }
                    redirects += 1;
                    sent = self.send(target, extra);
                }
                None => {
                    self.has_response.set(true);
                    let is_endless = is_redirect && redirects == MOST_REDIRECTS;
                    return Ok(Answer { response, url: answered, lacks_headers, is_endless, deadline });
                }
            }
        }
    }

    /// Passes the bytes of a body to `take` as they arrive. Returns true if `take` has returned true, which ends the response, and
    /// false if all bytes have arrived.
    pub async fn receive(
        &self,
        mut answer: Answer<C>,
        take: &mut dyn FnMut(&C::Buffer) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let silence = || self.client.timer(self.options.timeout, false);
        let (mut timer, mut arrived) = (silence(), 0);
        let mut turns = Turns::<C::Host>::new();
        loop {
            let chunk = match limit(&mut answer.deadline, limit(&mut timer, answer.response.chunk())).await {
                Some(Some(Ok(Some(chunk)))) => chunk,
                Some(Some(Ok(None))) => return Ok(false),
                Some(Some(Err(failure))) => return Err(self.failed(&answer.url, failure, false)),
                Some(None) => return Err(self.silent(&answer.url, "it sent nothing, or less than 1 KiB,")),
                None => return Err(self.too_slow(&answer.url).into()),
            };
            if take(&chunk)? {
                return Ok(true);
            }
            arrived += chunk.len();
            if arrived >= LEAST_ARRIVAL {
                (timer, arrived) = (silence(), 0);
            }
            turns.count(WORK_PER_CHUNK).await;
        }
    }

    /// Waits before a request for `url` is sent again. If the server could not be reached, a request that runs beside it finds out
    /// whether CORS is the reason. If no retries are left, this request is waited for before the failure is reported.
    pub async fn wait_for_retry(&self, url: &str, retries: &mut Retries, failure: Retryable) -> Result<(), Error> {
        let may_be_forbidden = failure.is_unreachable && !self.has_response.get();
        if may_be_forbidden && retries.are_used_up() {
            self.send_probe(url);
        }
        let probe = if may_be_forbidden { self.probe.take() } else { None };
        if let Some(probe) = probe {
            let mut timer = self.client.timer(self.options.timeout, false);
            if limit(&mut timer, probe).await == Some(true) {
                return Err(self.forbidden_by_cors(url));
            }
        }
        if !retries.wait(&self.client, failure.retry_after).await {
            return Err(failure.error);
        }
        if may_be_forbidden {
            self.send_probe(url);
        }
        Ok(())
    }

    /// Sends the request without CORS, once for all requests.
    fn send_probe(&self, url: &str) {
        if !self.is_probed.replace(true) {
            self.probe.replace(self.client.probe(url));
        }
    }

    fn failed(&self, url: &str, failure: Failure, is_unreachable: bool) -> Fault {
        let quotes = |text: &String| self.options.headers.as_ref().is_some_and(|headers| headers.are_quoted_in(text));
        let reason = if quotes(&failure.reason) { "the error quotes options.headers" } else { &failure.reason };
        let mut error = lost(ErrorCode::Network, url, reason);
        if let Some(cause) = failure.cause.filter(|_| !failure.texts.iter().any(quotes)) {
            error = error.caused_by(cause);
        }
        Fault::Retry(Retryable { error, retry_after: None, is_unreachable })
    }

    /// The fault of a server that did nothing for `timeout`.
    fn silent(&self, url: &str, what: &str) -> Fault {
        let why = format!("{what} for {} ms. Set options.timeout to wait longer", self.options.timeout as u64);
        Fault::retry(lost(ErrorCode::Timeout, url, &why))
    }

    fn too_slow(&self, url: &str) -> Error {
        let limit = self.options.response_timeout as u64;
        error!(Timeout:
            "the response was not complete after {limit} ms. Set options.responseTimeout to allow more time for a \
             response")
        .of_url(url, None)
    }

    fn forbidden_by_cors(&self, url: &str) -> Error {
        error!(Cors:
            "the response cannot be read: the server can be reached, but does not allow this page to read its \
             responses (CORS). The owner of the server can allow it with the headers {}", self.cors_headers)
        .of_url(url, None)
    }
}

/// The error of a response that did not come, or not completely.
pub(super) fn lost(code: ErrorCode, url: &str, why: &str) -> Error {
    Error::new(code, format!("the server sent no response, or only a part of it: {why}")).of_url(url, None)
}

/// Waits for `work`; returns `None` if the time is over before the work is done.
#[doc(hidden)]
pub async fn limit<T>(timer: &mut (impl Future<Output = ()> + Unpin), work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => Pin::new(&mut *timer).poll(context).map(|()| None),
    })
    .await
}
