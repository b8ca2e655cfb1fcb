//! A file whose first response the caller has already: the `Response` of a `fetch`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use wasm_bindgen::prelude::*;
use web_sys::AbortController;

use super::connections::RequestLimits;
use super::content_range::ContentRange;
use super::exchange::{Exchange, Request};
use super::remote_file::RemoteFile;
use super::response::Response;
use crate::error::ErrorCode;
use crate::web::interop::error::{failure, http_failure};
use crate::web::interop::numbers::POSITION_END;
use crate::web::interop::objects::{AnyObject, as_object};
use crate::web::interop::options::Options;
use crate::web::interop::promises::promise_of;
use crate::web::interop::streams::Stream;
use crate::web::interop::timer::Timer;

/// What a `Response` gives access to.
pub(crate) enum GivenResponse {
    /// The file at its URL, which is requested for the rest.
    Remote(Box<RemoteFile>),
    /// Only its body: the response has no URL.
    Body(Stream),
}

/// Whether an object is a `Response`.
pub(crate) fn is_response(object: &AnyObject) -> Result<bool, JsValue> {
    let has_status = object.get("status")?.as_f64().is_some();
    Ok(has_status && object.get("headers")?.is_object() && object.function("arrayBuffer")?.is_some())
}

/// The URL of a `Response`; `None` if it was not fetched.
pub(crate) fn url_of(response: &AnyObject) -> Result<Option<String>, JsValue> {
    Ok(response.get("url")?.as_string().filter(|url| !url.is_empty()))
}

impl GivenResponse {
    /// Takes a `Response`. Its body is read up to the end of the header, and then cancelled.
    pub fn new(object: &AnyObject, options: &Options, limits: RequestLimits) -> Result<Self, JsValue> {
        let url = url_of(object)?;
        let response = Response::new(object, url.as_deref().unwrap_or_default());
        let Some(response) = response else { return Err(unusable("it has no members")) };
        let status = response.status();
        if status == 0 {
            return Err(unusable("its status and body are hidden (status 0). Fetch it without the mode \"no-cors\""));
        }
        let range = response.header("Content-Range").as_deref().and_then(ContentRange::parse);
        let end = match range.and_then(|range| range.bytes) {
            Some((0, last)) if status == 206 => last + 1,
            Some(_) if status == 206 => {
                return Err(unusable("it does not have the first bytes of the file. Pass its URL instead"));
            }
            _ => POSITION_END,
        };
        let body = response.body();
        let is_used = object.get("bodyUsed")?.is_truthy() || as_object(&body).is_none();
        match url {
            // The URL can still be requested.
            Some(url) => {
                let file = RemoteFile::new(url.clone(), options, limits)?;
                if !is_used {
                    let request = Request {
                        range: 0..end,
                        url,
                        follows_redirects: true,
                        response: promise_of(object)?.into(),
                        deadline: Timer::in_background(file.options.response_timeout),
                        exchange: Exchange(AbortController::new()?),
                    };
                    file.given_response.set(Some(request));
                    file.is_given.set(true);
                }
                Ok(Self::Remote(Box::new(file)))
            }
            None if is_used => {
                Err(unusable("its body has been read. Pass the bytes, or the Response before it is read"))
            }
            None if status != 200 && status != 206 => {
                let message = "the Response cannot be opened: its status is not 200 or 206";
                Err(http_failure(ErrorCode::Http, message, "no URL", Some(status)))
            }
            None => Ok(Self::Body(body.unchecked_into())),
        }
    }
}

#[cold]
fn unusable(why: &str) -> JsValue {
    failure(ErrorCode::InvalidSource, &format!("the Response cannot be opened: {why}"))
}
