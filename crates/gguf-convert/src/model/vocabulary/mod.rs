//! The vocabulary of a model: its tokenizer files as the entries `tokenizer.*`.
//!
//! The entries, and their order, are those of the converter of llama.cpp of October 2026 (b11549, `conversion/` and
//! `gguf-py/gguf/vocab.py`) with transformers 4.57.

// - `families`: the entries of each kind of vocabulary, in order
// - `sentence_piece` with `piece_model` and `protobuf`; `base`; `llama_hf`; `unigram`; `tiktoken`: the tokens
// - `tokenizer` with `tokenizer_class`, `tokenizer_parts`, `added_tokens`, `decoder` and `slow_tokenizer`: what transformers makes of
//   tokenizer.json
// - `special_tokens` with `post_processor`, `chat_template` and `merges`: the other entries

mod added_tokens;
mod base;
mod chat_template;
mod decoder;
mod families;
mod kind;
mod llama_hf;
mod merges;
mod piece_model;
mod post_processor;
mod pre_tokenizer;
mod protobuf;
mod roles;
mod rwkv_world;
mod sentence_piece;
mod slow_tokenizer;
mod special_tokens;
mod tiktoken;
mod tokenizer;
mod tokenizer_class;
mod tokenizer_parts;
mod tokens;
mod unigram;

use super::entries::Entries;
use gguf_format::error::Result;

pub use kind::{Vocabulary, VocabularyInput};
pub use pre_tokenizer::PreTokenizerQuestion;

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
    /// use gguf_convert::model::{entries::Entries, files::SmallFiles, vocabulary::{Vocabulary, VocabularyInput}};
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
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub fn add_entries(self, input: &VocabularyInput<'_>, entries: &mut Entries) -> Result<()> {
        match self.add_entries_or_ask(input, entries)? {
            None => Ok(()),
            Some(question) => Err(question.error()),
        }
    }

    /// Adds the entries `tokenizer.*`. If the pre-tokenizer is unknown, the most probable one takes its place, and the result is what the
    /// user is asked.
    pub(crate) fn add_entries_or_ask(
        self,
        input: &VocabularyInput<'_>,
        entries: &mut Entries,
    ) -> Result<Option<PreTokenizerQuestion>> {
        let _session = input.files.session();
        families::add_entries(self, input, entries)
    }

    /// The number of tokens that `tokenizer.model` gives the model. `None` if it has none.
    ///
    /// # Errors
    ///
    /// As [`add_entries`](Self::add_entries).
    pub fn token_count(self, input: &VocabularyInput<'_>) -> Result<Option<u64>> {
        let _session = input.files.session();
        let tokens = sentence_piece::tokens(input, sentence_piece::Variant::Common)?;
        Ok(tokens.map(|tokens| tokens.len() as u64))
    }

    /// What the user is asked about the pre-tokenizer. `None` if it is known, or if the vocabulary needs none.
    ///
    /// # Errors
    ///
    /// As [`add_entries`](Self::add_entries), but not `unknown-pre-tokenizer`.
    pub fn pre_tokenizer_question(self, input: &VocabularyInput<'_>) -> Result<Option<PreTokenizerQuestion>> {
        self.add_entries_or_ask(&VocabularyInput { pre: None, ..*input }, &mut Entries::default())
    }
}
