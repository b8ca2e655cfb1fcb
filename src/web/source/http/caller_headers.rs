//! The headers that a caller gives, and where they may go.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::Headers;

use crate::error::ErrorCode;
use crate::web::interop::error::failed_with;
use crate::web::interop::objects::array_of;

/// The one header that hosts remove themselves when a redirect leads to another origin.
const AUTHORIZATION: &str = "authorization";

/// The headers of one caller, which are meant for the origin of the URL that the caller gave and for no other.
pub(super) struct CallerHeaders {
    headers: Headers,
    /// The names of all headers except `Authorization`.
    others: Vec<String>,
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
        let refused = |error| failed_with(ErrorCode::InvalidArgument, "options.headers cannot be used", &error);
        let headers = Headers::new_with_headers(given.unchecked_ref()).map_err(refused)?;
        let names =
            array_of(&headers)?.into_iter().filter_map(|entry| entry.unchecked_into::<Array>().get(0).as_string());
        let others = names.filter(|name| name != AUTHORIZATION).collect();
        Ok(Self { headers, others })
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

    /// The names of the headers that a request with `AuthorizationOnly` lacks: `x-key, x-other`.
    pub fn withheld(&self) -> Option<String> {
        (!self.others.is_empty()).then(|| self.others.join(", "))
    }
}
