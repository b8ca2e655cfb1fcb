//! Small documents that are read whole: the answers of a hub's interface.
//!
//! Requests are retried as those for files are. The caller's headers go to the origin of the first URL only.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::future::Future;
use core::pin::Pin;

use wasm_bindgen::prelude::*;
use web_sys::{AbortController, Headers, RequestInit, RequestRedirect};

use super::caller_headers::SentHeaders;
use super::cors::{self, Probe};
use super::evaluate::{LONGEST_WAIT, is_temporary, parse_retry_after};
use super::exchange::Exchange;
use super::fault::{Fault, Retryable};
use super::options::HttpOptions;
use super::origin::same_origin;
use super::request::{MOST_REDIRECTS, Url};
use super::response::Response;
use super::retries::Retries;
use crate::error::ErrorCode;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::http_failure;
use crate::web::interop::objects::as_object;
use crate::web::interop::options::Options;
use crate::web::interop::streams::{Stream, StreamReader};
use crate::web::interop::timer::{ChunkCounter, Timer};

/// The most bytes of a document. A page of a listing has a thousand files, so a few hundred kilobytes.
const MOST_BYTES: u64 = 32 << 20;

/// The time for all documents in milliseconds, unless `options.responseTimeout` says another. A server that is silent is noticed
/// earlier, but one that always sends a little is not.
const WHOLE_TIME: f64 = 180_000.0;

/// A client for the documents of one server. All requests together have a limited time, with retries and the waits between them.
pub(crate) struct Documents {
    options: HttpOptions,
    whole_time: f64,
    deadline: Timer,
    /// A URL of the origin that may have the caller's headers.
    home: String,
}

/// A response with its body. The status can be any.
pub(crate) struct Document {
    response: Response,
    pub status: u16,
    /// The body. Bytes that are not UTF-8 are replaced. Empty unless the status is a success.
    pub text: String,
}

impl Document {
    /// The URL that the document is from.
    pub fn url(&self) -> &str {
        &self.response.url
    }

    /// The value of a header; `None` if it is absent, or CORS hides it.
    pub fn header(&self, name: &str) -> Option<String> {
        self.response.header(name)
    }

    /// The wait in milliseconds that the server asks for: `Retry-After`, or the member `t` of `RateLimit` (draft 9 of
    /// `draft-ietf-httpapi-ratelimit-headers`): `"api";r=0;t=55`.
    pub fn retry_after(&self) -> Option<f64> {
        let after = self.header("Retry-After").and_then(|after| parse_retry_after(&after));
        after.or_else(|| seconds_of_rate_limit(&self.header("RateLimit")?).map(|seconds| f64::from(seconds) * 1000.0))
    }

    /// The URL of the next page of a list, if there is one: the header `Link`.
    pub fn next_page(&self) -> Option<String> {
        let link = next_link(&self.header("Link")?)?.to_string();
        Url::new(&link, self.url()).ok().map(|url| url.href())
    }
}

impl Documents {
    /// `home` is an absolute URL.
    pub fn new(home: String, options: &Options) -> Result<Self, JsValue> {
        let whole_time = options.number("responseTimeout", 0.0)?.unwrap_or(WHOLE_TIME);
        let deadline = Timer::in_background(whole_time);
        Ok(Self { options: HttpOptions::new(options)?, whole_time, deadline, home })
    }

    /// Sends each request only once.
    pub fn without_retries(mut self) -> Self {
        self.options.retries = 0;
        self
    }

    /// Whether the caller gave headers.
    pub fn has_headers(&self) -> bool {
        self.options.headers.is_some()
    }

    /// Fetches a document. Responses with a temporary status are requested again, as often as the options allow: the last one
    /// is returned. A server that asks for a long wait is not asked again.
    ///
    /// # Errors
    ///
    /// `network`, `timeout` or `cors` if no response comes, or not the whole; `bad-response` if the body is too long.
    pub async fn get(&self, url: &str) -> Result<Document, JsValue> {
        self.deadline.limit(self.get_with_retries(url)).await.unwrap_or_else(|| Err(self.too_slow(url)))
    }

