//! The tokens that are added to the vocabulary of a model: their ids and flags.
//!
//! Source: `add_tokens` in `tokenizers/src/tokenizer/added_vocabulary.rs` of tokenizers 0.22.

use alloc::{collections::BTreeMap, rc::Rc, string::String};

use serde_json::Value;

use crate::budget::Budget;
use crate::model::json_members::{member, text_member};
use gguf_format::error::{Error, Result, error};

/// The bytes that an added token counts beside its text, in two maps.
const TOKEN: u64 = 192;

/// A token that is found in a text before all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AddedToken {
    pub text: String,
    pub is_special: bool,
    /// Whether it is searched in the normalised text.
    pub is_normalized: bool,
    /// Whether it must be a word of its own, and whether white space before and after it belongs to it.
    pub matching: [bool; 3],
}

impl AddedToken {
    /// A token that only its text describes.
    pub fn special(text: &str) -> Self {
        Self { text: text.into(), is_special: true, is_normalized: false, matching: [false; 3] }
    }

    /// A token of `added_tokens.json`, which has no flags.
    pub fn of_text(text: &str, is_special: bool) -> Self {
        Self { is_special, is_normalized: !is_special, ..Self::special(text) }
    }

    /// A token with flags. `None` if the value has no content.
    pub fn of_json(value: &Value) -> Option<Self> {
        let flag = |name| member(value, name).as_bool();
        let is_special = flag("special").unwrap_or(false);
        Some(Self {
            text: text_member(value, "content")?.into(),
            is_special,
            is_normalized: flag("normalized").unwrap_or(!is_special),
            matching: ["single_word", "lstrip", "rstrip"].map(|name| flag(name).unwrap_or(false)),
        })
    }
}

/// The tokens of a model, and those that were added to them.
#[derive(Debug, Default)]
pub(super) struct TokenIds {
    /// The ids of the tokens of the model.
    pub model: BTreeMap<String, u64>,
    /// The ids of the added tokens. They may be tokens of the model, too.
    added_ids: BTreeMap<String, u64>,
    pub added: BTreeMap<u64, AddedToken>,
    /// The number of added tokens that the model does not have.
    new: u64,
    budget: Rc<Budget>,
}

impl TokenIds {
    /// The id of a text: that of the added token before that of the model.
    pub fn id(&self, text: &str) -> Option<u64> {
        self.added_ids.get(text).or_else(|| self.model.get(text)).copied()
    }

    /// Whether a text was added.
    pub fn has_added(&self, text: &str) -> bool {
        self.added_ids.contains_key(text)
    }

    /// The added token with a text, and its id.
    pub fn added_token(&self, text: &str) -> Option<(u64, &AddedToken)> {
        let id = *self.added_ids.get(text)?;
        Some((id, self.added.get(&id)?))
    }

    /// A model with its tokens. Those that are added count in the budget.
    pub fn new(model: BTreeMap<String, u64>, budget: Rc<Budget>) -> Self {
        Self { model, budget, ..Self::default() }
    }

    /// Adds a token. A new text gets the number of the tokens before it as its id, whatever the files say, even if the model has
    /// holes and a token with this id.
    ///
    /// # Errors
    ///
    /// `too-large` if the budget is used up.
    pub fn add(&mut self, token: AddedToken) -> Result<()> {
        if token.text.is_empty() {
            return Ok(());
        }
        self.budget.take(TOKEN + 2 * token.text.len() as u64)?;
        let id = self.id(&token.text).unwrap_or_else(|| {
            self.new += 1;
            self.model.len() as u64 + self.new - 1
        });
        self.added_ids.insert(token.text.clone(), id);
        self.added.insert(id, token);
        Ok(())
    }
}

/// An added token that cannot be read.
#[cold]
pub(super) fn bad_added(file: &str, what: &str) -> Error {
    error!(BadVocabulary: "an added token in {file} has {what}: expected an id and a content. Download the file again.")
}
