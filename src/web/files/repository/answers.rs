//! What the answers of a hub say. They are read member by member, and nothing in them is trusted.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::files::repository::listing::ListedFile;
use crate::web::interop::error::{http_failure, reason};
use crate::web::interop::numbers::is_position;
use crate::web::interop::objects::{as_object, element, is_array, length};
use crate::web::source::http::Document;

/// The most characters of the name of an architecture.
const LONGEST_ARCHITECTURE: usize = 100;

/// What a hub says about the model of a repository. All of it is optional.
#[derive(Default)]
pub(super) struct ModelFacts {
    pub parameter_count: Option<f64>,
    pub architecture: Option<String>,
    pub is_gated: bool,
}

/// A page of a listing: an array of `{ type, path, size, lfs?: { oid, size } }`.
pub(super) struct Page {
    entries: JsValue,
    entry_count: u32,
}

impl Page {
    pub fn of(document: &Document) -> Result<Self, JsValue> {
        let entries = json(document)?;
        let count = Some(&entries).filter(|entries| is_array(entries)).map(length).transpose()?.flatten();
        match count {
            Some(entry_count) => Ok(Self { entries, entry_count }),
            None => Err(unexpected(document, "it is not a list of files")),
        }
    }

    /// The number of files and folders.
    pub fn entry_count(&self) -> u32 {
        self.entry_count
    }

    /// Adds the files. Returns their number, of any kind. A file without a path or a size is left out.
    pub fn add_files(&self, files: &mut Vec<ListedFile>) -> Result<u32, JsValue> {
        let mut found = 0;
        for index in 0..self.entry_count {
            let entry = element(&self.entries, index)?;
            if text(&entry, "type").is_some_and(|kind| kind != "file") {
                continue;
            }
            found += 1;
            let lfs = member(&entry, "lfs").unwrap_or_default();
            let (Some(path), Some(size)) = (text(&entry, "path"), size(&entry).or_else(|| size(&lfs))) else {
                continue;
            };
            files.push(ListedFile { path, size, sha256: text(&lfs, "oid").filter(|oid| is_sha256(oid)) });
        }
        Ok(found)
    }
}

/// The facts of an answer: `{ gguf?: { total, architecture }, gated }`.
pub(super) fn model_facts(document: &Document) -> Result<ModelFacts, JsValue> {
    let model = json(document)?;
    let gguf = member(&model, "gguf").unwrap_or_default();
    let count = member(&gguf, "total").and_then(|total| total.as_f64()).filter(|count| is_position(*count));
    Ok(ModelFacts {
        parameter_count: count.filter(|count| *count > 0.0),
        architecture: text(&gguf, "architecture").filter(|name| name.len() <= LONGEST_ARCHITECTURE),
        // `false`, or who grants access: `"auto"` or `"manual"`.
        is_gated: member(&model, "gated").is_some_and(|gated| gated.is_truthy()),
    })
}

/// The JSON of an answer.
fn json(document: &Document) -> Result<JsValue, JsValue> {
    js_sys::JSON::parse(&document.text)
        .map_err(|error| unexpected(document, &format!("it is not JSON: {}", reason(&error))))
}

/// The error of an answer that is not as documented.
fn unexpected(document: &Document, why: &str) -> JsValue {
    let message = format!(
        "the answer of the hub cannot be used: {why}. Check the address of the hub: a proxy or a login page may have answered"
    );
    http_failure(ErrorCode::BadResponse, &message, document.url(), Some(document.status))
}

fn member(object: &JsValue, name: &str) -> Option<JsValue> {
    as_object(object)?.present(name).ok()?
}

fn text(object: &JsValue, name: &str) -> Option<String> {
    member(object, name)?.as_string()
}

fn size(entry: &JsValue) -> Option<u64> {
    let size = member(entry, "size")?.as_f64()?;
    is_position(size).then_some(size as u64)
}

fn is_sha256(oid: &str) -> bool {
    oid.len() == 64 && oid.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
