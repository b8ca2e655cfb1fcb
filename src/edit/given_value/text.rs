//! Given strings.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::interop::{Bytes, JsString, may_be_lossy};

/// The bytes of a string, or bytes that are given as such. `None` for other values, and for a string with a lone surrogate.
pub(in crate::edit) fn text_bytes(given: &JsValue) -> Option<Vec<u8>> {
    if let Some(bytes) = Bytes::of(given) {
        return bytes.to_vec().ok();
    }
    // The conversion replaces a lone surrogate by U+FFFD.
    let text = given.as_string()?;
    let is_well_formed = !may_be_lossy(&text) || given.unchecked_ref::<JsString>().is_valid_utf16();
    is_well_formed.then(|| text.into_bytes())
}
