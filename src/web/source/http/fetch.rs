//! The host's `fetch`.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::RequestInit;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    pub(super) fn fetch(url: &str, init: &RequestInit) -> Result<Promise, JsValue>;
}
