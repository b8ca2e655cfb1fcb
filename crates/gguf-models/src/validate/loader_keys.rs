//! The keys that llama.cpp reads of every model, or of every model of the architecture. It refuses a file in which such a
//! key has another type.

use alloc::vec::Vec;

use crate::architectures::rules::{Extent, Loading, Rules};
use crate::architectures::{ArchitectureInfo, architecture_info};
use crate::file_kinds::FileKind;
use crate::keys::{KeyInfo, KeySource};
use crate::kind::kind_and_shard;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::tokenizer_model::{TokenizerAlgorithm, tokenizer_model};
use gguf_format::format::value::Value;
use gguf_format::order::sorted;

/// Keys that `llama_model_loader` and `llama_vocab` of llama.cpp (October 2026) read of a model of any architecture. The ids of
/// special tokens are among them; the table of keys has the mark for these. The rules of the architecture have the other keys.
const OF_EVERY_MODEL: &[&str] = &[
    "general.file_type",
    "general.name",
    "split.count",
    "tokenizer.ggml.model",
    "tokenizer.ggml.pre",
    "tokenizer.ggml.token_type_count",
];

/// Keys that llama.cpp reads unless the model has no tokens.
const OF_EVERY_VOCABULARY: &[&str] = &[
    "tokenizer.ggml.add_bos_token",
    "tokenizer.ggml.add_eos_token",
    "tokenizer.ggml.add_sep_token",
    "tokenizer.ggml.add_space_prefix",
    "tokenizer.ggml.normalizer.lowercase",
    "tokenizer.ggml.normalizer.strip_accents",
    "tokenizer.ggml.remove_extra_whitespaces",
    "tokenizer.ggml.scores",
    "tokenizer.ggml.suppress_tokens",
    "tokenizer.ggml.token_type",
    "tokenizer.ggml.tokens",
];

/// The number of tokens of a model that has no tokens.
const VOCABULARY_SIZE: &str = "{arch}.vocab_size";

/// A special token that llama.cpp names, but does not read.
const NOT_READ: &str = "tokenizer.ggml.cls_token_id";

/// What llama.cpp reads of a file.
pub(super) struct LoaderKeys {
    /// Whether llama.cpp loads the file as a model, or as a part of one.
    is_model: bool,
    is_shard: bool,
    is_vocabulary: bool,
    /// The value of `tokenizer.ggml.model`: whether there are tokens, whether they are merged, and whether there is a map of
    /// characters.
    has_tokens: bool,
    has_merges: bool,
    has_character_map: bool,
    architecture: Option<&'static ArchitectureInfo>,
    /// The positions of the entries that llama.cpp reads for the architecture, in order.
    read_entries: Vec<usize>,
}

impl LoaderKeys {
    pub fn of(header: &Header) -> Self {
        let text = |key| match header.get(key).map(|entry| entry.value()) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let kind = kind_and_shard(header).0;
        let architecture = text("general.architecture").and_then(|name| architecture_info(&name.to_bytes()));
        let is_known = architecture.is_some_and(|info| info.is_in_llama_cpp);
        // A header without tensors counts as a model, too, unless something marks it as another kind.
        let is_loaded = kind.is_complete_model()
            || matches!(kind, FileKind::Shard | FileKind::Vocabulary | FileKind::Draft | FileKind::Unknown);
        let tokenizer = text("tokenizer.ggml.model").and_then(|name| tokenizer_model(&name.to_bytes()));
        let algorithm = tokenizer.map(|model| model.algorithm);
        let is_model = is_known && is_loaded;
        let rules_of = |info: &ArchitectureInfo| Rules::of(info.name).unwrap_or_else(Rules::of_every_model);
        let rules = architecture.filter(|_| is_model).map(|info| (info.name.as_bytes(), rules_of(info)));
        let read_entries = match &rules {
            Some((name, rules)) => Loading::run(rules, header, name, &[], Extent::Keys).read_entries,
            None => Vec::new(),
        };
        let read_entries = sorted(&read_entries);
        Self {
            is_model,
            is_shard: kind == FileKind::Shard,
            is_vocabulary: kind == FileKind::Vocabulary,
            has_tokens: algorithm != Some(TokenizerAlgorithm::NoVocabulary),
            has_merges: algorithm.is_some_and(TokenizerAlgorithm::has_merges),
            has_character_map: algorithm == Some(TokenizerAlgorithm::Unigram),
            architecture,
            read_entries,
        }
    }

    /// Whether llama.cpp reads an entry of this file.
    pub fn includes(&self, entry: &MetadataKv<'_>, info: &KeyInfo) -> bool {
        let (key, pattern) = (entry.key().to_bytes(), info.pattern);
        if pattern == "general.architecture" {
            return true;
        }
        // llama.cpp reads the number of a shard, and the number of all tensors in the first one.
        if self.is_shard && pattern.starts_with("split.") {
            return true;
        }
        if !self.is_model {
            return false;
        }
        // A file that is only a vocabulary is read without the numbers of the model. Keys of other architectures are not read.
        if pattern.starts_with("{arch}") {
            let name = self.architecture.map_or("", |info| info.name).as_bytes();
            let is_own = key.strip_prefix(name).is_some_and(|rest| rest.starts_with(b"."));
            if self.is_vocabulary || !is_own {
                return false;
            }
        }
        if pattern.starts_with("tokenizer.ggml.") && self.has_tokens {
            let is_token_id = info.is_token_id && info.sources.contains(&KeySource::LlamaCpp) && pattern != NOT_READ;
            let is_merges = self.has_merges && pattern == "tokenizer.ggml.merges";
            let is_map = self.has_character_map && pattern == "tokenizer.ggml.precompiled_charsmap";
            if is_token_id || is_merges || is_map || OF_EVERY_VOCABULARY.contains(&pattern) {
                return true;
            }
        }
        let is_size = pattern == VOCABULARY_SIZE && !self.has_tokens;
        OF_EVERY_MODEL.contains(&pattern) || is_size || self.read_entries.binary_search(&entry.index()).is_ok()
    }
}
