//! The vocabulary of a model: its tokenizer files as the entries `tokenizer.*`.
//!
//! The entries, and their order, are those of the converter of llama.cpp of August 2026 (`conversion/` and
//! `gguf-py/gguf/vocab.py`) with transformers 4.57.

// - `families`: the entries of each kind of vocabulary, in order
// - `sentence_piece` with `piece_model` and `protobuf`; `base`; `llama_hf`; `unigram`: the tokens
// - `tokenizer` with `tokenizer_class`, `added_tokens`, `decoder` and `slow_tokenizer`: what transformers makes of tokenizer.json
// - `special_tokens` with `post_processor`, `chat_template` and `merges`: the other entries

mod added_tokens;
mod base;
mod chat_template;
mod decoder;
mod families;
mod llama_hf;
mod merges;
mod piece_model;
mod post_processor;
mod pre_tokenizer;
mod protobuf;
mod sentence_piece;
mod slow_tokenizer;
mod special_tokens;
mod tokenizer;
mod tokenizer_class;
mod tokens;
mod unigram;

use serde_json::Value;

use super::entries::Entries;
use super::files::SmallFiles;
use crate::error::Result;

pub use pre_tokenizer::PreTokenizerQuestion;

/// The kind of a vocabulary: how the models of a family store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Byte-level: `tokenizer.json`, or `vocab.json` with `merges.txt`.
    Gpt2,
    /// Byte-level, in `tokenizer.json` only.
    Gpt2Json,
    /// LLaMA and its relatives: `tokenizer.model`, else a `tokenizer.json` that was made from one, else byte-level.
    Llama,
    /// `tokenizer.model`.
    SentencePiece,
    /// `tokenizer.model`, else byte-level.
    SentencePieceOrGpt2,
    /// Gemma 1: `tokenizer.model`, with the token that ends a turn.
    Gemma,
    /// Gemma 2: `tokenizer.model`.
    Gemma2,
    /// Gemma 3: `tokenizer.model`, else byte-level.
    Gemma3,
    /// Phi-3: `tokenizer.model` with the added tokens of `tokenizer.json`. Byte-level if the class is `GPT2Tokenizer`.
    Phi3,
    /// BERT: WordPiece.
    Bert,
    /// XLM-RoBERTa: unigram, in `sentencepiece.bpe.model` or `tokenizer.json`.
    XlmRoberta,
    /// RoBERTa: byte-level if there is a `tokenizer.json`, else WordPiece.
    Roberta,
    /// ModernBERT: byte-level.
    ModernBert,
    /// Mamba: byte-level, else `tokenizer.model`. Its size is a multiple of 8, or of `pad_vocab_size_multiple`.
    Mamba,
    /// Mamba 2: `tokenizer.model`, else byte-level. Its size is a multiple of 16, or of `pad_vocab_size_multiple`.
    Mamba2,
    /// GLM-4: byte-level, with special tokens that have fixed texts.
    Glm4,
    /// InternLM 2: `tokenizer.model`, with the token that ends a turn.
    InternLm2,
    /// The model has no vocabulary.
    None,
}

/// What the entries of a vocabulary are made from.
#[derive(Clone, Copy, Debug)]
pub struct VocabularyInput<'a> {
    /// The files of the folder.
    pub files: &'a SmallFiles,
    /// The configuration of the model: `config.json` with the defaults of its family. `vocab_size`, `type_vocab_size` and
    /// `pad_vocab_size_multiple` are read.
    pub config: &'a Value,
    /// The value of `tokenizer.ggml.pre` that the user has chosen. `None`: it is found by its hash.
    pub pre: Option<&'a str>,
}

impl Vocabulary {
    /// Adds the entries `tokenizer.*`.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if a file is missing. `bad-json`, or `bad-vocabulary` with the offset, if a file is damaged.
    /// `bad-vocabulary` if files contradict each other. `unknown-pre-tokenizer` if the pre-tokenizer is unknown, and
    /// [`VocabularyInput::pre`] names none: see [`pre_tokenizer_question`](Self::pre_tokenizer_question). `unsupported-model` if
    /// the tokenizer has a part that this package does not know. `limit-exceeded` if there are more than 2,097,152 tokens.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_wasm::model::{entries::Entries, files::SmallFiles, vocabulary::{Vocabulary, VocabularyInput}};
    ///
    /// let mut files = SmallFiles::default();
    /// files.insert("tokenizer.json", br#"{
    ///     "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
    ///     "pre_tokenizer": { "type": "ByteLevel" }, "decoder": { "type": "ByteLevel" }
    /// }"#.to_vec());
    /// files.insert("tokenizer_config.json", br#"{ "tokenizer_class": "PreTrainedTokenizerFast" }"#.to_vec());
    /// let input = VocabularyInput { files: &files, config: &Default::default(), pre: Some("gpt-2") };
    ///
    /// let mut entries = Entries::default();
    /// Vocabulary::Gpt2.add_entries(&input, &mut entries)?;
    /// assert_eq!(entries.iter().last().unwrap().0, "tokenizer.ggml.merges");
    /// # Ok::<(), gguf_wasm::Error>(())
    /// ```
    pub fn add_entries(self, input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<()> {
        families::add_entries(self, input, entries)
    }

    /// The number of tokens that `tokenizer.model` gives the model. `None` if it has none.
    ///
    /// # Errors
    ///
    /// As [`add_entries`](Self::add_entries).
    pub fn token_count(self, input: &VocabularyInput<'_>) -> Result<Option<u64>> {
        let tokens = sentence_piece::tokens(input, sentence_piece::Variant::Common)?;
        Ok(tokens.map(|tokens| tokens.len() as u64))
    }

    /// The size of the vocabulary after it was rounded up, as Mamba has it. `None` if `config` has no `vocab_size`, or if the sum
    /// is too large.
    pub fn padded_size(self, config: &Value) -> Option<u64> {
        let number = |name| config.get(name).and_then(Value::as_u64);
        let size = number("vocab_size")?;
        let default = match self {
            Self::Mamba => 8,
            Self::Mamba2 => 16,
            _ => return Some(size),
        };
        size.checked_next_multiple_of(number("pad_vocab_size_multiple").unwrap_or(default))
    }

    /// What the user is asked about the pre-tokenizer. `None` if it is known, or if the vocabulary needs none.
    ///
    /// # Errors
    ///
    /// As [`add_entries`](Self::add_entries), but not `unknown-pre-tokenizer`.
    pub fn pre_tokenizer_question(self, input: &VocabularyInput<'_>) -> Result<Option<PreTokenizerQuestion>> {
        families::pre_tokenizer_question(self, input)
    }
}
