//! Values of callers, as error messages quote them.

use alloc::string::String;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A short description of a value: `"text"`, `-1`, `undefined`, `an array`. A function of `pkg-template/glue/errors.js`.
    pub fn describe(value: &JsValue) -> String;
}
