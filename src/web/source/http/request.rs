//! One request: where its headers go, where its redirects lead, and how its bytes arrive.

use alloc::format;
use alloc::string::String;
use core::ops::Range;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers};

use super::Http;
use super::answer::is_temporary;
use super::caller_headers::Sent;
use super::origin::same_origin;
use super::retries::Retryable;
use crate::web::interop::error::{Code, http_failure, reason};
use crate::web::interop::js::{self, Bytes, Record, Stream};
use crate::web::interop::timer::{Timer, Turns};
use crate::web::source::OpenStream;

/// Redirects in a row that are followed.
const MOST_REDIRECTS: u32 = 5;

/// Bytes that have to arrive within `options.timeout`, so that a response does not count as silent.
const LEAST_ARRIVAL: f64 = 1024.0;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = URL)]
    type Url;
    #[wasm_bindgen(constructor, catch, js_class = "URL")]
    fn new(url: &str, base: &str) -> Result<Url, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn href(this: &Url) -> String;
}

/// A request in flight. Dropping it cancels it and its response.
struct Exchange(AbortController);

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A range that has been requested.
pub(super) struct Request {
    pub range: Range<u64>,
    url: String,
    /// Whether the host follows redirects. Otherwise they are followed here.
    follows_redirects: bool,
    response: JsFuture,
    /// Ends when the response has taken too long.
    deadline: Timer,
    exchange: Exchange,
}

/// A response that brings the range, or a part of it.
pub(super) struct Answer {
    body: JsValue,
    /// The most bytes that the body has.
    pub length: u64,
    /// Whether the body has no fewer than that.
    pub is_exact: bool,
    deadline: Timer,
    _exchange: Exchange,
}

/// Why a range did not arrive.
pub(super) enum Fault {
    /// The file ends before the range.
    End,
    /// It may arrive if it is requested again.
    Retry(Retryable),
    /// It will not arrive.
    Final(JsValue),
}

impl From<JsValue> for Fault {
    fn from(error: JsValue) -> Self {
        Self::Final(error)
    }
}

/// The members of a response, whatever kind of object it is.
pub(super) struct Response<'a> {
    members: &'a js::Members,
    headers: JsValue,
    /// The URL that it is from.
    pub url: String,
}

impl Response<'_> {
    fn member(&self, name: &str) -> JsValue {
        self.members.get(name).unwrap_or(JsValue::UNDEFINED)
    }

    pub fn status(&self) -> u16 {
        self.member("status").as_f64().unwrap_or_default() as u16
    }

    /// The value of a header. The object may be one that a caller's `fetch` has made, with members of any kind.
    pub fn header(&self, name: &str) -> Option<String> {
        let get = js::members(&self.headers)?.function("get").ok()??;
        get.call1(&self.headers, &name.into()).ok()?.as_string()
    }

    /// Whether CORS hides headers of this response that it does not expose.
    pub fn hides_headers(&self) -> bool {
        self.member("type").as_string().is_some_and(|kind| kind == "cors")
    }
}

impl Http {
    /// Requests a range.
    pub(super) fn request(&self, range: Range<u64>, url: String) -> Result<Request, JsValue> {
        let exchange = Exchange(AbortController::new()?);
        let follows_redirects = self.headers.is_none() || self.hidden_redirect.borrow().as_ref() == Some(&url);
        let sent = match same_origin(&url, &self.given) {
            false => Sent::None,
            true if follows_redirects => Sent::AuthorizationOnly,
            true => Sent::All,
        };
        let headers = self.headers.as_ref().map_or_else(Headers::new, |headers| headers.copy(sent))?;
        headers.set("Range", &format!("bytes={}-{}", range.start, range.end - 1))?;
        let redirect = if follows_redirects { JsValue::UNDEFINED } else { "manual".into() };
        let init = Record::new()
            .value("headers", &headers)
            .value("signal", &exchange.0.signal())
            .value("redirect", &redirect)
            .done();
        let promise = match &self.fetch {
            Some(fetch) => {
                let response = fetch.call2(&JsValue::UNDEFINED, &url.as_str().into(), &init);
                response.and_then(|response| js::promise_of(&response))
            }
            None => js::fetch(&url, init.unchecked_ref()),
        };
        let response = promise.unwrap_or_else(|error| Promise::reject(&error)).into();
        Ok(Request {
            range,
            url,
            follows_redirects,
            response,
            deadline: Timer::in_background(self.response_timeout),
            exchange,
        })
    }

