//! `pooling_type`: how the vectors of the tokens become one.

use alloc::string::String;

use serde_json::Value;

use super::entries::EntryValue;
use super::files::SmallFiles;
use super::json_members::{elements, is_true, text_member};
use super::keys::Keys;
use gguf_format::error::{Error, Result, error};

/// The members of the configuration of the pooling, and the values of llama.cpp.
const MODES: &[(&str, u32)] =
    &[("pooling_mode_mean_tokens", 1), ("pooling_mode_cls_token", 2), ("pooling_mode_lasttoken", 3)];

/// The names of the member `pooling_mode`, and the values of llama.cpp.
const NAMES: &[(&str, u32)] = &[("mean", 1), ("cls", 2), ("lasttoken", 3)];

const MODULES: &str = "modules.json";

/// The path of the configuration of the pooling. `None` if `modules.json` names none.
pub(crate) fn pooling_file(files: &SmallFiles) -> Result<Option<String>> {
    let Some(modules) = files.json(MODULES)? else { return Ok(None) };
    let is_pooling = |module: &&Value| text_member(module, "type").is_some_and(|name| name.ends_with("Pooling"));
    let module = elements(&modules).iter().find(is_pooling);
    Ok(module.map(|module| format!("{}/config.json", text_member(module, "path").unwrap_or_default())))
}

/// Writes `pooling_type`, if a file names the pooling, and the entries of a classifier that pools in its own way.
pub(crate) fn pooling_type(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(number) = pooling(keys)? {
        keys.put("pooling_type", EntryValue::U32(number));
    }
    if let Some(name) = keys.config.text(&["classifier_pooling"])? {
        let number = NAMES[..2].iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
        let number = number.ok_or_else(|| unknown("\"classifier_pooling\" in config.json", "the mean or the first"))?;
        keys.put("classifier.pooling_type", EntryValue::U32(number));
    }
    if let Some(name) = keys.config.text(&["classifier_activation"])? {
        if !["gelu", "silu", "tanh"].contains(&name) {
            return Err(error!(UnsupportedModel:
                "\"classifier_activation\" in config.json is no function that llama.cpp knows: expected gelu, silu or tanh"));
        }
        let name = name.into();
        keys.put("classifier.activation", EntryValue::String(name));
    }
    Ok(())
}

/// The number of the pooling that `modules.json` or `embedding_config.json` names.
fn pooling(keys: &Keys<'_>) -> Result<Option<u32>> {
    const EMBEDDING: &str = "embedding_config.json";
    let Some(path) = pooling_file(keys.files)? else {
        let config = keys.files.json(EMBEDDING)?.unwrap_or_default();
        return match config.get("pooling") {
            None | Some(Value::Null) => Ok(None),
            Some(name) if name == "last_token" => Ok(Some(3)),
            Some(_) => Err(unknown(EMBEDDING, "last_token")),
        };
    };
    let Some(pooling) = keys.files.json(&path)? else {
        return Err(error!(IncompleteModel:
            "the folder has no file {path}, which {MODULES} names for the pooling: download it with the other files of the \
             model"));
    };
    let is_set = |mode: &&(&str, u32)| pooling.get(mode.0).is_some_and(is_true);
    let name = text_member(&pooling, "pooling_mode").unwrap_or_default();
    let found = MODES.iter().find(is_set).or_else(|| NAMES.iter().find(|(known, _)| *known == name));
    match found {
        Some((_, number)) => Ok(Some(*number)),
        None => Err(unknown(&path, "the mean, the first or the last token")),
    }
}

#[cold]
fn unknown(place: &str, expected: &str) -> Error {
    error!(UnsupportedModel: "{place} names no pooling that llama.cpp knows: expected {expected}")
}
