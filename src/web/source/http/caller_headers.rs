//! The headers that a caller gives, and where they may go.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::Headers;

use crate::error::ErrorCode;
use crate::web::interop::error::failure;
use crate::web::interop::objects::array_of;

/// The one header that hosts remove themselves when a redirect leads to another origin.
const AUTHORIZATION: &str = "authorization";

/// The fewest characters of a secret. Shorter values, such as `1`, occur in every message.
const SHORTEST_SECRET: usize = 4;

/// The headers of one caller, which are meant for the origin of the URL that the caller gave and for no other.
pub(super) struct CallerHeaders {
    headers: Headers,
    /// The names of all headers except `Authorization`.
    others: Vec<String>,
    /// The values of all headers. Each can be a secret.
    values: Vec<String>,
}

/// Which of the caller's headers a request has.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum SentHeaders {
    /// All. The host must not follow redirects: it would take the headers to any origin.
    All,
    /// `Authorization`. The host may follow redirects: it removes this header at another origin.
    AuthorizationOnly,
    /// None, because the URL is of another origin.
    None,
}

impl CallerHeaders {
    /// Reads `options.headers`: any value that the constructor of `Headers` takes.
    pub fn new(given: &JsValue) -> Result<Self, JsValue> {
        // The host's error quotes the value, so it is not passed on.
        let headers = Headers::new_with_headers(given.unchecked_ref()).map_err(|_| refused())?;
        let (mut others, mut values) = (Vec::new(), Vec::new());
        for entry in array_of(&headers)? {
            let entry: Array = entry.unchecked_into();
            others.extend(entry.get(0).as_string().filter(|name| name != AUTHORIZATION));
            values.extend(entry.get(1).as_string());
        }
        Ok(Self { headers, others, values })
    }

    /// The headers of a new request.
    pub fn copy(&self, sent: SentHeaders) -> Result<Headers, JsValue> {
        match sent {
            SentHeaders::All => Headers::new_with_headers(&self.headers),
            SentHeaders::AuthorizationOnly => {
                let headers = Headers::new()?;
                if let Some(value) = self.headers.get(AUTHORIZATION)? {
                    headers.set(AUTHORIZATION, &value)?;
                }
                Ok(headers)
            }
            SentHeaders::None => Headers::new(),
        }
    }

    /// A message of the host or of the caller's `fetch`, with `…` in place of the values of headers.
    pub fn conceal(&self, message: &str) -> String {
        let mut message = String::from(message);
        // `Bearer hf_…`: the part after the scheme is the secret.
        let parts = self.values.iter().flat_map(|value| [&**value, value.split_once(' ').unwrap_or_default().1]);
        for part in parts.filter(|part| part.len() >= SHORTEST_SECRET) {
            message = message.replace(part, "\u{2026}");
        }
        message
    }

    /// The names of the headers that a request with `AuthorizationOnly` lacks: `x-key, x-other`.
    pub fn withheld(&self) -> Option<String> {
        (!self.others.is_empty()).then(|| self.others.join(", "))
    }
}

#[cold]
fn refused() -> JsValue {
    let message = "options.headers cannot be used: a name or a value is not allowed in a header. Expected an object, an array \
                   of pairs or a Headers, with names of letters, digits and hyphens, and values without line breaks and \
                   without characters above U+00FF. Values are not shown, because they can be secrets";
    failure(ErrorCode::InvalidArgument, message)
}
