//! Sending requests with `fetch`.

use alloc::{boxed::Box, string::String};

use js_sys::{Date, Function, Math, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Headers;

use super::response::{FetchResponse, failure_of};
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOnDrop, Bytes, EventLoop, Record, Timer, promise_of};
use gguf_format::io::http::{Client, Failure, Probe, Request, Sending, origin};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &JsValue) -> Result<Promise, Thrown>;

    // The origin of the page or of the worker. Hosts without CORS do not have it.
    #[wasm_bindgen(js_name = origin, thread_local_v2)]
    static HOST_ORIGIN: Option<String>;

    #[wasm_bindgen(js_name = URL)]
    type Url;
    #[wasm_bindgen(constructor, catch, js_class = "URL")]
    fn new(url: &str, base: &str) -> Result<Url, Thrown>;
    #[wasm_bindgen(method, getter)]
    fn href(this: &Url) -> String;
}

/// The `fetch` of the caller or of the host.
#[derive(Clone)]
pub(crate) struct Fetch {
    /// The caller's `fetch`, which is used instead of the host's.
    pub of_caller: Option<Function>,
    /// Whether to find out if CORS is the reason why a server cannot be reached.
    pub probes_cors: bool,
}

impl Fetch {
    /// Calls `fetch`. The request is cancelled when the second value is dropped.
    fn call(&self, request: &Request<'_>) -> Result<(JsFuture, AbortOnDrop), Thrown> {
        let headers = Headers::new()?;
        for (name, value) in request.headers {
            headers.append(name, value)?;
        }
        let abort = AbortOnDrop::new()?;
        let redirect = if request.follows_redirects { JsValue::UNDEFINED } else { "manual".into() };
        let init = Record::new().value("headers", &headers).value("signal", &abort.signal());
        let init = init.value("redirect", &redirect).done();
        let response = match &self.of_caller {
            Some(fetch) => promise_of(&fetch.call2(&JsValue::UNDEFINED, &request.url.into(), &init)?)?,
            None => fetch(request.url, &init)?,
        };
        Ok((response.into(), abort))
    }
}

impl Client for Fetch {
    type Buffer = Bytes;
    type Response = FetchResponse;
    type Host = EventLoop;
    type Timer = Timer;

    fn send(&self, request: &Request<'_>) -> Sending<FetchResponse> {
        let (sent, is_of_caller) = (self.call(request), self.of_caller.is_some());
        Box::pin(async move {
            let (response, abort) = sent.map_err(failure_of)?;
            let response = response.await.map_err(|error| failure_of(error.into()))?;
            let response = FetchResponse::new(&response, is_of_caller, Some(abort));
            response.ok_or_else(|| Failure::new("options.fetch returned no Response"))
        })
    }

    /// Browsers report a server that cannot be reached and one that CORS forbids to read as the same `TypeError`. A request in
    /// the mode `no-cors` succeeds in the second case, though its response cannot be read.
    fn probe(&self, url: &str) -> Option<Probe> {
        let can_forbid = HOST_ORIGIN.with(|host| host.as_deref().is_some_and(|host| host != origin(url)));
        if !self.probes_cors || !can_forbid {
            return None;
        }
        let abort = AbortOnDrop::new().ok()?;
        // A `GET` could load the whole file, because browsers drop `Range` in this mode.
        let init = Record::new().text("method", "HEAD").text("mode", "no-cors").text("credentials", "omit");
        let init = init.value("signal", &abort.signal()).done();
        let response = JsFuture::from(fetch(url, &init).ok()?);
        Some(Box::pin(async move {
            let is_reached = response.await.is_ok();
            drop(abort);
            is_reached
        }))
    }

    fn timer(&self, milliseconds: f64, in_background: bool) -> Timer {
        if in_background { Timer::in_background(milliseconds) } else { Timer::new(milliseconds) }
    }

    fn random(&self) -> f64 {
        Math::random()
    }

    fn milliseconds_until(&self, date: &str) -> Option<f64> {
        let wait = Date::parse(date) - Date::now();
        (!wait.is_nan()).then_some(wait)
    }

    fn resolve(&self, url: &str, base: &str) -> Option<String> {
        Url::new(url, base).ok().map(|url| url.href())
    }
}
