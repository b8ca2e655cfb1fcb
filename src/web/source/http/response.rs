//! The head of a response: status, URL and headers.

use alloc::string::{String, ToString};

use wasm_bindgen::prelude::*;

use crate::web::interop::objects::{AnyObject, as_object};

/// A response of `fetch`. A caller's `fetch` may return an object with members of any kind.
pub(super) struct Response {
    members: AnyObject,
    headers: JsValue,
    /// The URL that the response is from.
    pub url: String,
    /// Whether the host has followed a redirect.
    pub is_redirected: bool,
}

impl Response {
    /// The response to a request for `url`; `None` if `fetch` has not returned an object.
    pub fn new(response: &JsValue, url: &str) -> Option<Self> {
        let members = as_object(response)?.clone();
        let member = |name| members.get(name).unwrap_or(JsValue::UNDEFINED);
        let final_url = if member("redirected").is_truthy() { member("url").as_string() } else { None };
        Some(Self {
            is_redirected: final_url.as_deref().is_some_and(|final_url| final_url != url),
            url: final_url.unwrap_or_else(|| url.to_string()),
            headers: member("headers"),
            members,
        })
    }

    fn member(&self, name: &str) -> JsValue {
        self.members.get(name).unwrap_or(JsValue::UNDEFINED)
    }

    pub fn status(&self) -> u16 {
        self.member("status").as_f64().unwrap_or_default() as u16
    }

    /// The body: a stream, or `null`.
    pub fn body(&self) -> JsValue {
        self.member("body")
    }

    /// The value of a header; `None` if it is absent.
    pub fn header(&self, name: &str) -> Option<String> {
        let get = as_object(&self.headers)?.function("get").ok()??;
        get.call1(&self.headers, &name.into()).ok()?.as_string()
    }

    /// Whether CORS hides headers of this response that the server does not expose.
    pub fn hides_headers(&self) -> bool {
        self.member("type").as_string().is_some_and(|kind| kind == "cors")
    }
}
