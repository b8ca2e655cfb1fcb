//! What is known about a model, and the entries that follow from it.

use alloc::{string::String, vec::Vec};

use serde_json::Value;

use crate::model::entries::{Entries, EntryValue};
use crate::model::json_members::{elements, members};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The type of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Float,
}

/// The keys of single values, in the order of their entries.
const KEYS: &[(&str, Kind)] = &[
    ("general.sampling.sequence", Kind::Text),
    ("general.sampling.top_k", Kind::Integer),
    ("general.sampling.top_p", Kind::Float),
    ("general.sampling.min_p", Kind::Float),
    ("general.sampling.xtc_probability", Kind::Float),
    ("general.sampling.xtc_threshold", Kind::Float),
    ("general.sampling.temp", Kind::Float),
    ("general.sampling.penalty_last_n", Kind::Integer),
    ("general.sampling.penalty_repeat", Kind::Float),
    ("general.sampling.mirostat", Kind::Integer),
    ("general.sampling.mirostat_tau", Kind::Float),
    ("general.sampling.mirostat_eta", Kind::Float),
    ("general.name", Kind::Text),
    ("general.author", Kind::Text),
    ("general.version", Kind::Text),
    ("general.organization", Kind::Text),
    ("general.finetune", Kind::Text),
    ("general.basename", Kind::Text),
    ("general.description", Kind::Text),
    ("general.quantized_by", Kind::Text),
    ("general.size_label", Kind::Text),
    (LICENSE, Kind::Text),
    ("general.license.name", Kind::Text),
    ("general.license.link", Kind::Text),
    ("general.url", Kind::Text),
    ("general.doi", Kind::Text),
    ("general.uuid", Kind::Text),
    ("general.repo_url", Kind::Text),
    ("general.source.url", Kind::Text),
    ("general.source.doi", Kind::Text),
    ("general.source.uuid", Kind::Text),
    ("general.source.repo_url", Kind::Text),
];

/// The only key that the user's values do not replace.
const LICENSE: &str = "general.license";

/// The members of a model or of a data set that this model was made from, in the order of their entries.
const SOURCE_MEMBERS: &[&str] =
    &["name", "author", "version", "organization", "description", "url", "doi", "uuid", "repo_url"];

/// The most models or data sets of a list. Each takes several entries of the new file.
const MOST_SOURCES: usize = 10_000;

/// What is known about a model. Null and `None` stand for what is not known.
#[derive(Debug, Default)]
pub(super) struct Fields {
    values: Vec<(&'static str, Value)>,
    /// The models and the data sets that this model was made from: lists of objects.
    pub base_models: Value,
    pub datasets: Value,
    /// Lists of texts.
    pub tags: Value,
    pub languages: Value,
}

impl Fields {
    /// Whether a key has a value.
    pub fn has(&self, key: &str) -> bool {
        self.values.iter().any(|(other, value)| *other == key && !value.is_null())
    }

    /// Sets the value of a key.
    pub fn set(&mut self, key: &'static str, value: Value) {
        match self.values.iter_mut().find(|(other, _)| *other == key) {
            Some((_, old)) => *old = value,
            None => self.values.push((key, value)),
        }
    }

    /// Sets the value of a key that has none.
    pub fn set_missing(&mut self, key: &'static str, value: impl Into<Value>) {
        if !self.has(key) {
            self.set(key, value.into());
        }
    }

    /// Sets a value of the configuration for sampling.
    pub fn set_sampling(&mut self, name: &str, value: &Value) {
        let keys = KEYS.iter().filter_map(|(key, _)| Some((*key, key.strip_prefix("general.sampling.")?)));
        if let Some((key, _)) = { keys }.find(|(_, other)| *other == name) {
            self.set(key, value.clone());
        }
    }

