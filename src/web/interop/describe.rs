//! Values of callers, as error messages quote them.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::web::interop::objects::is_array;

/// The most characters of a text that are quoted.
const MOST_CHARACTERS: usize = 60;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = String)]
    fn to_string(value: &JsValue) -> Result<String, JsValue>;
}

/// A short description of a value: `"text"`, `-1`, `undefined`, `an array`.
pub(crate) fn describe(value: &JsValue) -> String {
    if let Some(mut text) = value.as_string() {
        if let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) {
            text.truncate(end);
            text.push('\u{2026}');
        }
        return format!("\"{text}\"");
    }
    if value.is_function() {
        return "a function".into();
    }
    if value.is_object() {
        return if is_array(value) { "an array" } else { "an object" }.into();
    }
    let text = to_string(value).unwrap_or_default();
    if value.is_bigint() { format!("{text}n") } else { text }
}
