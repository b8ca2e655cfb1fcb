//! The configuration of a model: `config.json`, completed with the defaults of its class.
//!
//! The converter of llama.cpp reads `config.json` through the class of transformers that belongs to its `model_type`. This class
//! gives values to members that are missing. So the same file has other values for another `model_type`, and a missing member is
//! not the same as `null`.

mod class_checks;
mod complete;
mod defaults;
mod rope;

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use crate::model::files::SmallFiles;
use crate::model::next_token_layers::NextTokenLayers;
use class_checks::refused_member;
use complete::complete;
use defaults::defaults_of;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The file with the configuration.
pub(crate) const CONFIG: &str = "config.json";

/// The members with the number of blocks.
pub(crate) const BLOCK_COUNTS: &[&str] = &["n_layers", "num_hidden_layers", "n_layer", "num_layers"];

/// The most blocks of a model: those that llama.cpp loads.
const MOST_BLOCKS: u32 = gguf_models::architectures::MOST_BLOCKS as u32;

/// Members of a configuration.
pub(crate) type Members = Map<String, Value>;

/// How `config.json` is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigRules {
    /// With the defaults of the class for `model_type`. Only these values of `model_type` are accepted.
    Types(&'static [&'static str]),
    /// As `Types`, for a model of several models: `text_config` has the members of the model that is converted.
    Text(&'static [&'static str]),
    /// As `Text`, or as `Types` if there is no `text_config`.
    TextOrFlat(&'static [&'static str]),
    /// As `AsItIs`, for a model of several models.
    TextAsItIs(&'static [&'static str]),
    /// As it is, without defaults: the reference knows no class for these values of `model_type`, and other values are refused. An empty
    /// list accepts every value, because the reference does not ask the class.
    AsItIs(&'static [&'static str]),
}

/// The configuration of a model.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// All members, with defaults.
    members: Value,
    /// The members that come from defaults.
    defaulted: BTreeSet<String>,
    /// The parameters of the rotary position embedding.
    rope: Members,
    /// The name of the class.
    class: String,
    /// What becomes of the layers that predict later tokens.
    next_token_layers: NextTokenLayers,
    /// The number of blocks at the end that predict later tokens.
    next_token_count: u32,
}

/// What is known of a model beside its configuration, when this is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// What becomes of the layers that predict later tokens.
    pub next_token_layers: NextTokenLayers,
    /// How many such layers are stored under names of their own.
    pub stored_next_tokens: u32,
}

/// The name of the class in `config.json`.
///
/// # Errors
///
/// `unsupported-model` if there is none.
pub(crate) fn class_of(config: &Value) -> Result<&str> {
    let first = |config: &'_ Value| config.get("architectures").and_then(|list| list.get(0)).is_some();
    let text = text_of(config).filter(|text| first(text));
    let classes = text.unwrap_or(config).get("architectures");
    classes.and_then(|list| list.get(0)?.as_str()).ok_or_else(|| {
        error!(UnsupportedModel:
            "{CONFIG} does not name the class of the model: expected a member \"architectures\" with a list of texts")
    })
}

/// The members of the model of the text, in a model of several models.
pub(crate) fn text_of(config: &Value) -> Option<&Value> {
    let text = |name: &str| config.get(name).filter(|text| text.is_object());
    let thinker = || text("thinker_config")?.get("text_config").filter(|text| text.is_object());
    // The reference renames them in the opposite order, so that the last one counts.
    let (first, last) = (["lfm", "language_config"], ["lm_config", "llm_config", "text_config"]);
    first.into_iter().find_map(text).or_else(thinker).or_else(|| last.into_iter().find_map(text))
}

/// Parses `config.json`.
///
/// # Errors
///
/// `incomplete-model` if there is no such file, `bad-json` if it is no object.
#[doc(hidden)]
pub fn parse(files: &SmallFiles) -> Result<Rc<Value>> {
    let config = files.json(CONFIG)?.ok_or_else(
        || error!(IncompleteModel: "the folder has no file {CONFIG}: download it with the other files of the model"),
    )?;
    match config.is_object() {
        true => Ok(config),
        false => Err(error!(BadJson: "{CONFIG} is no JSON object; download the file again").at(0)),
    }
}

