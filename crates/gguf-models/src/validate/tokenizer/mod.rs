//! Checks of the tokenizer: whether llama.cpp can load the vocabulary, and whether it cuts text as the model expects.
//!
//! Only files with a vocabulary of their own are checked: complete models, vocabularies, and shards that have tokens. The facts
//! come from llama.cpp's loader (`src/llama-vocab.cpp`, October 2026). Lengths of arrays and the range of ids are checked in
//! `known_keys`.
//!
//! - `checked_tokenizer`: the tokenizer that is checked
//! - `names`: the tokenizer and the pre-tokenizer, and the entries that they require
//! - `tokens`: the texts and the types of tokens
//! - `merges`: the merges, and the character map
//! - `special_tokens`: tokens with a special role
//! - `chat_template`: the chat template

mod chat_template;
mod checked_tokenizer;
mod merges;
mod names;
mod special_tokens;
mod tokens;

use super::findings::Findings;
use crate::architectures::architecture_info;
use crate::file_kinds::FileKind;
use crate::kind::kind_and_shard;
use checked_tokenizer::{Tokenizer, array};
use gguf_format::format::header::Header;
pub(crate) use tokens::duplicate_tokens;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    if !header.is_complete() {
        return;
    }
    let (own_kind, shard) = kind_and_shard(header);
    let tokens = array(header, "tokenizer.ggml.tokens");
    let kind = shard.map_or(own_kind, |shard| shard.set_kind);
    let is_first = shard.is_some_and(|shard| shard.number == Some(1));
    let is_checked = match own_kind {
        // The first shard has the metadata of all.
        FileKind::Shard => kind.is_complete_model() && (is_first || tokens.is_some()),
        FileKind::Vocabulary => true,
        kind => kind.is_complete_model() || kind == FileKind::Draft,
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
