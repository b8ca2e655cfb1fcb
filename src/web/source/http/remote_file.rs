//! A file at a URL, and what is known about its server.

use alloc::string::String;
use core::cell::{Cell, RefCell};

use wasm_bindgen::prelude::*;

use super::connections::RequestLimits;
use super::cors::{self, Probe};
use super::exchange::Request;
use super::fault::Retryable;
use super::options::HttpOptions;
use super::response_cap::ResponseCap;
use super::retries::Retries;
use super::validators::Versions;
use crate::error::ErrorCode;
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::{failure, http_failure};
use crate::web::interop::options::Options;
use crate::web::source::local_files::{check_is_url, not_a_url};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Request)]
    type HostRequest;
    #[wasm_bindgen(constructor, catch, js_class = "Request")]
    fn new(url: &str) -> Result<HostRequest, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn url(this: &HostRequest) -> String;
}

pub(crate) struct RemoteFile {
    pub(super) options: HttpOptions,
    /// The absolute form of the URL that the caller gave.
    pub(super) given_url: String,
    /// The URL that it redirects to, once that is known.
    pub(super) redirected_url: RefCell<Option<String>>,
    /// A URL that redirects to a place that the host does not show, as browsers do.
    pub(super) hidden_redirect: RefCell<Option<String>>,
    /// Whether the header is complete. Until then, the server may send the whole file instead of a range.
    pub(super) has_header: Cell<bool>,
    /// False once the server has shown that it ignores ranges.
    pub(super) has_ranges: Cell<bool>,
    pub(super) cap: ResponseCap,
    pub(super) versions: RefCell<Versions>,
    pub(super) size: Cell<Option<u64>>,
    /// The whole file, if it came with the header.
    pub(super) whole: RefCell<Option<Bytes>>,
    pub(super) limits: RequestLimits,
    /// The response that the caller has given, until its body is read.
    pub(super) given_response: Cell<Option<Request>>,
    /// Whether the caller has given the first response.
    pub(super) is_given: Cell<bool>,
    /// Whether a response has come: CORS then allows to read the file.
    pub(super) has_response: Cell<bool>,
    probe: RefCell<Option<Probe>>,
    is_probed: Cell<bool>,
}

impl RemoteFile {
    pub fn new(url: String, options: &Options, limits: RequestLimits) -> Result<Self, JsValue> {
        let options = HttpOptions::new(options)?;
        if options.fetch.is_none() {
            check_is_url(&url)?;
        }
        let given_url = match HostRequest::new(&url) {
            Ok(request) => request.url(),
            // The caller's `fetch` may accept addresses that the host does not.
            Err(_) if options.fetch.is_some() => url,
            // The host's error would quote the password.
            Err(_) if has_credentials(&url) => {
                let message = "the URL cannot be requested: it contains a user name or a password. Remove them, and give \
                               options.headers, for example with Authorization";
                return Err(failure(ErrorCode::InvalidSource, message));
            }
            Err(error) => return Err(not_a_url(&url, Some(&error))),
        };
        Ok(Self {
            options,
            given_url,
            redirected_url: RefCell::default(),
            hidden_redirect: RefCell::default(),
            has_header: Cell::new(false),
            has_ranges: Cell::new(true),
            cap: ResponseCap::default(),
            versions: RefCell::default(),
            size: Cell::new(None),
            whole: RefCell::default(),
            limits,
            given_response: Cell::new(None),
            is_given: Cell::new(false),
            has_response: Cell::new(false),
            probe: RefCell::default(),
            is_probed: Cell::new(false),
        })
    }

    /// The size of the file in bytes, if the server has told it.
    pub fn size(&self) -> Option<u64> {
        self.size.get()
    }

    /// Tells that the caller has the header already, so that it is not read.
    pub fn set_has_header(&self) {
        self.has_header.set(true);
    }

    /// The URL to request.
    pub(super) fn url(&self) -> String {
        self.redirected_url.borrow().as_ref().unwrap_or(&self.given_url).clone()
    }

    /// Waits before a retry. If the server could not be reached, a request that runs beside the retry finds out whether CORS
    /// is the reason.
    pub(super) async fn wait_for_retry(&self, retries: &mut Retries, failure: Retryable) -> Result<(), JsValue> {
        let url = self.url();
        let may_be_forbidden =
            failure.is_unreachable && self.options.probes_cors && !self.has_response.get() && cors::can_forbid(&url);
        if may_be_forbidden {
            let probe = self.probe.take();
            if let Some(probe) = probe
                && probe.succeeds(self.options.timeout).await
            {
                return Err(self.forbidden_by_cors());
            }
        }
        retries.wait(failure).await?;
        if may_be_forbidden && !self.is_probed.replace(true) {
            self.probe.replace(Some(Probe::send(&url)?));
        }
        Ok(())
    }

    pub(super) fn bad_range(&self, message: &str) -> JsValue {
        http_failure(ErrorCode::BadRange, message, &self.url(), Some(206))
    }

    pub(super) fn no_ranges(&self) -> JsValue {
        let message = "the tensor data cannot be read: the server sent the whole file instead of a range. Use a server that \
                       supports range requests, or download the file";
        http_failure(ErrorCode::NoRanges, message, &self.url(), Some(200))
    }

    fn forbidden_by_cors(&self) -> JsValue {
        let message = "the file cannot be read: the server can be reached, but does not allow this page to read the file \
                       (CORS). The owner of the server can allow it with the headers Access-Control-Allow-Origin: *, \
                       Access-Control-Allow-Headers: Range, and \
                       Access-Control-Expose-Headers: Content-Range, Content-Length, ETag, Last-Modified";
        http_failure(ErrorCode::Cors, message, &self.url(), None)
    }
}

/// Whether a URL has a user name or a password: `https://user:password@host/`.
fn has_credentials(url: &str) -> bool {
    let rest = url.split_once(':').map_or(url, |(_, rest)| rest).trim_start_matches(['/', '\\']);
    rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}
