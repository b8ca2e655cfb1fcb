//! A request whose response is awaited.

use alloc::string::String;
use core::ops::Range;

use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use crate::web::interop::timer::Timer;

/// A request in flight. Dropping it cancels the request and the body of its response.
pub(super) struct Exchange(pub AbortController);

impl Drop for Exchange {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A range that has been requested.
pub(super) struct Request {
    pub range: Range<u64>,
    pub(super) url: String,
    /// Whether the host follows redirects. Otherwise they are followed here.
    pub(super) follows_redirects: bool,
    pub(super) response: JsFuture,
    /// Ends when the response has taken too long.
    pub(super) deadline: Timer,
    pub(super) exchange: Exchange,
}
