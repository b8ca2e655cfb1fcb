//! Sending one request: which headers it has, and where its redirects lead.

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use wasm_bindgen::prelude::*;
use web_sys::{AbortController, Headers, RequestInit, RequestRedirect};

use super::caller_headers::SentHeaders;
use super::evaluate::{BodyLength, is_temporary};
use super::exchange::{Exchange, Request};
use super::fault::Fault;
use super::origin::same_origin;
use super::remote_file::RemoteFile;
use super::response::Response;
use crate::error::ErrorCode;
use crate::web::interop::error::http_failure;
use crate::web::interop::timer::Timer;

/// The most redirects in a row that are followed.
pub(super) const MOST_REDIRECTS: u32 = 5;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = URL)]
    pub(super) type Url;
    #[wasm_bindgen(constructor, catch, js_class = "URL")]
    pub(super) fn new(url: &str, base: &str) -> Result<Url, JsValue>;
    #[wasm_bindgen(method, getter)]
    pub(super) fn href(this: &Url) -> String;
}

/// The body of a response that brings the range, or a part of it.
pub(super) struct Body {
    pub stream: JsValue,
    pub length: BodyLength,
    /// Ends when the response has taken too long.
    pub deadline: Timer,
    _exchange: Exchange,
}

impl RemoteFile {
    /// Requests a range.
    pub(super) fn request(&self, range: Range<u64>, url: String) -> Result<Request, JsValue> {
        let exchange = Exchange(AbortController::new()?);
        let caller_headers = self.options.headers.as_ref();
        let follows_redirects = caller_headers.is_none() || self.hidden_redirect.borrow().as_ref() == Some(&url);
        let sent = match same_origin(&url, &self.given_url) {
            false => SentHeaders::None,
            true if follows_redirects => SentHeaders::AuthorizationOnly,
            true => SentHeaders::All,
        };
        let headers = caller_headers.map_or_else(Headers::new, |headers| headers.copy(sent))?;
        headers.set("Range", &format!("bytes={}-{}", range.start, range.end - 1))?;
        let init = RequestInit::new();
        init.set_headers(&headers);
        init.set_signal(Some(&exchange.0.signal()));
        if !follows_redirects {
            init.set_redirect(RequestRedirect::Manual);
        }
        let response = self.options.send(&url, &init);
        let deadline = Timer::in_background(self.options.response_timeout);
        Ok(Request { range, url, follows_redirects, response, deadline, exchange })
    }

    /// Waits for the head of the response, follows redirects, and checks whether the response brings the range.
    pub(super) async fn respond(&self, mut request: Request) -> Result<Body, Fault> {
        let mut uses_known_redirect = request.url != self.given_url;
        let mut redirects = 0;
        loop {
            let Request { range, url, follows_redirects, response, deadline, exchange } = request;
            let response = match deadline.limit(Timer::new(self.options.timeout).limit(response)).await {
                Some(Some(Ok(response))) => response,
                Some(Some(Err(error))) => {
                    let fault = Fault::unreachable(self.lost_error(ErrorCode::Network, &self.options.reason(&error)));
                    return Err(fault.because_of(self.options.cause(&error)));
                }
                Some(None) => return Err(self.silent("it was silent")),
                None => return Err(self.too_slow().into()),
            };
            let Some(response) = Response::new(&response, &url) else {
                return Err(self.lost("options.fetch returned no Response"));
            };
            // After such a redirect, headers of the caller are missing.
            let lacks_headers = self.options.headers.is_some() && follows_redirects && response.is_redirected;
            let status = response.status();
            request = match status {
                // Browsers do not show where a redirect leads. So the host follows it, without headers that it would take to
                // another origin.
                0 if !follows_redirects && redirects < MOST_REDIRECTS => {
                    redirects += 1;
                    self.hidden_redirect.replace(Some(url.clone()));
                    self.request(range, url)?
                }
                301 | 302 | 303 | 307 | 308 if redirects < MOST_REDIRECTS => {
                    redirects += 1;
                    let location = response.header("Location").and_then(|location| Url::new(&location, &url).ok());
                    // Only http and https, as in browsers: never a file of this machine.
                    match location.map(|url| url.href()).filter(|url| url.starts_with("http")) {
                        Some(url) => self.request(range, url)?,
                        None => return Err(self.refused(&response)),
                    }
                }
                // The redirect leads to the origin of the given URL, which may have all headers.
                _ if lacks_headers && redirects < MOST_REDIRECTS && same_origin(&response.url, &self.given_url) => {
                    redirects += 1;
                    self.request(range, response.url)?
                }
                // Signed URLs expire, and the given URL leads to a new one.
                401 | 403 | 404 | 410 if uses_known_redirect => {
                    uses_known_redirect = false;
                    self.request(range, self.given_url.clone())?
                }
                400.. if lacks_headers && status != 416 && !is_temporary(status) => {
                    let withheld = self.options.headers.as_ref().and_then(|headers| headers.withheld());
                    return Err(match withheld {
                        Some(names) => self.withheld(&response, &names).into(),
                        None => self.refused(&response),
                    });
                }
                _ => {
                    self.has_response.set(true);
                    let length = self.evaluate(&range, &response)?;
                    let stream = response.body();
                    self.redirected_url.replace(Some(response.url).filter(|url| *url != self.given_url));
                    return Ok(Body { stream, length, deadline, _exchange: exchange });
                }
            };
        }
    }

    /// The fault of a response that did not come, or not completely.
    pub(super) fn lost(&self, why: &str) -> Fault {
        Fault::retry(self.lost_error(ErrorCode::Network, why))
    }

    /// The fault of a server that did nothing for `options.timeout`.
    pub(super) fn silent(&self, what: &str) -> Fault {
        let why = format!("{what} for {} ms. Set options.timeout to wait longer", self.options.timeout as u64);
        Fault::retry(self.lost_error(ErrorCode::Timeout, &why))
    }

    fn lost_error(&self, code: ErrorCode, why: &str) -> JsValue {
        let message = format!("the server sent no response, or only a part of it: {why}");
        http_failure(code, &message, &self.url(), None)
    }

    pub(super) fn too_slow(&self) -> JsValue {
        let limit = self.options.response_timeout as u64;
        let message = format!(
            "the response was not complete after {limit} ms. Set options.responseTimeout to allow more time for a response"
        );
        http_failure(ErrorCode::Timeout, &message, &self.url(), None)
    }

    fn withheld(&self, response: &Response, names: &str) -> JsValue {
        let status = response.status();
        let message = format!(
            "the file cannot be read: the server responded with status {status} after a redirect to another origin. These \
             headers were not sent there, because they are meant for the origin of the given URL: {names}"
        );
        http_failure(ErrorCode::HeadersWithheld, &message, &response.url, Some(status))
    }
}
