//! Brings together what the files and the user say about a model.

use serde_json::Value;

use super::fields::Fields;
use super::input::MetadataInput;
use super::model_card;
use super::model_name::ModelName;
use super::python_text::title_of_name;
use crate::json;
use crate::model::json_members::{members, text_member};
use gguf_format::error::Result;

/// What is known about a model. What comes first here counts: the user, the model card, the configuration, the folder.
pub(super) fn load(input: &MetadataInput<'_>) -> Result<Fields> {
    let total = input.parameters.total;
    let mut fields = Fields::default();
    if let Some(card) = model_card::of_files(input.files)? {
        model_card::apply(&card, total, &mut fields);
    }
    let config = input.files.json("config.json")?.unwrap_or_default();
    // More than one slash: a path on somebody's computer.
    if let Some(id) = text_member(&config, "_name_or_path").filter(|id| id.matches('/').count() <= 1) {
        apply_name(id, total, &mut fields);
    }
    apply_name(input.folder, total, &mut fields);
    apply_sampling(input, &mut fields);
    if let Some(overrides) = input.overrides {
        fields.replace(overrides);
    }
    if let Some(name) = input.model_name {
        fields.set("general.name", name.into());
    }
    fields.set_missing("general.name", input.folder);
    if total > 0 {
        fields.set_missing("general.size_label", input.parameters.label());
    }
    Ok(fields)
}

/// Fills what is missing with the parts of a name.
fn apply_name(id: &str, total: i64, fields: &mut Fields) {
    let name = ModelName::parse(id, total);
    for (key, text) in [
        ("general.name", name.name.map(|text| title_of_name(&text))),
        ("general.organization", name.organization.map(|text| title_of_name(&text))),
        ("general.basename", name.basename),
        ("general.finetune", name.finetune),
        ("general.version", name.version),
        ("general.size_label", name.size_label),
    ] {
        if let Some(text) = text {
            fields.set_missing(key, text);
        }
    }
}

/// Reads `generation_config.json`. A file that is not JSON is left out: there are such models.
fn apply_sampling(input: &MetadataInput<'_>, fields: &mut Fields) {
    const FILE: &str = "generation_config.json";
    let Some(config) = input.files.get(FILE).and_then(|text| json::parse(FILE, text).ok()) else { return };
    let has_penalty = config.get("penalty_repeat").is_some();
    for (name, value) in members(&config) {
        // The only names that differ from their keys.
        let name = match name {
            "temperature" => "temp",
            "repetition_penalty" if !has_penalty => "penalty_repeat",
            "temp" => continue,
            name => name,
        };
        let value: &Value = value;
        fields.set_sampling(name, value);
    }
}
