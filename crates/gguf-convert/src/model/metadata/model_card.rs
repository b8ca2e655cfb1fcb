//! The model card: what the front matter of `README.md` says about a model.

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value};

use super::fields::Fields;
use super::front_matter::{front_matter, offset_of_line};
use super::model_name::ModelName;
use super::python_text::title_of_name;
use super::yaml;
use crate::model::files::SmallFiles;
use crate::model::json_members::{elements, member};
use gguf_format::error::{Result, error};

/// The members of a card that give the value of a key, in the order in which they count.
const MEMBERS: &[(&str, &[&str])] = &[
    ("general.name", &["name", "model_name"]),
    ("general.author", &["author", "model_author", "model_creator"]),
    ("general.version", &["version", "model_version"]),
    ("general.organization", &["organization", "model_organization"]),
    ("general.description", &["description", "model_description"]),
    ("general.finetune", &["finetune", "model_finetune"]),
    ("general.basename", &["basename", "model_basename", "model_type"]),
    ("general.size_label", &["size_label", "model_size_label"]),
    ("general.source.url", &["url", "model_url"]),
    ("general.source.doi", &["doi", "model_doi"]),
    ("general.source.uuid", &["uuid", "model_uuid"]),
    ("general.source.repo_url", &["repo_url", "model_repo_url"]),
    ("general.license", &["license"]),
    ("general.license.name", &["license_name"]),
    ("general.license.link", &["license_link"]),
];

/// The front matter of `README.md`. `None` if there is none.
pub(super) fn of_files(files: &SmallFiles) -> Result<Option<Value>> {
    let Some(bytes) = files.get("README.md") else { return Ok(None) };
    let text = core::str::from_utf8(bytes).map_err(|cause| {
        error!(BadModelCard: "README.md is not valid UTF-8. Save it as UTF-8.").at(cause.valid_up_to() as u64)
    })?;
    let Some(yaml) = front_matter(text) else { return Ok(None) };
    let card = yaml::parse(&yaml).map_err(|(line, what)| {
        let offset = offset_of_line(text, line);
        error!(
            BadModelCard: "the front matter of README.md cannot be read at offset {offset}: {what}. Correct it, or leave README.md out."
        )
        .at(offset)
    })?;
    Ok(Some(card).filter(Value::is_object))
}

/// Sets what a card says.
pub(super) fn apply(card: &Value, total: i64, fields: &mut Fields) {
    for (key, names) in MEMBERS {
        for name in *names {
            if let Some(value) = card.get(*name) {
                fields.set_missing(key, value.clone());
            }
        }
    }
    fields.base_models = sources(card, ["base_model", "base_models", "base_model_sources"], total);
    fields.datasets = sources(card, ["datasets", "dataset", "dataset_sources"], total);
    fields.tags = texts(card, ["tags", "pipeline_tag"]);
    fields.languages = texts(card, ["languages", "language"]);
}

/// The texts of several members: each is a text or a list. Null if no member has a value.
fn texts(card: &Value, names: [&str; 2]) -> Value {
    let mut all: Option<Vec<Value>> = None;
    for value in names.into_iter().map(|name| member(card, name)).filter(|value| !value.is_null()) {
        let list = all.get_or_insert_default();
        match value {
            Value::String(_) => list.push(value.clone()),
            value => list.extend_from_slice(elements(value)),
        }
    }
    all.map_or(Value::Null, Value::Array)
}

/// The models or data sets that the first of several members names: a text, or a list of texts and objects. Null if the card has
/// none of the members.
fn sources(card: &Value, names: [&str; 3], total: i64) -> Value {
    let Some(value) = names.into_iter().find_map(|name| card.get(name)) else { return Value::Null };
    let list = match value {
        Value::String(_) => core::slice::from_ref(value),
        value => elements(value),
    };
    list.iter().map(|source| described(source, total)).collect()
}

/// What is known about a model or a data set: a name of the Hugging Face Hub, an address, or an object.
fn described(source: &Value, total: i64) -> Value {
    let text = match source {
        Value::String(text) => text.as_str(),
        Value::Object(_) => return source.clone(),
        _ => return Map::new().into(),
    };
    let mut members = Map::new();
    let is_address = ["http://", "https://", "ssh://"].iter().any(|scheme| text.starts_with(scheme));
    let id = if is_address { id_of_address(text) } else { Some(text) };
    if is_address {
        members.insert("repo_url".into(), text.into());
    }
    let Some(id) = id else { return members.into() };
    let name = ModelName::parse(id, total);
    let mut set = |member: &str, text: Option<String>| {
        if let Some(text) = text {
            members.insert(member.into(), text.into());
        }
    };
    set("name", name.name.as_deref().map(title_of_name));
    set("organization", name.organization.as_deref().map(title_of_name));
    set("version", name.version);
    if let (false, Some(organization), Some(name)) = (is_address, name.organization, name.name) {
        set("repo_url", Some(format!("https://huggingface.co/{organization}/{name}")));
    }
    members.into()
}

/// The name of a repository in an address of the Hugging Face Hub.
fn id_of_address(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let id = rest.strip_prefix("huggingface.co/")?;
    let (organization, name) = id.split_once('/')?;
    (!organization.is_empty() && !name.is_empty() && !name.contains('/')).then_some(id)
}
