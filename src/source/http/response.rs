//! A `Response` as the engine sees it.

use alloc::{string::String, sync::Arc};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{AbortOnDrop, AnyObject, Bytes, StreamReader, as_object, reason};
use gguf_format::error::Cause;
use gguf_format::io::http::{Failure, Response};

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
        let is_redirected = member_of(response, "redirected").is_truthy();
        let redirected_url = if is_redirected { member_of(response, "url").as_string() } else { None };
        let headers = member_of(response, "headers");
        Some(Self { headers, redirected_url, is_of_caller, body: None, _abort: abort, members })
    }

    /// The body: a stream, or `null`.
    pub fn body(&self) -> JsValue {
        member_of(&self.members, "body")
    }
}

impl Response for FetchResponse {
    type Buffer = Bytes;

    fn status(&self) -> u16 {
        member_of(&self.members, "status").as_f64().unwrap_or_default() as u16
    }

    fn header(&self, name: &str) -> Option<String> {
        header_of(&self.headers, name)
    }

    fn redirected_url(&self) -> Option<String> {
        self.redirected_url.clone()
    }

    fn hides_headers(&self) -> bool {
        self.is_of_caller || member_of(&self.members, "type").as_string().is_some_and(|kind| kind == "cors")
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

#[wasm_bindgen(raw_module = "glue/errors.js")]
extern "C" {
    /// All texts of a caught value and of its causes; `None` if it has too many causes to look at.
    #[wasm_bindgen(js_name = textsOf)]
    fn texts_of(caught: &JsValue) -> Option<String>;
    /// A member of a value; `undefined` if it has none, or if the member throws.
    #[wasm_bindgen(js_name = memberOf)]
    fn member_of(value: &JsValue, name: &str) -> JsValue;
    /// The value of a header, from an object that need not be a `Headers`.
    #[wasm_bindgen(js_name = headerOf)]
    fn header_of(headers: &JsValue, name: &str) -> Option<String>;
}

/// Why a request failed. An error with too many causes is not passed on: nobody knows what it quotes.
pub(super) fn failure_of(error: Thrown) -> Failure {
    let (reason, texts) = (reason(&error), texts_of(&error));
    Failure {
        reason,
        cause: texts.is_some().then(|| -> Cause { Arc::new(JsValue::from(error)) }),
        texts: texts.into_iter().collect(),
    }
}