    async fn get_with_retries(&self, url: &str) -> Result<Document, JsValue> {
        let mut retries = Retries::new(self.options.retries);
        loop {
            // Boxed: each caller would contain a copy of the state machine otherwise.
            let exchange: Pin<Box<dyn Future<Output = _>>> = Box::pin(self.exchange(url));
            match exchange.await {
                Ok(document) if is_temporary(document.status) => {
                    let retry_after = document.retry_after();
                    let is_long = retry_after.is_some_and(|wait| wait > LONGEST_WAIT);
                    // The error is not used: the document says more.
                    let failure = Retryable { error: JsValue::UNDEFINED, retry_after, is_unreachable: false };
                    if is_long || retries.wait(failure).await.is_err() {
                        return Ok(document);
                    }
                }
                Ok(document) => return Ok(document),
                Err(Fault::Retry(failure)) => {
                    if failure.is_unreachable && self.options.probes_cors && cors::can_forbid(url) {
                        self.probe(url).await?;
                    }
                    retries.wait(failure).await?;
                }
                Err(Fault::Final(error)) => return Err(error),
                Err(Fault::End) => return Err(self.lost(ErrorCode::Network, url, "it ended")),
            }
        }
    }

    /// Fails if the server can be reached without CORS.
    async fn probe(&self, url: &str) -> Result<(), JsValue> {
        if !Probe::send(url)?.succeeds(self.options.timeout).await {
            return Ok(());
        }
        let message = "the answer cannot be read: the server can be reached, but does not allow this page to read its \
                       answers (CORS). The owner of the server can allow it with the headers Access-Control-Allow-Origin: * \
                       and Access-Control-Expose-Headers: Link, Retry-After, RateLimit, X-Error-Code";
        Err(http_failure(ErrorCode::Cors, message, url, None))
    }

    /// Sends one request, follows its redirects, and reads the body.
    async fn exchange(&self, url: &str) -> Result<Document, Fault> {
        let mut url = url.to_string();
        // Browsers do not show where a redirect leads. Then the host follows it, with `Authorization` only, which it removes at
        // another origin.
        let mut is_hidden = false;
        let mut redirects = 0;
        loop {
            let exchange = Exchange(AbortController::new()?);
            let headers = self.options.headers.as_ref();
            let follows_redirects = headers.is_none() || is_hidden;
            let sent = match same_origin(&url, &self.home) {
                false => SentHeaders::None,
                true if follows_redirects => SentHeaders::AuthorizationOnly,
                true => SentHeaders::All,
            };
            let init = RequestInit::new();
            let request_headers = headers.map_or_else(Headers::new, |headers| headers.copy(sent))?;
            init.set_headers(&request_headers);
            init.set_signal(Some(&exchange.0.signal()));
            if !follows_redirects {
                init.set_redirect(RequestRedirect::Manual);
            }
            let response = self.options.send(&url, &init);
            let response = match Timer::new(self.options.timeout).limit(response).await {
                Some(Ok(response)) => response,
                Some(Err(error)) => {
                    let fault = Fault::unreachable(self.lost(ErrorCode::Network, &url, &self.options.reason(&error)));
                    return Err(fault.because_of(self.options.cause(&error)));
                }
                None => return Err(self.silent(&url)),
            };
            let Some(response) = Response::new(&response, &url) else {
                return Err(self.retry(&url, "options.fetch returned no Response"));
            };
            let lacks_headers = headers.is_some() && follows_redirects && response.is_redirected;
            let status = response.status();
            redirects += 1;
            match status {
                0 if !follows_redirects && redirects <= MOST_REDIRECTS => is_hidden = true,
                301 | 302 | 303 | 307 | 308 if redirects <= MOST_REDIRECTS => {
                    let location = response.header("Location").and_then(|location| Url::new(&location, &url).ok());
                    // Only http and https, as in browsers: never a file of this machine.
                    match location.map(|url| url.href()).filter(|url| url.starts_with("http")) {
                        Some(location) => url = location,
                        None => return Ok(Document { response, status, text: String::new() }),
                    }
                }
                301 | 302 | 303 | 307 | 308 => return Err(Fault::Final(endless(&url, status))),
                // The redirect leads to the origin of the hub, which may have all headers.
                _ if lacks_headers && redirects <= MOST_REDIRECTS && same_origin(&response.url, &self.home) => {
                    url = response.url;
                    is_hidden = false;
                }
                200..=299 => {
                    let text = self.body(&response).await?;
                    return Ok(Document { response, status, text });
                }
                _ => return Ok(Document { response, status, text: String::new() }),
            }
        }
    }