impl Config {
    /// Completes a configuration.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if the class is combined with an unknown `model_type`. `bad-json` if a member has a value that it
    /// cannot have.
    pub fn new(
        config: &Value,
        rules: ConfigRules,
        wanted: Wanted,
        adjust: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Self> {
        let all = config.as_object().cloned().unwrap_or_default();
        let mut defaulted = BTreeSet::new();
        let text = match rules {
            ConfigRules::Types(_) | ConfigRules::AsItIs(_) => None,
            _ => text_of(config).and_then(Value::as_object),
        };
        if matches!(rules, ConfigRules::Text(_) | ConfigRules::TextAsItIs(_)) && text.is_none() {
            return Err(error!(BadJson: "{CONFIG} has no object \"text_config\"; download the file again"));
        }
        if text.is_some_and(|text| text.contains_key("text_config")) {
            return Err(
                error!(UnsupportedModel: "\"text_config\" in {CONFIG} has a member \"text_config\" of its own"),
            );
        }
        let mut members = text.unwrap_or(&all).clone();
        for name in ["rope_scaling", "rope_parameters"] {
            if let Some(value) = members.get(name).filter(|value| !value.is_null() && !value.is_object()) {
                return Err(wrong_type(name, value, "an object"));
            }
        }
        let model_type = members.get("model_type").and_then(Value::as_str);
        let unknown_type = |types: &[&str]| -> Result<Error> {
            Ok(error!(UnsupportedModel:
                "the class {} cannot be converted with the model_type \"{}\" in {CONFIG}: expected {}",
                Shown(class_of(config)?.as_bytes()), Shown(model_type.unwrap_or_default().as_bytes()), types.join(" or ")))
        };
        if let ConfigRules::AsItIs(types) | ConfigRules::TextAsItIs(types) = rules
            && !types.is_empty()
            && model_type.is_some_and(|found| !types.contains(&found))
        {
            return Err(unknown_type(types)?);
        }
        if let ConfigRules::Types(types) | ConfigRules::Text(types) | ConfigRules::TextOrFlat(types) = rules {
            let known = types.iter().find(|known| Some(**known) == model_type).and_then(|known| defaults_of(known));
            let Some(defaults) = known else {
                return Err(unknown_type(types)?);
            };
            let given = members.clone();
            complete(&mut members, defaults, &mut defaulted)?;
            // Many files do not have this member, which no family needs from a default.
            let missing = defaulted.iter().find(|name| *name != "tie_word_embeddings");
            let refused = missing.and_then(|_| refused_member(defaults.model_type, [&all, &given], &members));
            if let (Some(missing), Some(refused)) = (missing, refused) {
                return Err(error!(UnsupportedModel:
                    "{CONFIG} has no member \"{missing}\", and its default does not count: the class of transformers refuses this file \
                     for its member \"{refused}\"; add the missing members, or remove or correct \"{refused}\""));
            }
        }
        if text.is_some() {
            // Members of the text hide the others, its defaults too.
            let own = core::mem::replace(&mut members, all);
            members.extend(own);
        }
        let class = class_of(config)?.into();
        let mut config = Self {
            members: Value::Object(members),
            defaulted,
            rope: Members::new(),
            class,
            next_token_layers: wanted.next_token_layers,
            next_token_count: wanted.stored_next_tokens,
        };
        adjust(&mut config)?;
        config.rope = rope::parameters(&config.members);
        Ok(config)
    }

    /// The configuration of a part of a model of several models. `members` has the defaults, `given` the members of the file.
    pub fn of_part(members: Members, given: &Members, class: &str) -> Self {
        let defaulted = members.keys().filter(|name| !given.contains_key(*name)).cloned().collect();
        let members = Value::Object(members);
        Self {
            members,
            defaulted,
            rope: Members::new(),
            class: class.into(),
            next_token_layers: NextTokenLayers::Included,
            next_token_count: 0,
        }
    }

    /// The name of the class.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// What becomes of the layers that predict later tokens.
    pub fn next_token_layers(&self) -> NextTokenLayers {
        self.next_token_layers
    }

    /// The number of blocks at the end that predict later tokens. Before the configuration is adjusted, the number of those that are
    /// stored under names of their own.
    pub fn next_token_count(&self) -> u32 {
        self.next_token_count
    }

    /// Adds blocks that predict later tokens.
    ///
    /// # Errors
    ///
    /// `bad-json` if the number of blocks is missing or too large.
    pub fn add_next_token_blocks(&mut self, count: u32) -> Result<()> {
        let name = self.find(BLOCK_COUNTS).map_or(BLOCK_COUNTS[1], |(name, _)| name);
        let blocks = self.block_count()?.saturating_add(count);
        self.set(name, blocks.into());
        self.next_token_count = count;
        self.block_count().map(|_| ())
    }

    /// The number of the first block that predicts later tokens.
    pub fn first_next_token_block(&self) -> Result<u32> {
        Ok(self.block_count()?.saturating_sub(self.next_token_count))
    }

    /// All members, with defaults.
    pub fn members(&self) -> &Value {
        &self.members
    }

    /// Sets a member.
    pub fn set(&mut self, name: &str, value: Value) {
        if let Some(members) = self.members.as_object_mut() {
            members.insert(name.into(), value);
        }
    }

    /// Removes a member.
    pub fn remove(&mut self, name: &str) {
        if let Some(members) = self.members.as_object_mut() {
            members.remove(name);
        }
    }

    /// A member. `None` if it is missing. `null` is a value.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    /// The first of these members that the configuration has, with its name. Its value may be `null`.
    pub fn find<'a>(&self, names: &[&'a str]) -> Option<(&'a str, &Value)> {
        names.iter().find_map(|name| Some((*name, self.get(name)?)))
    }

    /// Whether a member comes from the defaults of the class.
    pub fn is_defaulted(&self, name: &str) -> bool {
        self.defaulted.contains(name)
    }

    /// A whole number: the first of these members that the configuration has. `None` if it has none of them, or if the first is `null`.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is no whole number from 0 to 4294967295.
    pub fn unsigned(&self, names: &[&str]) -> Result<Option<u32>> {
        let Some((name, value)) = self.find(names).filter(|(_, value)| !value.is_null()) else { return Ok(None) };
        unsigned(name, value).map(Some)
    }

    /// A whole number that must be there.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is missing, or as [`unsigned`](Self::unsigned).
    pub fn required(&self, names: &[&str]) -> Result<u32> {
        self.unsigned(names)?.ok_or_else(|| missing(names))
    }

    /// A number.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is no number.
    pub fn float(&self, names: &[&str]) -> Result<Option<f64>> {
        let Some((name, value)) = self.find(names).filter(|(_, value)| !value.is_null()) else { return Ok(None) };
        float(name, value).map(Some)
    }

    /// A number that must be there.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is missing or no number.
    pub fn required_float(&self, names: &[&str]) -> Result<f64> {
        self.float(names)?.ok_or_else(|| missing(names))
    }

    /// A truth value. `None` if it is missing or `null`.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is something else.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>> {
        match self.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(wrong_type(name, other, "true or false")),
        }
    }

    /// A text. `None` if it is missing or `null`.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is something else.
    pub fn text(&self, names: &[&str]) -> Result<Option<&str>> {
        match self.find(names) {
            None | Some((_, Value::Null)) => Ok(None),
            Some((_, Value::String(text))) => Ok(Some(text)),
            Some((name, other)) => Err(wrong_type(name, other, "a text")),
        }
    }

    /// A list of texts. `None` if it is missing or `null`.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is something else.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<&str>>> {
        let Some(value) = self.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let texts = value.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
        texts.map(Some).ok_or_else(|| wrong_type(name, value, "a list of texts"))
    }

    /// The number of blocks. It sizes lists.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is missing, or larger than 512.
    pub fn block_count(&self) -> Result<u32> {
        match self.required(BLOCK_COUNTS)? {
            blocks @ 0..=MOST_BLOCKS => Ok(blocks),
            blocks => Err(error!(BadJson:
                "{CONFIG} says that the model has {blocks} blocks: expected at most {MOST_BLOCKS}, as llama.cpp loads no more; check that \
                 {CONFIG} belongs to the model")),
        }
    }

    /// The number of attention heads.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is missing or 0.
    pub fn heads(&self) -> Result<u32> {
        let names = &["num_attention_heads", "n_head", "n_heads"];
        match self.required(names)? {
            0 => Err(error!(BadJson: "{CONFIG} says that the model has no attention heads: \"{}\" is 0", names[0])),
            heads => Ok(heads),
        }
    }

    /// The parameters of the rotary position embedding.
    pub fn rope(&self) -> &Members {
        &self.rope
    }

    /// The parameters of the rotary position embedding of blocks without a sliding window.
    pub fn full_rope(&self) -> &Members {
        self.rope.get("full_attention").and_then(Value::as_object).unwrap_or(&self.rope)
    }
}

