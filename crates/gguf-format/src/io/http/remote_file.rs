//! A file at a URL, and what is known about its server.

use alloc::string::String;
use core::cell::{Cell, RefCell};
use core::ops::Range;

use super::client::Client;
use super::connections::RequestLimits;
use super::exchange::{Exchange, Sent};
use super::options::HttpOptions;
use super::response_cap::ResponseCap;
use super::validators::Versions;
use crate::error::{Error, ErrorCode, error};

/// The headers with which a server allows pages of other origins to read its files.
const CORS_HEADERS: &str = "Access-Control-Allow-Origin: *, Access-Control-Allow-Headers: Range, and \
                            Access-Control-Expose-Headers: Content-Range, Content-Length, ETag, Last-Modified";

/// A file at a URL, which is read by range requests.
pub struct RemoteFile<C: Client> {
    pub(super) exchange: Exchange<C>,
    /// The URL that the caller gave.
    #[doc(hidden)]
    pub given_url: String,
    /// The URL that it redirects to, once that is known.
    pub(crate) redirected_url: RefCell<Option<String>>,
    /// Whether the header is complete, or the file is read without one. Until then, the server may send the whole file instead of a range.
    pub(super) has_header: Cell<bool>,
    /// False once the server has shown that it ignores ranges.
    pub(crate) has_ranges: Cell<bool>,
    pub(super) cap: ResponseCap,
    pub(crate) versions: RefCell<Versions>,
    pub(crate) size: Cell<Option<u64>>,
    /// Whether the server sends ranges without the size of the file: `Content-Range: bytes 0-99/*`.
    pub(super) hides_size: Cell<bool>,
    /// The whole file, if it came with the header.
    pub(super) whole: RefCell<Option<C::Buffer>>,
    pub(super) limits: RequestLimits,
    /// The response that the caller has given, until its body is read.
    pub(super) given_response: Cell<Option<RangeRequest<C>>>,
    /// Whether the caller has given the first response.
    pub(super) is_given: Cell<bool>,
}

/// A range that has been requested.
pub(super) struct RangeRequest<C: Client> {
    pub range: Range<u64>,
    pub sent: Sent<C>,
}

impl<C: Client> RemoteFile<C> {
    /// A file at an absolute URL. Nothing is requested yet.
    pub fn new(url: String, client: C, options: HttpOptions, limits: RequestLimits) -> Self {
        Self {
            exchange: Exchange::new(client, options, url.clone(), CORS_HEADERS),
            given_url: url,
            redirected_url: RefCell::default(),
            has_header: Cell::new(false),
            has_ranges: Cell::new(true),
            cap: ResponseCap::default(),
            versions: RefCell::default(),
            size: Cell::new(None),
            hides_size: Cell::default(),
            whole: RefCell::default(),
            limits,
            given_response: Cell::new(None),
            is_given: Cell::new(false),
        }
    }

    /// Tells that the caller has the header already, so that it is not read.
    pub fn set_has_header(&self) {
        self.has_header.set(true);
    }

    /// The URL to request.
    pub(super) fn url(&self) -> String {
        self.redirected_url.borrow().as_ref().unwrap_or(&self.given_url).clone()
    }

    pub(super) fn bad_range(&self, message: &str) -> Error {
        Error::new(ErrorCode::BadRange, message).of_url(&self.url(), Some(206))
    }

    pub(super) fn no_ranges(&self) -> Error {
        error!(NoRanges:
            "the tensor data cannot be read: the server sent the whole file instead of a range. Use a server that \
             supports range requests, or download the file")
        .of_url(&self.url(), Some(200))
    }

    /// The error of a server that sends a page in place of a file that it does not have.
    pub(super) fn sent_page(&self) -> Error {
        error!(BadResponse:
            "the server sent a web page in place of the file. Check the address, and whether it needs a login")
        .of_url(&self.url(), Some(200))
    }
}
