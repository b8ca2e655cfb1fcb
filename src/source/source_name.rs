//! The name of a source.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::as_object;
use crate::interop::thrown::Thrown;
use gguf_format::error::shown;

/// The name of a source: the last part of its URL or path, or its member `name`.
pub(crate) fn name_of(source: &JsValue) -> Result<String, Thrown> {
    let place = match as_object(source) {
        None => source.as_string(),
        Some(object) => match object.get("href")?.as_string() {
            None => return Ok(object.get("name")?.as_string().unwrap_or_default()),
            href => href,
        },
    };
    let place = place.unwrap_or_default();
    Ok(without_query(&place).rsplit(['/', '\\']).next().unwrap_or_default().into())
}

/// A URL without its query and fragment. A path stays as it is.
pub(crate) fn without_query(place: &str) -> &str {
    let is_url = place.as_bytes().windows(3).any(|window| window == b"://");
    if is_url { shown::without_query(place) } else { place }
}
