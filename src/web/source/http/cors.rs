//! Telling apart a server that cannot be reached and one that CORS forbids to read.
//!
//! Browsers report both as the same `TypeError`. A request in the mode `no-cors` succeeds in the second case, though its
//! answer cannot be read.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use super::origin::origin;
use crate::web::interop::js::{self, Record};
use crate::web::interop::timer::Timer;

#[wasm_bindgen]
extern "C" {
    // The origin of the page or of the worker. Hosts without CORS do not have it.
    #[wasm_bindgen(js_name = origin, thread_local_v2)]
    static HOST_ORIGIN: Option<alloc::string::String>;
}

/// Whether CORS can forbid to read what is at `url`.
pub(super) fn can_forbid(url: &str) -> bool {
    HOST_ORIGIN.with(|host| host.as_deref().is_some_and(|host| host != origin(url)))
}

/// A request that shows whether the server can be reached. It is cancelled when this is dropped.
pub(super) struct Probe {
    answer: JsFuture,
    controller: AbortController,
}

impl Probe {
    /// Sends a `HEAD` without credentials. Never a `GET`: browsers drop `Range` in this mode, and could load the whole file.
    pub fn send(url: &str) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let init = Record::new()
            .text("method", "HEAD")
            .text("mode", "no-cors")
            .text("credentials", "omit")
            .value("signal", &controller.signal())
            .done();
        Ok(Self { answer: js::fetch(url, init.unchecked_ref())?.into(), controller })
    }

    /// Whether the server answers within a time in milliseconds.
    pub async fn answers(mut self, timeout: f64) -> bool {
        matches!(Timer::new(timeout).unless_over(&mut self.answer).await, Some(Ok(_)))
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.controller.abort();
    }
}