    /// The body of a response as text.
    async fn body(&self, response: &Response) -> Result<String, Fault> {
        let url = &response.url;
        let body = response.body();
        let Some(stream) = as_object(&body) else { return Ok(String::new()) };
        let lost =
            |error: JsValue| self.retry(url, &self.options.reason(&error)).because_of(self.options.cause(&error));
        let stream = StreamReader::new(stream.unchecked_ref::<Stream>()).map_err(lost)?;
        let (mut text, mut chunks) = (Vec::new(), ChunkCounter::default());
        loop {
            let chunk = match Timer::new(self.options.timeout).limit(stream.read()).await {
                Some(Ok(Some(chunk))) => chunk,
                Some(Ok(None)) => return Ok(String::from_utf8_lossy(&text).into_owned()),
                Some(Err(error)) => return Err(lost(error)),
                None => return Err(self.silent(url)),
            };
            let Some(chunk) = Bytes::of(&chunk) else {
                return Err(self.retry(url, "its body has a chunk that is not bytes"));
            };
            if text.len() as u64 + chunk.byte_length() as u64 > MOST_BYTES {
                let message = format!(
                    "the answer cannot be read: it is longer than {MOST_BYTES} bytes. Check the address of the server"
                );
                return Err(http_failure(ErrorCode::BadResponse, &message, url, Some(response.status())).into());
            }
            text.extend_from_slice(&chunk.to_vec()?);
            chunks.count().await;
        }
    }

    fn lost(&self, code: ErrorCode, url: &str, why: &str) -> JsValue {
        http_failure(code, &format!("the server sent no answer, or only a part of it: {why}"), url, None)
    }

    fn retry(&self, url: &str, why: &str) -> Fault {
        Fault::retry(self.lost(ErrorCode::Network, url, why))
    }

    fn silent(&self, url: &str) -> Fault {
        let why = format!("it was silent for {} ms. Set options.timeout to wait longer", self.options.timeout as u64);
        Fault::retry(self.lost(ErrorCode::Timeout, url, &why))
    }

    fn too_slow(&self, url: &str) -> JsValue {
        let limit = self.whole_time as u64;
        let message = format!(
            "the answers were not complete after {limit} ms. Try again, or set options.responseTimeout to allow more time"
        );
        http_failure(ErrorCode::Timeout, &message, url, None)
    }
}

fn endless(url: &str, status: u16) -> JsValue {
    let message = format!(
        "the answer cannot be read: the server redirected {MOST_REDIRECTS} times, and the last address redirects again. Check the \
         address of the server: two of its addresses may redirect to each other"
    );
    http_failure(ErrorCode::BadResponse, &message, url, Some(status))
}

/// The target of the link with the relation `next` in a header `Link`: `<https://host/page?cursor=x>; rel="next"`.
fn next_link(header: &str) -> Option<&str> {
    let mut rest = header;
    loop {
        let (target, after) = rest.split_once('<')?.1.split_once('>')?;
        let parameters = after.split_once('<').map_or(after, |(parameters, _)| parameters);
        let is_next = parameters.split([';', ',']).any(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or_default();
            name.trim().eq_ignore_ascii_case("rel") && value.trim().trim_matches('"').eq_ignore_ascii_case("next")
        });
        if is_next {
            return Some(target);
        }
        rest = after;
    }
}

/// The seconds until more requests are allowed, in a header `RateLimit`.
fn seconds_of_rate_limit(header: &str) -> Option<u32> {
    let parameters = header.split([';', ',']).filter_map(|parameter| parameter.split_once('='));
    parameters.filter(|(name, _)| name.trim() == "t").find_map(|(_, seconds)| seconds.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page() {
        let next = r#"<https://hub/api/x?cursor=a%3D&limit=5>; rel="next""#;
        assert_eq!(next_link(next), Some("https://hub/api/x?cursor=a%3D&limit=5"));
        assert_eq!(next_link(r#"</first>; rel="first", </second>;rel=next;title="x""#), Some("/second"));
        for other in ["", "<", "<x>", r#"<x>; rel="prev""#, r#"<x; rel="next""#, r#"x>; rel="next""#] {
            assert_eq!(next_link(other), None, "{other}");
        }
    }

    #[test]
    fn the_seconds_of_a_rate_limit() {
        assert_eq!(seconds_of_rate_limit(r#""api";r=0;t=55"#), Some(55));
        assert_eq!(seconds_of_rate_limit(r#""api"; r=0; t=7, "pages";r=1;t=9"#), Some(7));
        for other in ["", "t", "t=", "t=-1", "t=x", "reset=5", "t=99999999999999"] {
            assert_eq!(seconds_of_rate_limit(other), None, "{other}");
        }
    }
}