    /// Sets the values that the user has chosen. Null takes a value away.
    pub fn replace(&mut self, overrides: &Value) {
        for (name, value) in members(overrides) {
            match name {
                "general.base_models" => self.base_models = value.clone(),
                "general.datasets" => self.datasets = value.clone(),
                "general.tags" => self.tags = value.clone(),
                "general.languages" => self.languages = value.clone(),
                LICENSE => {}
                name => {
                    if let Some((key, _)) = KEYS.iter().find(|(key, _)| *key == name) {
                        self.set(key, value.clone());
                    }
                }
            }
        }
    }

    /// Adds the entries.
    pub fn add_entries(&self, entries: &mut Entries) -> Result<()> {
        for (key, kind) in KEYS {
            let Some((_, value)) = self.values.iter().find(|(other, value)| other == key && !value.is_null()) else {
                continue;
            };
            entries.set(*key, entry_value(key, *kind, value)?);
        }
        add_sources("general.base_model", &self.base_models, entries)?;
        add_sources("general.dataset", &self.datasets, entries)?;
        for (key, list) in [("general.tags", &self.tags), ("general.languages", &self.languages)] {
            if !list.is_null() && !list.is_array() {
                return Err(wrong(key, list, "a list of texts"));
            }
            let texts = elements(list).iter().map(|text| text.as_str().ok_or_else(|| wrong(key, text, "a text")));
            let texts = texts.map(|text| text.map(|text| text.as_bytes().to_vec()));
            entries.set(key, EntryValue::Strings(texts.collect::<Result<_>>()?));
        }
        Ok(())
    }
}

fn entry_value(key: &str, kind: Kind, value: &Value) -> Result<EntryValue> {
    let flag = value.as_bool().map(i64::from);
    match kind {
        Kind::Text if key == LICENSE && value.is_array() => {
            let texts: Option<Vec<&str>> = elements(value).iter().map(Value::as_str).collect();
            texts
                .map(|texts| EntryValue::String(texts.join(",").into()))
                .ok_or_else(|| wrong(key, value, "a list of texts"))
        }
        Kind::Text => {
            value.as_str().map(|text| EntryValue::String(text.into())).ok_or_else(|| wrong(key, value, "a text"))
        }
        Kind::Integer => {
            let number = flag.or_else(|| value.as_i64()).and_then(|number| i32::try_from(number).ok());
            number.map(EntryValue::I32).ok_or_else(|| wrong(key, value, "an integer of 32 bits"))
        }
        Kind::Float => {
            let number = flag.map(|flag| flag as f64).or_else(|| value.as_f64());
            let number = number.map(|number| number as f32).filter(|number| number.is_finite());
            number.map(EntryValue::F32).ok_or_else(|| wrong(key, value, "a number that fits in FLOAT32"))
        }
    }
}

/// Adds the entries of a list of models or data sets: their number, and the members of each.
fn add_sources(key: &str, list: &Value, entries: &mut Entries) -> Result<()> {
    let Value::Array(sources) = list else {
        return if list.is_null() { Ok(()) } else { Err(wrong(key, list, "a list of objects")) };
    };
    if sources.len() > MOST_SOURCES {
        return Err(error!(
            LimitExceeded: "the model card names {} values of {key}, and {MOST_SOURCES} is the limit. Remove those that the model was not \
                            made from.",
            sources.len()
        ));
    }
    entries.set(format!("{key}.count"), EntryValue::U32(sources.len() as u32));
    for (place, source) in sources.iter().enumerate() {
        for member in SOURCE_MEMBERS {
            let Some(value) = source.get(*member) else { continue };
            let key: String = format!("{key}.{place}.{member}");
            let text = value.as_str().ok_or_else(|| wrong(&key, value, "a text"))?;
            entries.set(key, EntryValue::String(text.into()));
        }
    }
    Ok(())
}

/// The error of a value of another type than its key.
#[cold]
fn wrong(key: &str, value: &Value, expected: &str) -> Error {
    error!(
        BadModelCard: "{key} is {}: expected {expected}. Correct the value in the README.md or generation_config.json of the model, or in \
                       the given metadata.",
        Shown(alloc::string::ToString::to_string(value).as_bytes())
    )
}
