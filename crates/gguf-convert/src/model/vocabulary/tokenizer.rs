//! The tokenizer of a folder, as `AutoTokenizer` of transformers 4.57 loads it: tokens with ids, added tokens, special tokens.

use alloc::{collections::BTreeMap, collections::BTreeSet, rc::Rc, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::added_tokens::{AddedToken, TokenIds, bad_added};
use super::kind::VocabularyInput;
use super::slow_tokenizer;
use super::tokenizer_class::{SPECIAL_MEMBERS, TokenizerClass, class_of_model_type, tokenizer_class};
use super::tokenizer_parts::{self, bad_tokenizer};
use crate::budget::Budget;
use crate::model::files::SmallFiles;
use crate::model::json_members::{elements, member, members, text_member};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::order::set_of;

/// A tokenizer that `tokenizer.json`, or files from which it can be made, describe.
pub(super) struct Tokenizer {
    /// The value of `tokenizer.json`, or of the one that transformers makes from other files.
    pub json: Rc<Value>,
    /// The members of `tokenizer_config.json`.
    pub config: Map<String, Value>,
    pub class: &'static TokenizerClass,
    /// What is made from the tokenizer counts in it.
    pub budget: Rc<Budget>,
    pub ids: TokenIds,
    /// The texts of the special tokens: BOS, EOS, unknown, separator, padding, class and mask. `None` if there is none.
    pub special: [Option<String>; 7],
    /// The texts of all special tokens.
    pub all_special: BTreeSet<String>,
}

/// The bytes that a token counts in a map beside its text.
pub(super) const TOKEN: u64 = 96;

/// A special token as the files name it: a text, or a token with flags.
#[derive(Clone)]
enum Named {
    Text(String),
    Token(AddedToken),
}

impl Named {
    fn of_json(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            value => AddedToken::of_json(value).map(Self::Token),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Token(token) => &token.text,
        }
    }
}

impl Tokenizer {
    /// Loads the tokenizer of a folder.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if the folder has no tokenizer. `unsupported-model` if transformers has a class of its own for it that this
    /// package does not know. `bad-vocabulary` if the files contradict each other.
    pub fn load(input: &VocabularyInput<'_>) -> Result<Self> {
        let files = input.files;
        let mut config = files.object("tokenizer_config.json")?.unwrap_or_default();
        let class = class_of(files, &config)?;
        let json = match files.json("tokenizer.json")? {
            Some(json) => json,
            None => Rc::new(slow_tokenizer::tokenizer_json(class, files, &config)?),
        };
        let budget = files.budget();
        tokenizer_parts::check(&json)?;
        let mut ids = TokenIds::new(model_tokens(&json, &budget)?, budget.clone());
        for token in elements(member(&json, "added_tokens")) {
            ids.add(AddedToken::of_json(token).ok_or_else(|| bad_added("tokenizer.json", "no content"))?)?;
        }
        let listed = listed_tokens(files, &mut config)?;
        let known: BTreeSet<&AddedToken> = set_of(listed.values());
        let by_text = |text: &str| listed.values().find(|token| token.text == text);
        let mut special: [Option<Named>; 7] = [const { None }; 7];
        for ((place, name), default) in special.iter_mut().zip(SPECIAL_MEMBERS).zip(class.defaults) {
            let named = match config.get(name) {
                Some(value) => Named::of_json(value),
                None => Some(default).filter(|text| !text.is_empty()).map(|text| Named::Text(text.into())),
            };
            *place = named.map(|named| by_text(named.text()).cloned().map_or(named, Named::Token));
        }
        let others = elements(config.get("additional_special_tokens").unwrap_or(&Value::Null)).iter();
        let extra = members(config.get("extra_special_tokens").unwrap_or(&Value::Null)).map(|(_, value)| value);
        let others: Vec<Named> = others.chain(extra).filter_map(Named::of_json).collect();
        let all: Vec<Named> = special.iter().flatten().cloned().chain(others).collect();
        let all_special: BTreeSet<String> = set_of(all.iter().map(|named| named.text().into()));
        // Texts that are known already are not added again; tokens with flags replace the known ones.
        for token in listed.values() {
            let is_special = token.is_special || all_special.contains(&token.text);
            ids.add(AddedToken { is_special, ..token.clone() })?;
        }
        for named in &all {
            match named {
                Named::Text(text) if !ids.has_added(text) => ids.add(AddedToken::special(text))?,
                Named::Token(token) if !known.contains(token) => {
                    ids.add(AddedToken { is_special: true, ..token.clone() })?;
                }
                _ => {}
            }
        }
        let special = special.map(|named| named.map(|named| named.text().into()));
        Ok(Self { json, config, class, budget, ids, special, all_special })
    }

