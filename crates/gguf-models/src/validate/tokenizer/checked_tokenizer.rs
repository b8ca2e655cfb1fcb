//! The tokenizer that is checked.

use crate::file_kinds::FileKind;
use crate::pre_tokenizers::PreTokenizer;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::tokenizer_model::TokenizerModel;
use gguf_format::format::value::{Array, Value};

/// The tokenizer of a file.
pub(super) struct Tokenizer<'a> {
    pub(super) header: &'a Header,
    pub(super) kind: FileKind,
    pub(super) model: &'static TokenizerModel,
    /// The pre-tokenizer. `None` if the algorithm has none, or if the file does not name one.
    pub(super) pre_tokenizer: Option<PreTokenizer>,
    /// The tokens, if the file has them.
    pub(super) tokens: Option<(MetadataKv<'a>, Array<'a>)>,
}

/// The entry of a key and its array. `None` if the key is missing or the value is no array.
pub(super) fn array<'a>(header: &'a Header, key: &str) -> Option<(MetadataKv<'a>, Array<'a>)> {
    let entry = header.get(key)?;
    let Value::Array(array) = entry.value() else { return None };
    Some((entry, array))
}

/// Elements of an array that have a problem. An array has one finding for them, not thousands.
#[derive(Default)]
pub(super) struct Found {
    pub(super) count: u64,
    /// The index of the first one.
    pub(super) first: u64,
    /// Its file offset.
    pub(super) offset: u64,
}

impl Found {
    pub(super) fn add(&mut self, index: u64, offset: u64) {
        if self.count == 0 {
            (self.first, self.offset) = (index, offset);
        }
        self.count += 1;
    }
}
