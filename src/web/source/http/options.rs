//! The options of `Gguf.open` that concern HTTP.

use alloc::string::String;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::RequestInit;

use super::caller_headers::CallerHeaders;
use super::fetch::fetch;
use crate::web::interop::error::reason;
use crate::web::interop::objects::as_object;
use crate::web::interop::options::{Options, options};
use crate::web::interop::promises::promise_of;
use crate::web::interop::shared_options::AbortOptions;

/// The default of `options.retries`.
const RETRIES: f64 = 4.0;

/// The most causes of an error that are looked at. An error can be its own cause.
const MOST_CAUSES: u32 = 8;

/// The default of `options.timeout`, in milliseconds.
const TIMEOUT: f64 = 30_000.0;

/// The default of `options.responseTimeout`, in milliseconds.
const RESPONSE_TIMEOUT: f64 = 600_000.0;

options! {
    /// How a server is asked.
    pub interface RequestOptions extends AbortOptions {
        /// Headers of HTTP requests: a token for a gated model. They go to the origin of the given URL, or of the hub, only.
        headers?: "ConstructorParameters<typeof Headers>[0]";
        /// Is used instead of the global `fetch`. With `headers` it is asked not to follow redirects.
        fetch?: "(url: string, init: RequestInit) => Promise<Response>";
        /// Whether a server that cannot be reached gets one more request in the mode `no-cors`, to find out whether CORS is the
        /// reason (code `cors`). Only browsers have CORS. By default true without `fetch`, and false with it.
        probeCors?: "boolean";
        /// How often in a row a request may fail before 16 KiB have arrived, by default 4 times.
        retries?: "number";
        /// Milliseconds that the server may be silent before the request counts as failed, by default 30,000.
        timeout?: "number";
        /// Milliseconds that one response may take, even if bytes continue to arrive, by default 600,000.
        responseTimeout?: "number";
    }
}

pub(super) struct HttpOptions {
    pub headers: Option<CallerHeaders>,
    /// The caller's `fetch`, which is used instead of the host's.
    pub fetch: Option<Function>,
    /// How often in a row a request is sent again.
    pub retries: u32,
    /// Milliseconds that the server may be silent.
    pub timeout: f64,
    /// Milliseconds that one response may take.
    pub response_timeout: f64,
    /// Whether to find out if CORS is the reason why a server cannot be reached.
    pub probes_cors: bool,
}

impl HttpOptions {
    pub fn new(options: &Options) -> Result<Self, JsValue> {
        let fetch = options.function("fetch")?;
        Ok(Self {
            headers: options.get("headers")?.map(|headers| CallerHeaders::new(&headers)).transpose()?,
            probes_cors: options.get("probeCors")?.map_or(fetch.is_none(), |given| given.is_truthy()),
            fetch,
            retries: options.number("retries", 0.0)?.unwrap_or(RETRIES) as u32,
            timeout: options.number("timeout", 0.0)?.unwrap_or(TIMEOUT),
            response_timeout: options.number("responseTimeout", 0.0)?.unwrap_or(RESPONSE_TIMEOUT),
        })
    }

    /// What an error of the host or of the caller's `fetch` says, without the values of headers.
    pub fn reason(&self, error: &JsValue) -> String {
        let message = reason(error);
        match &self.headers {
            Some(headers) if headers.are_quoted_in(&message) => "the error quotes options.headers".into(),
            _ => message,
        }
    }

    /// An error of the host or of the caller's `fetch`, as the cause of an error of this package. `None` if it quotes the value
    /// of a header.
    pub fn cause(&self, error: &JsValue) -> Option<JsValue> {
        let mut next = error.clone();
        for _ in 0..MOST_CAUSES {
            let member = |name| as_object(&next)?.get(name).ok();
            let message = member("message").and_then(|message| message.as_string());
            let quotes = |message: &String| self.headers.as_ref().is_some_and(|it| it.are_quoted_in(message));
            if message.as_ref().is_some_and(quotes) || next.as_string().as_ref().is_some_and(quotes) {
                return None;
            }
            match member("cause") {
                Some(cause) if !cause.is_undefined() => next = cause,
                _ => return Some(error.clone()),
            }
        }
        None
    }

    /// Sends a request with the caller's `fetch`, or with the host's.
    pub fn send(&self, url: &str, init: &RequestInit) -> JsFuture {
        let promise = match &self.fetch {
            Some(fetch) => {
                let response = fetch.call2(&JsValue::UNDEFINED, &url.into(), init);
                response.and_then(|response| promise_of(&response))
            }
            None => fetch(url, init),
        };
        promise.unwrap_or_else(|error| Promise::reject(&error)).into()
    }
}
