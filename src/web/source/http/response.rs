//! A `Response` as the engine sees it.

use alloc::{string::String, sync::Arc, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::io::http::{Failure, Response};
use crate::web::interop::{AbortOnDrop, AnyObject, Bytes, StreamReader, as_object, reason};

/// The most causes of an error that are looked at. An error can be its own cause.
const MOST_CAUSES: u32 = 8;

/// A response of `fetch`. A caller's `fetch` may return an object with members of any kind.
pub(crate) struct FetchResponse {
    members: AnyObject,
    headers: JsValue,
    redirected_url: Option<String>,
    /// Whether a `fetch` of the caller has returned it, which may hide headers as it likes.
    is_of_caller: bool,
    body: Option<StreamReader>,
    /// Cancels the request.
    _abort: Option<AbortOnDrop>,
}

impl FetchResponse {
    /// `None` if `fetch` has not returned an object.
    pub fn new(response: &JsValue, is_of_caller: bool, abort: Option<AbortOnDrop>) -> Option<Self> {
        let members = as_object(response)?.clone();
        let member = |name| members.get(name).unwrap_or(JsValue::UNDEFINED);
        let redirected_url = if member("redirected").is_truthy() { member("url").as_string() } else { None };
        let headers = member("headers");
        Some(Self { headers, redirected_url, is_of_caller, body: None, _abort: abort, members })
    }

    fn member(&self, name: &str) -> JsValue {
        self.members.get(name).unwrap_or(JsValue::UNDEFINED)
    }

    /// The body: a stream, or `null`.
    pub fn body(&self) -> JsValue {
        self.member("body")
    }
}

impl Response for FetchResponse {
    type Buffer = Bytes;

    fn status(&self) -> u16 {
        self.member("status").as_f64().unwrap_or_default() as u16
    }

    fn header(&self, name: &str) -> Option<String> {
        let get = as_object(&self.headers)?.function("get").ok()??;
        get.call1(&self.headers, &name.into()).ok()?.as_string()
    }

    fn redirected_url(&self) -> Option<String> {
        self.redirected_url.clone()
    }

    fn hides_headers(&self) -> bool {
        self.is_of_caller || self.member("type").as_string().is_some_and(|kind| kind == "cors")
    }

    async fn chunk(&mut self) -> Result<Option<Bytes>, Failure> {
        let body = match &self.body {
            Some(body) => body,
            None => {
                let stream = self.body();
                if as_object(&stream).is_none() {
                    return Ok(None);
                }
                let body = StreamReader::new(stream.unchecked_ref()).map_err(failure_of)?;
                self.body.insert(body)
            }
        };
        let Some(chunk) = body.read().await.map_err(failure_of)? else { return Ok(None) };
        let bytes = Bytes::of(&chunk).ok_or_else(|| Failure::new("its body has a chunk that is not bytes"))?;
        Ok(Some(bytes))
    }
}

/// An error of the host or of the caller's `fetch`.
pub(super) fn failure_of(error: JsValue) -> Failure {
    let (mut texts, mut next) = (Vec::new(), error.clone());
    for _ in 0..MOST_CAUSES {
        let member = |name| as_object(&next)?.get(name).ok();
        texts.extend(next.as_string());
        texts.extend(member("message").and_then(|message| message.as_string()));
        match member("cause") {
            Some(cause) if !cause.is_undefined() => next = cause,
            _ => return Failure { reason: reason(&error), cause: Some(Arc::new(error)), texts },
        }
    }
    Failure { reason: reason(&error), cause: None, texts }
}