    /// Waits for an answer and gives its bytes to `take`, until that wants no more (true) or there are no more (false).
    pub(super) async fn receive(
        &self,
        request: Request,
        take: &mut dyn FnMut(&Bytes) -> Result<bool, JsValue>,
    ) -> Result<bool, Fault> {
        let answer = self.answer(request).await?;
        let mut received = 0;
        if let Some(body) = js::members(&answer.body) {
            let stream = OpenStream::new(body.unchecked_ref::<Stream>()).map_err(|error| self.lost(&reason(&error)))?;
            let (mut silence, mut arrived) = (Timer::new(self.timeout), 0.0);
            let mut turns = Turns::default();
            loop {
                let chunk = match answer.deadline.unless_over(silence.unless_over(stream.read())).await {
                    Some(Some(Ok(Some(chunk)))) => {
                        js::bytes(&chunk).ok_or_else(|| self.lost("the body has something else than bytes"))?
                    }
                    Some(Some(Ok(None))) => break,
                    Some(Some(Err(error))) => return Err(self.lost(&reason(&error))),
                    Some(None) => return Err(self.lost("it stopped sending")),
                    None => return Err(self.too_slow().into()),
                };
                received += chunk.byte_length() as u64;
                if received > answer.length {
                    let message = format!("the response has more than the {} bytes that it announced", answer.length);
                    return Err(self.bad_range(&message).into());
                }
                if take(&chunk)? {
                    return Ok(true);
                }
                arrived += chunk.byte_length();
                if arrived >= LEAST_ARRIVAL {
                    (silence, arrived) = (Timer::new(self.timeout), 0.0);
                }
                turns.after_chunk().await;
            }
        }
        if answer.is_exact && received < answer.length {
            return Err(self.lost("it ended early"));
        }
        Ok(false)
    }

    /// Waits for the head of a response, goes where it leads, and checks whether it brings the range.
    pub(super) async fn answer(&self, mut request: Request) -> Result<Answer, Fault> {
        let mut uses_known_redirect = request.url != self.given;
        let mut redirects = 0;
        loop {
            let Request { range, url, follows_redirects, response, deadline, exchange } = request;
            let response = match deadline.unless_over(Timer::new(self.timeout).unless_over(response)).await {
                Some(Some(Ok(response))) => response,
                Some(Some(Err(error))) => return Err(self.unreachable(&reason(&error))),
                Some(None) => return Err(self.lost("it did not begin to answer")),
                None => return Err(self.too_slow().into()),
            };
            let Some(members) = js::members(&response) else {
                return Err(self.lost("fetch gave no response"));
            };
            let member = |name: &str| members.get(name).unwrap_or(JsValue::UNDEFINED);
            let final_url = if member("redirected").is_truthy() { member("url").as_string() } else { None };
            // After such a redirect, headers of the caller are missing.
            let lacks_headers =
                self.headers.is_some() && follows_redirects && final_url.as_ref().is_some_and(|to| *to != url);
            let response =
                Response { members, headers: member("headers"), url: final_url.unwrap_or_else(|| url.clone()) };
            let status = response.status();
            request = match status {
                // Browsers do not show where a redirect leads. So they follow it, and get no header that they would take to
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
                // The redirect leads to the caller's own origin, which may have all headers.
                _ if lacks_headers && redirects < MOST_REDIRECTS && same_origin(&response.url, &self.given) => {
                    redirects += 1;
                    self.request(range, response.url)?
                }
                // Signed URLs expire, and the original URL leads to a new one.
                401 | 403 | 404 | 410 if uses_known_redirect => {
                    uses_known_redirect = false;
                    self.request(range, self.given.clone())?
                }
                400.. if lacks_headers && status != 416 && !is_temporary(status) => {
                    let withheld = self.headers.as_ref().and_then(|headers| headers.withheld());
                    return Err(match withheld {
                        Some(names) => self.withheld(&response, &names).into(),
                        None => self.refused(&response),
                    });
                }
                _ => {
                    self.is_answered.set(true);
                    let (length, is_exact) = self.announced(&range, &response)?;
                    self.redirected.replace(Some(response.url.clone()).filter(|url| *url != self.given));
                    return Ok(Answer { body: member("body"), length, is_exact, deadline, _exchange: exchange });
                }
            };
        }
    }

    fn withheld(&self, response: &Response<'_>, names: &str) -> JsValue {
        let status = response.status();
        let message = format!(
            "the server answered with status {status} after a redirect to another origin. These headers were not sent \
             there, because they are meant for the origin of the given URL: {names}"
        );
        http_failure(Code::HeadersWithheld, &message, &response.url, Some(status))
    }

    /// The response did not come, or not all of it.
    fn lost(&self, why: &str) -> Fault {
        let message = format!("no response from the server, or only a part of it: {why}");
        let error = http_failure(Code::Network, &message, &self.url(), None);
        Fault::Retry(Retryable { error, retry_after: None, is_unreachable: false })
    }

    fn unreachable(&self, why: &str) -> Fault {
        match self.lost(why) {
            Fault::Retry(failure) => Fault::Retry(Retryable { is_unreachable: true, ..failure }),
            fault => fault,
        }
    }

    fn too_slow(&self) -> JsValue {
        let limit = self.response_timeout as u64;
        let message =
            format!("the response took longer than {limit} ms: options.responseTimeout sets how long it may take");
        http_failure(Code::Timeout, &message, &self.url(), None)
    }
}
