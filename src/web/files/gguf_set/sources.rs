//! The names and URLs of shards.

use alloc::format;
use alloc::string::{String, ToString};

use wasm_bindgen::prelude::*;

use crate::files::shard_name::ShardName;
use crate::web::interop::objects::as_object;

/// The URL that a caller gives as a string or as a `URL`.
pub(super) fn url_of(source: &JsValue) -> Result<Option<String>, JsValue> {
    if let Some(url) = source.as_string() {
        return Ok(Some(url));
    }
    match as_object(source) {
        Some(object) => Ok(object.get("href")?.as_string()),
        None => Ok(None),
    }
}

/// The name of a source: the last part of a URL, or the member `name`. Empty if there is none.
pub(super) fn name_of(source: &JsValue) -> Result<String, JsValue> {
    if let Some(url) = url_of(source)? {
        return Ok(path(&url).rsplit('/').next().unwrap_or_default().to_string());
    }
    match as_object(source) {
        Some(object) => Ok(object.get("name")?.as_string().unwrap_or_default()),
        None => Ok(String::new()),
    }
}

/// The URL of the shard with a number, from 1, of a set with `count` shards, if `url` is that of a shard. A query stays as it
/// is.
pub(super) fn url_of_shard(url: &str, number: u32, count: u32) -> Option<String> {
    let (path, query) = url.split_at(path(url).len());
    Some(format!("{}{query}", name_of_shard(ShardName::parse(path)?, number, count)))
}

/// The name of the shard with a number, from 1, of a set with `count` shards. The count in the name of another shard is kept,
/// because all files were probably named alike, unless the number is larger.
pub(super) fn name_of_shard(name: ShardName<'_>, number: u32, count: u32) -> String {
    let count = if number <= name.count { name.count } else { count };
    ShardName { count, ..name }.of_number(number)
}

/// A URL without its query and its fragment.
fn path(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::url_of_shard;

    #[test]
    fn a_query_stays_as_it_is() {
        let url = "https://host/a-00001-of-00002/m-00002-of-00003.gguf?download=true&x=m-00002-of-00003.gguf#part";
        let first = "https://host/a-00001-of-00002/m-00001-of-00003.gguf?download=true&x=m-00002-of-00003.gguf#part";
        assert_eq!(url_of_shard(url, 1, 3).as_deref(), Some(first));
        assert_eq!(url_of_shard("https://host/model.gguf?x=m-00002-of-00003.gguf", 1, 3), None);
    }

    #[test]
    fn a_number_larger_than_the_count_in_the_name_has_the_count_of_the_header() {
        assert_eq!(url_of_shard("m-00001-of-00002.gguf", 2, 3).as_deref(), Some("m-00002-of-00002.gguf"));
        assert_eq!(url_of_shard("m-00001-of-00002.gguf", 3, 3).as_deref(), Some("m-00003-of-00003.gguf"));
    }
}
