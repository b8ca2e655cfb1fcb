//! `pooling_type`: how the vectors of the tokens become one.

use alloc::string::String;

use serde_json::Value;

use super::entries::EntryValue;
use super::files::SmallFiles;
use super::json_members::{elements, is_true, text_member};
use super::keys::Keys;
use gguf_format::error::{Result, error};

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

/// Writes `pooling_type`, if `modules.json` names a module for the pooling.
pub(crate) fn pooling_type(keys: &mut Keys<'_>) -> Result<()> {
    let Some(path) = pooling_file(keys.files)? else { return Ok(()) };
    let Some(pooling) = keys.files.json(&path)? else {
        return Err(error!(IncompleteModel:
            "the folder has no file {path}, which {MODULES} names for the pooling: download it with the other files of the \
             model"));
    };
    let is_set = |mode: &&(&str, u32)| pooling.get(mode.0).is_some_and(is_true);
    let name = text_member(&pooling, "pooling_mode").unwrap_or_default();
    let found = MODES.iter().find(is_set).or_else(|| NAMES.iter().find(|(known, _)| *known == name));
    match found {
        Some((_, number)) => keys.put("pooling_type", EntryValue::U32(*number)),
        None => {
            return Err(error!(UnsupportedModel:
                "{path} names no pooling that llama.cpp knows: expected the mean, the first or the last token"));
        }
    }
    Ok(())
}
