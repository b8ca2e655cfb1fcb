//! A file at a URL that a caller gives.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::client::Fetch;
use super::options::{RequestOptions, http_options};
use crate::io::http::{self, RequestLimits};
use crate::web::interop::{Values, failure};
use crate::web::source::local_files::{check_is_url, not_a_url};

/// A file at a URL.
pub(crate) type RemoteFile = http::RemoteFile<Fetch>;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Request)]
    type HostRequest;
    #[wasm_bindgen(constructor, catch, js_class = "Request")]
    fn new(url: &str) -> Result<HostRequest, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn url(this: &HostRequest) -> String;
}

/// The file at a URL, which may be relative to that of the page.
pub(crate) fn remote_file(
    url: String,
    options: Values<RequestOptions>,
    limits: RequestLimits,
) -> Result<RemoteFile, JsValue> {
    let (client, options) = http_options(options);
    if client.of_caller.is_none() {
        check_is_url(&url)?;
    }
    let url = match HostRequest::new(&url) {
        Ok(request) => request.url(),
        // The caller's `fetch` may accept addresses that the host does not.
        Err(_) if client.of_caller.is_some() => url,
        // The host's error would quote the password.
        Err(_) if has_credentials(&url) => {
            return Err(failure!(InvalidSource:
                "the URL cannot be requested: it contains a user name or a password. Remove them, and give \
                 options.headers, for example with Authorization"));
        }
        Err(error) => return Err(not_a_url(&url, Some(&error))),
    };
    Ok(RemoteFile::new(url, client, options, limits))
}

/// Whether a URL has a user name or a password: `https://user:password@host/`.
fn has_credentials(url: &str) -> bool {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches(['/', '\\']);
    rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}
