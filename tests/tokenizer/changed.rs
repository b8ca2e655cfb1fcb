//! Vocabularies with some entries changed.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Header, parse};

use crate::gguf_bytes::GgufBytes;

/// A file with the entries of a header and some changes: entries that are replaced, added, or removed (`None`).
pub fn with_entries(header: &Header, changes: &[(&str, Option<OwnedValue>)]) -> Header {
    let kept = || header.metadata().filter(|entry| changes.iter().all(|(key, _)| entry.key() != *key));
    let added = || changes.iter().filter_map(|(key, value)| value.as_ref().map(|value| (*key, value)));
    let mut file = GgufBytes::new(header.format());
    file.header(0, (kept().count() + added().count()) as u64);
    for entry in kept() {
        file.bytes(&header.bytes().slice(entry.range()));
    }
    for (key, value) in added() {
        file.entry(key.as_bytes(), value);
    }
    parse(file.as_bytes()).unwrap()
}
