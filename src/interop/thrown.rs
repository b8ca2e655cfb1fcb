//! What functions of the JavaScript API throw.

use core::ops::Deref;

use wasm_bindgen::prelude::*;

/// A value that a function of the JavaScript API throws or rejects with: a `GgufError`, or what a function of the caller has thrown.
#[derive(Clone, Debug)]
pub struct Thrown(JsValue);

impl Deref for Thrown {
    type Target = JsValue;

    fn deref(&self) -> &JsValue {
        &self.0
    }
}

impl From<JsValue> for Thrown {
    fn from(value: JsValue) -> Self {
        Self(value)
    }
}

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> Self {
        thrown.0
    }
}