    /// The texts of the tokens by their ids. Ids need not follow each other.
    ///
    /// # Errors
    ///
    /// `bad-vocabulary` if two tokens have one id.
    pub fn texts(&self) -> Result<BTreeMap<u64, &str>> {
        self.budget.take(TOKEN * (self.ids.model.len() + self.ids.added.len()) as u64)?;
        let mut texts = BTreeMap::new();
        let added = self.ids.added.iter().map(|(id, token)| (*id, token.text.as_str()));
        let model = self.ids.model.iter().map(|(text, id)| (*id, text.as_str()));
        for (id, text) in model.chain(added) {
            if let Some(other) = texts.insert(id, text).filter(|other| *other != text) {
                return Err(error!(
                    BadVocabulary: "\"{}\" and \"{}\" are both token {id} in tokenizer.json: expected one text for each id. Download \
                                    the file again.",
                    Shown(other.as_bytes()), Shown(text.as_bytes())
                ));
            }
        }
        Ok(texts)
    }

    /// The id of a token that the files must have.
    pub fn required_id(&self, text: &str) -> Result<u64> {
        self.ids.id(text).ok_or_else(|| {
            error!(BadVocabulary: "the vocabulary has no token \"{text}\", which models of this family need. Use the files of one model.")
        })
    }
}

/// The class of the tokenizer, from `tokenizer_config.json`, else from `config.json`.
fn class_of(files: &SmallFiles, config: &Map<String, Value>) -> Result<&'static TokenizerClass> {
    let model = files.json("config.json")?.unwrap_or_default();
    let name = config.get("tokenizer_class").and_then(Value::as_str).or_else(|| text_member(&model, "tokenizer_class"));
    let name = name.or_else(|| class_of_model_type(text_member(&model, "model_type")?));
    let name = name.unwrap_or("(none)");
    tokenizer_class(name).ok_or_else(|| {
        error!(
            UnsupportedModel: "the tokenizer class is {}: expected one that this package knows, such as PreTrainedTokenizerFast. If \
                               tokenizer.json describes the whole tokenizer, set tokenizer_class in tokenizer_config.json to that name.",
            Shown(name.as_bytes())
        )
    })
}

/// The tokens of the model in `tokenizer.json`: an object of texts and ids, or a list of texts and scores.
fn model_tokens(json: &Value, budget: &Budget) -> Result<BTreeMap<String, u64>> {
    let bad = || bad_tokenizer("model.vocab", "texts with ids, or texts with scores");
    let mut ids = BTreeMap::new();
    let mut add = |text: Option<&str>, id: Option<u64>| {
        let (text, id) = text.zip(id).ok_or_else(bad)?;
        budget.take(TOKEN + text.len() as u64)?;
        ids.insert(text.into(), id);
        Ok(())
    };
    match member(member(json, "model"), "vocab") {
        Value::Object(tokens) => tokens.iter().try_for_each(|(text, id)| add(Some(text), id.as_u64())),
        Value::Array(tokens) => {
            (0..).zip(tokens).try_for_each(|(id, token)| add(token.get(0).and_then(Value::as_str), Some(id)))
        }
        _ => Err(bad()),
    }?;
    Ok(ids)
}

/// The tokens that transformers adds after it has loaded `tokenizer.json`, by id: those of `added_tokens_decoder`, else those of the
/// older files, whose special tokens come into `config`.
fn listed_tokens(files: &SmallFiles, config: &mut Map<String, Value>) -> Result<BTreeMap<u64, AddedToken>> {
    let (mut listed, budget) = (BTreeMap::new(), files.budget());
    let token = |token: &Value, file: &str| {
        let text = text_member(token, "content").unwrap_or_default();
        budget.take(TOKEN + text.len() as u64)?;
        AddedToken::of_json(token).ok_or_else(|| bad_added(file, "no content"))
    };
    if let Some(decoder) = config.get("added_tokens_decoder") {
        for (id, value) in members(decoder) {
            let id = id.parse().map_err(|_| bad_added("tokenizer_config.json", "an id that is no number"))?;
            listed.insert(id, token(value, "tokenizer_config.json")?);
        }
        return Ok(listed);
    }
    for (name, value) in members(&files.json("special_tokens_map.json")?.unwrap_or_default()) {
        let merged = match config.get(name) {
            Some(Value::Array(old)) => old.iter().chain(elements(value)).cloned().collect(),
            _ => value.clone(),
        };
        config.insert(name.into(), merged);
    }
    let special = SPECIAL_MEMBERS.iter().filter_map(|name| config.get(*name));
    let others = elements(config.get("additional_special_tokens").unwrap_or(&Value::Null));
    let special: BTreeSet<&str> = set_of(special.chain(others).filter_map(text_of));
    for (text, id) in members(&files.json("added_tokens.json")?.unwrap_or_default()) {
        let id = id.as_u64().ok_or_else(|| bad_added("added_tokens.json", "an id that is no number"))?;
        budget.take(TOKEN + text.len() as u64)?;
        listed.insert(id, AddedToken::of_text(text, special.contains(text)));
    }
    for value in elements(member(&files.json("tokenizer.json")?.unwrap_or_default(), "added_tokens")) {
        let id = member(value, "id").as_u64().ok_or_else(|| bad_added("tokenizer.json", "no id"))?;
        listed.insert(id, token(value, "tokenizer.json")?);
    }
    Ok(listed)
}

/// The text of a special token: a text, or the content of an object.
fn text_of(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| text_member(value, "content"))
}
