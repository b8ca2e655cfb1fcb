//! Checks of the tokenizer: whether llama.cpp can load the vocabulary, and whether it cuts text as the model expects.
//!
//! Only files with a vocabulary of their own are checked: complete models, vocabularies, and shards that have tokens. The
//! facts are those of llama.cpp's loader (`src/llama-vocab.cpp`, August 2026). Lengths of arrays and the range of ids are
//! checked in `known_keys`.
//!
//! - `names`: the tokenizer and the pre-tokenizer, and the entries that they require
//! - `tokens`: the texts and the types of tokens
//! - `merges`: the merges, and the character map
//! - `special_tokens`: tokens with a special role
//! - `chat_template`: the chat template

mod chat_template;
mod merges;
mod names;
mod special_tokens;
mod tokens;

use super::findings::Findings;
use crate::format::header::{Header, MetadataKv};
use crate::format::tokenizer_model::TokenizerModel;
use crate::format::value::{Array, Value};
use crate::know::architectures::architecture_info;
use crate::know::file_kinds::FileKind;
use crate::know::kind::classify;
use crate::know::pre_tokenizers::PreTokenizer;

/// The tokenizer of a file.
struct Tokenizer<'a> {
    header: &'a Header,
    kind: FileKind,
    model: &'static TokenizerModel,
    /// The pre-tokenizer. `None` if the algorithm has none, or if the file does not name one.
    pre_tokenizer: Option<PreTokenizer>,
    /// The tokens, if the file has them.
    tokens: Option<(MetadataKv<'a>, Array<'a>)>,
}

pub(super) fn check(header: &Header, findings: &mut Findings) {
    if !header.is_complete() {
        return;
    }
    let classification = classify(header);
    let tokens = array(header, "tokenizer.ggml.tokens");
    let kind = classification.shard.map_or(classification.kind, |shard| shard.set_kind);
    let is_first = classification.shard.is_some_and(|shard| shard.number == Some(1));
    let is_checked = match classification.kind {
        // The first shard has the metadata of all.
        FileKind::Shard => kind.is_complete_model() && (is_first || tokens.is_some()),
        FileKind::Vocabulary => true,
        kind => kind.is_complete_model(),
    };
    let architecture = header.architecture();
    let info = architecture.and_then(|name| architecture_info(&name.to_bytes()));
    // Other programs have tokenizers of their own.
    let Some(info) = info.filter(|info| info.is_in_llama_cpp && is_checked) else { return };
    // llama.cpp names some architectures that it cannot load. Their files may lack a vocabulary.
    let is_required = info.is_loaded || tokens.is_some();
    let Some((model, pre_tokenizer)) = names::check(header, is_required, findings) else { return };
    let tokenizer = Tokenizer { header, kind, model, pre_tokenizer, tokens };
    tokens::check(&tokenizer, findings);
    merges::check(&tokenizer, findings);
    special_tokens::check(&tokenizer, findings);
    chat_template::check(&tokenizer, findings);
}

/// The entry of a key and its array. `None` if the key is missing or the value is no array.
fn array<'a>(header: &'a Header, key: &str) -> Option<(MetadataKv<'a>, Array<'a>)> {
    let entry = header.get(key)?;
    let Value::Array(array) = entry.value() else { return None };
    Some((entry, array))
}

/// Elements of an array that have a problem. An array has one finding for them, not thousands.
#[derive(Default)]
struct Found {
    count: u64,
    /// The index of the first one.
    first: u64,
    /// Its file offset.
    offset: u64,
}

impl Found {
    fn add(&mut self, index: u64, offset: u64) {
        if self.count == 0 {
            (self.first, self.offset) = (index, offset);
        }
        self.count += 1;
    }
}
