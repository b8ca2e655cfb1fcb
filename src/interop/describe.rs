//! Values of callers, as error messages quote them.

use alloc::string::String;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "glue/errors.js")]
extern "C" {
    /// A short description of a value: `"text"`, `-1`, `undefined`, `an array`.
    pub fn describe(value: &JsValue) -> String;
}

/// A number in decimal. The formatting of the standard library takes 6 kB gzipped.
pub(crate) fn shown_number(number: f64) -> String {
    describe(&number.into())
}
