//! The names and the places of the sources that a caller gives.

use alloc::string::{String, ToString};

use wasm_bindgen::prelude::*;

use crate::interop::as_object;
use crate::interop::thrown::Thrown;
use crate::source::http::{is_response, url_of};
use crate::source::local_files;
use gguf_files::open_set::GivenShard;
use gguf_files::shard_place::ShardPlace;

/// A source, with its name and its place.
pub(super) fn given_shard(source: JsValue) -> Result<GivenShard<JsValue>, Thrown> {
    Ok(GivenShard { name: name_of(&source)?, place: place_of(&source).ok().flatten(), given: source })
}

/// The place that a caller gives: a path, a URL as a string or as a `URL`, or a `Response` from a URL.
fn place_of(source: &JsValue) -> Result<Option<ShardPlace>, Thrown> {
    if let Some(path) = local_files::path_of(source)? {
        return Ok(Some(ShardPlace::Path(path)));
    }
    if let Some(url) = source.as_string() {
        return Ok(Some(ShardPlace::Url(url)));
    }
    let Some(object) = as_object(source) else { return Ok(None) };
    let url = match object.get("href")?.as_string() {
        Some(url) => Some(url),
        None if is_response(object)? => url_of(object)?,
        None => None,
    };
    Ok(url.map(ShardPlace::Url))
}

/// The name of a source: that of the file at its place, or the member `name`. Empty if there is none.
fn name_of(source: &JsValue) -> Result<String, Thrown> {
    if let Some(place) = place_of(source)? {
        return Ok(place.name().to_string());
    }
    match as_object(source) {
        Some(object) => Ok(object.get("name")?.as_string().unwrap_or_default()),
        None => Ok(String::new()),
    }
}
