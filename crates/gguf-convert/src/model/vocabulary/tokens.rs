//! The tokens of a vocabulary, and their entries.

use alloc::{rc::Rc, string::String, vec::Vec};

use crate::budget::Budget;
use crate::model::entries::{Entries, EntryValue};
use gguf_format::error::{Result, error};
use gguf_models::tokenizer::TokenType;

/// The most tokens of a vocabulary: 2,097,152. The largest known vocabulary has 262,400.
const MOST_TOKENS: u64 = 1 << 21;

/// The bytes that a text in a list counts beside its own.
const TEXT: u64 = 48;

/// The score of a place that no token has.
const SCORE_OF_HOLE: f32 = -10_000.0;

/// The score of a token that was added to a vocabulary.
pub(super) const SCORE_OF_ADDED: f32 = -1000.0;

/// The texts, scores and types of all tokens, in the order of their ids.
#[derive(Debug)]
pub(super) struct Tokens {
    pub texts: Vec<Vec<u8>>,
    pub scores: Vec<f32>,
    pub types: Vec<TokenType>,
    budget: Rc<Budget>,
}

impl Tokens {
    /// An empty list of tokens. Tokens that are added later count in the budget.
    pub fn new(budget: Rc<Budget>) -> Self {
        Self { texts: Vec::new(), scores: Vec::new(), types: Vec::new(), budget }
    }

    /// A vocabulary of holes: `[PAD0]`, `[PAD1]` and so on.
    pub fn of_holes(count: u64, budget: Rc<Budget>) -> Result<Self> {
        let mut tokens = Self::new(budget);
        for id in 0..checked_count(count)? {
            tokens.push(hole(id), SCORE_OF_HOLE, TokenType::Unused)?;
        }
        Ok(tokens)
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Adds a token with the next id.
    ///
    /// # Errors
    ///
    /// `too-large` if the budget is used up.
    pub fn push(&mut self, text: impl Into<Vec<u8>> + AsRef<[u8]>, score: f32, token_type: TokenType) -> Result<()> {
        self.budget.take(text.as_ref().len() as u64)?;
        self.budget.push(&mut self.texts, text.into(), TEXT)?;
        self.budget.push(&mut self.scores, score, 8)?;
        self.budget.push(&mut self.types, token_type, 8)
    }

    /// Replaces the token with an id. Returns false if there is none.
    pub fn replace(&mut self, id: u64, text: impl Into<Vec<u8>>, score: f32, token_type: TokenType) -> bool {
        let Some(place) = usize::try_from(id).ok().filter(|place| *place < self.len()) else { return false };
        self.texts[place] = text.into();
        self.scores[place] = score;
        self.types[place] = token_type;
        true
    }

    /// Adds the entries of the tokenizer's model and of its tokens. Byte-level vocabularies have no scores.
    pub fn add_entries(self, model: &str, pre: &str, has_scores: bool, entries: &mut Entries) {
        entries.set("tokenizer.ggml.model", EntryValue::String(model.into()));
        entries.set("tokenizer.ggml.pre", EntryValue::String(pre.into()));
        entries.set("tokenizer.ggml.tokens", EntryValue::Strings(self.texts));
        if has_scores {
            entries.set("tokenizer.ggml.scores", EntryValue::F32s(self.scores));
        }
        let types = self.types.iter().map(|token_type| *token_type as i32).collect();
        entries.set("tokenizer.ggml.token_type", EntryValue::I32s(types));
    }
}

/// The text of a place that no token has.
pub(super) fn hole(id: usize) -> String {
    format!("[PAD{id}]")
}

/// The number of tokens that a file gives, if a vocabulary may have so many.
pub(super) fn checked_count(count: u64) -> Result<usize> {
    usize::try_from(count).ok().filter(|_| count <= MOST_TOKENS).ok_or_else(|| {
        error!(
            LimitExceeded: "the vocabulary has {count} tokens: expected at most {MOST_TOKENS}. Correct vocab_size in config.json."
        )
    })
}

/// Whether an added token controls the model although the files do not call it special, as the converter of llama.cpp decides.
pub(super) fn looks_special(text: &str) -> bool {
    let is_between = |start, end| text.starts_with(start) && text.ends_with(end);
    matches!(text, "<pad>" | "<mask>" | "<2mass>" | "[@BOS@]")
        || is_between("<|", "|>")
        || is_between("<｜", "｜>")
        || is_between("<unused", ">")
}

/// The text of a user-defined token: spaces take the place of their visible form.
pub(super) fn with_spaces(text: &str) -> String {
    text.replace('\u{2581}', " ")
}
