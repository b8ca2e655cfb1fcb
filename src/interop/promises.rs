//! Waiting for JavaScript promises.

use crate::interop::thrown::Thrown;
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = Promise)]
    fn race(values: &Array) -> Result<Promise, Thrown>;
}

/// A promise of the engine's own that follows `value`, which may be a promise or any other value.
///
/// `Promise.resolve` and `then` would call members that a caller may have replaced, and these can throw. `Promise.race` turns
/// everything that is thrown into a rejection.
pub(crate) fn promise_of(value: &JsValue) -> Result<Promise, Thrown> {
    race(&Array::of1(value))
}

/// Waits for `value` if it is a promise; otherwise returns it.
pub(crate) async fn resolved(value: JsValue) -> Result<JsValue, Thrown> {
    Ok(JsFuture::from(promise_of(&value)?).await?)
}

/// Waits for the result of a call, unless the call has thrown.
pub(crate) async fn called(result: Result<JsValue, impl Into<Thrown>>) -> Result<JsValue, Thrown> {
    resolved(result.map_err(Into::into)?).await
}
