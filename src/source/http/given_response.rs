//! A file whose first response the caller has already: the `Response` of a `fetch`.

use alloc::{boxed::Box, string::String};

use wasm_bindgen::prelude::*;

use super::options::RequestOptions;
use super::remote_file::{RemoteFile, remote_file};
use super::response::FetchResponse;
use crate::interop::thrown::Thrown;
use crate::interop::{AnyObject, Options, Stream, as_object};
use gguf_format::error::error;
use gguf_format::io::http::{RequestLimits, Response as _, end_of_given, unusable};

/// What a `Response` gives access to.
pub(crate) enum GivenResponse {
    /// The file at its URL, which is requested for the rest.
    Remote(Box<RemoteFile>),
    /// Only its body: the response has no URL.
    Body(Stream),
}

#[wasm_bindgen(raw_module = "glue/sources.js")]
extern "C" {
    /// Whether an object is a `Response`.
    #[wasm_bindgen(catch, js_name = isResponse)]
    pub fn is_response(object: &AnyObject) -> Result<bool, Thrown>;
}

/// The URL of a `Response`; `None` if it was not fetched.
pub(crate) fn url_of(response: &AnyObject) -> Result<Option<String>, Thrown> {
    Ok(response.get("url")?.as_string().filter(|url| !url.is_empty()))
}

impl GivenResponse {
    /// Takes a `Response`. Its body is read up to the end of the header, and then cancelled.
    pub fn new(object: &AnyObject, options: &Options, limits: RequestLimits) -> Result<Self, Thrown> {
        let url = url_of(object)?;
        let options = RequestOptions::read(options)?;
        let response = FetchResponse::new(object, options.fetch.is_some(), None);
        let Some(response) = response else { return Err(unusable("it has no members").into()) };
        let end = end_of_given(&response)?;
        let (status, body) = (response.status(), response.body());
        let why = if object.get("bodyUsed")?.is_truthy() {
            Some("its body has been read. Pass the bytes, or the Response before it is read")
        } else {
            as_object(&body).is_none().then_some("it has no body")
        };
        match url {
            // The URL can still be requested.
            Some(url) => {
                let file = remote_file(&url, options, limits)?;
                if why.is_none() {
                    file.take_response(response, end);
                }
                Ok(Self::Remote(Box::new(file)))
            }
            None if status != 200 && status != 206 => {
                Err(error!(Http: "the Response cannot be opened: its status is {status}, expected 200 or 206")
                    .of_url("no URL", Some(status))
                    .into())
            }
            None => match why {
                Some(why) => Err(unusable(why).into()),
                None => Ok(Self::Body(body.unchecked_into())),
            },
        }
    }
}