/// Whether transformers has a class for a `model_type` of a text model. `false` if it is not certain.
pub(crate) fn is_known_class(model_type: &str) -> bool {
    defaults_of(model_type).is_some_and(|defaults| defaults.values != "{}")
}

/// The value that the class for a `model_type` gives to a missing member. `None` if it gives none, or if the class is unknown.
///
/// # Errors
///
/// `too-large` if the memory cannot be allocated.
pub(crate) fn class_default(model_type: &str, name: &str) -> Result<Option<Value>> {
    let Some(defaults) = defaults_of(model_type) else { return Ok(None) };
    Ok(crate::json::parse("the defaults", defaults.values.as_bytes())?.get(name).cloned())
}

/// The member because of which the class for the text of a model refuses the file. `None` if it accepts it.
pub(crate) fn refused_by_class(model_type: &str, all: &Members, text: &Members) -> Option<&'static str> {
    refused_member(model_type, [all, text], text)
}

/// A whole number.
pub(crate) fn unsigned(name: &str, value: &Value) -> Result<u32> {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| wrong_type(name, value, "a whole number from 0 to 4294967295"))
}

/// A number.
pub(crate) fn float(name: &str, value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| wrong_type(name, value, "a number"))
}

#[cold]
pub(crate) fn missing(names: &[&str]) -> Error {
    error!(BadJson: "{CONFIG} has no member \"{}\", which the conversion needs; download the file again", names.join("\" or \""))
}

#[cold]
pub(crate) fn wrong_type(name: &str, found: &Value, expected: &str) -> Error {
    let mut found = alloc::string::ToString::to_string(found);
    if let Some((end, _)) = found.char_indices().nth(80) {
        found.truncate(end);
        found.push('…');
    }
    error!(BadJson: "the member \"{name}\" in {CONFIG} is {}: expected {expected}", Shown(found.as_bytes()))
}
