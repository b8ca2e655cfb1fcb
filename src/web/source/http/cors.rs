//! Telling apart a server that cannot be reached from one that CORS forbids to read.
//!
//! Browsers report both as the same `TypeError`. A request in the mode `no-cors` succeeds in the second case, though its
//! response cannot be read.

use alloc::string::String;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestCredentials, RequestInit, RequestMode};

use super::fetch::fetch;
use super::origin::origin;
use crate::web::interop::timer::Timer;

#[wasm_bindgen]
extern "C" {
    // The origin of the page or of the worker. Hosts without CORS do not have it.
    #[wasm_bindgen(js_name = origin, thread_local_v2)]
    static HOST_ORIGIN: Option<String>;
}

/// Whether CORS can forbid to read the file at `url`.
pub(super) fn can_forbid(url: &str) -> bool {
    HOST_ORIGIN.with(|host| host.as_deref().is_some_and(|host| host != origin(url)))
}

/// A request that shows whether the server can be reached. Dropping it cancels the request.
pub(super) struct Probe {
    response: JsFuture,
    controller: AbortController,
}

impl Probe {
    /// Sends a `HEAD` without credentials. A `GET` could load the whole file, because browsers drop `Range` in this mode.
    pub fn send(url: &str) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let init = RequestInit::new();
        init.set_method("HEAD");
        init.set_mode(RequestMode::NoCors);
        init.set_credentials(RequestCredentials::Omit);
        init.set_signal(Some(&controller.signal()));
        Ok(Self { response: fetch(url, &init)?.into(), controller })
    }

    /// Whether the server responds within a time in milliseconds.
    pub async fn succeeds(mut self, timeout: f64) -> bool {
        matches!(Timer::new(timeout).limit(&mut self.response).await, Some(Ok(_)))
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.controller.abort();
    }
}
