//! What the answers of a hub say. They are read member by member, and nothing in them is trusted.

use alloc::{string::String, vec::Vec};

use super::json::Json;
use super::listing::ListedFile;
use gguf_format::error::{Error, Result, error};
use gguf_format::io::http::Document;

/// The most characters of the name of an architecture.
const LONGEST_ARCHITECTURE: usize = 100;

/// What a hub says about the model of a repository. All of it is optional.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ModelFacts {
    /// The number of parameters.
    pub parameter_count: Option<u64>,
    /// The architecture: `llama`.
    pub architecture: Option<String>,
    /// Whether the files can be read only after the conditions of the repository were accepted.
    pub is_gated: bool,
}

/// A page of a listing: an array of `{ type, path, size, lfs?: { oid, size } }`.
pub(super) struct Page<J> {
    entries: J,
    /// The number of files and folders.
    pub entry_count: u32,
}

impl<J: Json> Page<J> {
    pub fn of(document: &Document) -> Result<Self> {
        let entries = json::<J>(document)?;
        match entries.length() {
            Some(entry_count) => Ok(Self { entries, entry_count }),
            None => Err(unexpected(document, "it is not a list of files")),
        }
    }

    /// Adds the files. Returns their number, of any kind. A file without a path or a size is left out.
    pub fn add_files(&self, files: &mut Vec<ListedFile>) -> u32 {
        let mut found = 0;
        for entry in (0..self.entry_count).filter_map(|index| self.entries.element(index)) {
            if text(&entry, "type").is_some_and(|kind| kind != "file") {
                continue;
            }
            found += 1;
            let lfs = entry.member("lfs");
            let size = |entry: &J| entry.member("size")?.count();
            let size = size(&entry).or_else(|| size(lfs.as_ref()?));
            let sha256 = lfs.as_ref().and_then(|lfs| text(lfs, "oid")).filter(|oid| is_sha256(oid));
            if let (Some(path), Some(size)) = (text(&entry, "path"), size) {
                files.push(ListedFile { path, size, sha256 });
            }
        }
        found
    }
}

/// The facts of an answer: `{ gguf?: { total, architecture }, gated }`.
pub(super) fn model_facts<J: Json>(document: &Document) -> Result<ModelFacts> {
    let model = json::<J>(document)?;
    let gguf = model.member("gguf");
    let count = gguf.as_ref().and_then(|gguf| gguf.member("total")?.count());
    let architecture = gguf.as_ref().and_then(|gguf| text(gguf, "architecture"));
    Ok(ModelFacts {
        parameter_count: count.filter(|count| *count > 0),
        architecture: architecture.filter(|name| name.len() <= LONGEST_ARCHITECTURE),
        // `false`, or who grants access: `"auto"` or `"manual"`.
        is_gated: model.member("gated").is_some_and(|gated| gated.is_truthy()),
    })
}

fn json<J: Json>(document: &Document) -> Result<J> {
    J::parse(&document.text()).map_err(|why| unexpected(document, &format!("it is not JSON: {why}")))
}

/// The error of an answer that is not as documented.
fn unexpected(document: &Document, why: &str) -> Error {
    error!(BadResponse:
        "the answer of the hub cannot be used: {why}. Check the address of the hub: a proxy or a login page may have \
         answered")
    .of_url(&document.url, Some(document.status))
}

fn text(object: &impl Json, name: &str) -> Option<String> {
    object.member(name)?.text()
}

fn is_sha256(oid: &str) -> bool {
    oid.len() == 64 && oid.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
