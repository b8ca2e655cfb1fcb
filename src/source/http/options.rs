//! The options of `Gguf.open` that concern HTTP.

use alloc::vec::Vec;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::Headers;

use super::client::Fetch;
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, FromOption, Function, Options, Values, array_of, failure, options};
use gguf_format::io::http::Documents;
use gguf_format::io::http::{CallerHeaders, HttpOptions};

/// The time for all documents of a server in milliseconds, unless `options.responseTimeout` says another. A server that is silent is
/// noticed earlier, but one that always sends a little is not.
const WHOLE_TIME: f64 = 180_000.0;

options! {
    /// How a server is asked.
    pub interface RequestOptions extends AbortOptions fills http: HttpOptions {
        /// Headers of HTTP requests: a token for a gated model. They go to the origin of the given URL, or of the hub, only.
        headers?: "ConstructorParameters<typeof Headers>[0]" -> http.headers: CallerHeaders;
        /// Is used instead of the global `fetch`. With `headers` it is asked not to follow redirects.
        fetch?: "((url: string, init: RequestInit) => Promise<Response>)" => Function;
        /// Whether a server that cannot be reached gets one more request in the mode `no-cors`, to find out whether CORS is the
        /// reason (code `cors`). Only browsers have CORS. By default true without `fetch`, and false with it.
        probe_cors?: "boolean" => JsValue;
        /// How often in a row a request may fail before 16 KiB have arrived, by default 4 times.
        retries?: "number" -> http.retries: u32, number from 0;
        /// Milliseconds that the server may be silent before the request counts as failed, by default 30,000.
        timeout?: "number" -> http.timeout: f64, number from 0;
        /// Milliseconds that one response may take, even if bytes continue to arrive, by default 600,000.
        response_timeout?: "number" => f64, number from 0;
    }
}

/// Who sends the requests, and how the server is asked.
pub(super) fn http_options(given: Values<RequestOptions>) -> (Fetch, HttpOptions) {
    let mut options = given.http;
    options.response_timeout = given.response_timeout.unwrap_or(options.response_timeout);
    let probes_cors = given.probe_cors.map_or(given.fetch.is_none(), |given| given.is_truthy());
    (Fetch { of_caller: given.fetch, probes_cors }, options)
}

/// The documents of the server of `home`, which is an absolute URL. `retries` replaces the option.
pub(crate) fn documents(
    home: alloc::string::String,
    options: &Options,
    retries: Option<u32>,
) -> Result<Documents<Fetch>, Thrown> {
    let given = RequestOptions::read(options)?;
    let whole_time = given.response_timeout.unwrap_or(WHOLE_TIME);
    let (client, mut options) = http_options(given);
    options.retries = retries.unwrap_or(options.retries);
    Ok(Documents::new(home, client, options, whole_time))
}

/// Any value that the constructor of `Headers` takes.
impl FromOption for CallerHeaders {
    fn from_option(options: &Options, name: &str) -> Result<Option<Self>, Thrown> {
        let Some(given) = options.get(name)? else { return Ok(None) };
        // The host's error quotes the value, so it is not passed on.
        let headers = Headers::new_with_headers(given.unchecked_ref()).map_err(|_| refused(name))?;
        let mut pairs = Vec::new();
        for entry in array_of(&headers)? {
            let entry: Array = entry.unchecked_into();
            pairs.extend(entry.get(0).as_string().zip(entry.get(1).as_string()));
        }
        Ok(Some(Self::new(pairs)))
    }
}

#[cold]
fn refused(name: &str) -> Thrown {
    failure!(InvalidArgument:
        "options.{name} cannot be used: a name or a value is not allowed in a header. Expected an object, an array of \
         pairs or a Headers, with names of letters, digits and hyphens, and values without line breaks and without \
         characters above U+00FF. Values are not shown, because they can be secrets")
}
