//! The chat templates of a model.

use alloc::{string::String, vec::Vec};

use serde_json::{Map, Value, json};

use crate::convert::model::entries::{Entries, EntryValue};
use crate::convert::model::files::SmallFiles;
use crate::convert::model::json_members::{member, text_member};
use crate::error::{Error, Result, error};

/// The template of a folder: a text, a list of `{ name, template }`, or null. `tokenizer_config.json`, of which `config` has the
/// members, comes before `chat_template.jinja`, and that before `chat_template.json`.
pub(super) fn of_files(files: &SmallFiles, config: &Map<String, Value>) -> Result<Value> {
    // The reference reads the files of templates even if their text does not count, and ends if they are broken.
    let own = of_own_files(files)?;
    Ok(match config.get("chat_template").cloned().unwrap_or(own) {
        template @ (Value::String(_) | Value::Array(_)) => template,
        _ => Value::Null,
    })
}

fn of_own_files(files: &SmallFiles) -> Result<Value> {
    let Some(text) = files.text("chat_template.jinja")? else {
        let members = files.object("chat_template.json")?.unwrap_or_default();
        return Ok(members.get("chat_template").cloned().unwrap_or_default());
    };
    // Python reads line breaks of all systems as LF.
    let with_lf = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let others = files.templates()?;
    if others.is_empty() {
        return Ok(with_lf(text).into());
    }
    let all = core::iter::once(("default", text)).chain(others);
    Ok(all.map(|(name, text)| json!({ "name": name, "template": with_lf(text) })).collect())
}

/// Adds the entries of a template.
pub(super) fn add_entries(template: &Value, entries: &mut Entries) -> Result<()> {
    const KEY: &str = "tokenizer.chat_template";
    let list = match template {
        Value::String(text) => {
            entries.set(KEY, EntryValue::String(text.as_str().into()));
            return Ok(());
        }
        Value::Array(list) => list,
        _ => return Ok(()),
    };
    let mut default = None;
    let mut names: Vec<Vec<u8>> = Vec::new();
    for choice in list {
        let (true, Value::String(_) | Value::Null) = (choice.is_object(), member(choice, "name")) else {
            return Err(bad_template("is no object with a text as its name"));
        };
        let name = text_member(choice, "name").unwrap_or_default();
        let name: String = name.chars().map(|found| if found.is_ascii_alphanumeric() { found } else { '_' }).collect();
        let text = match member(choice, "template") {
            Value::Null => continue,
            Value::String(text) => text.as_str(),
            _ => return Err(bad_template("is no text")),
        };
        match name.as_str() {
            "" => {}
            "default" => default = Some(text),
            _ => {
                entries.set(format!("{KEY}.{name}"), EntryValue::String(text.into()));
                if !names.iter().any(|other| other == name.as_bytes()) {
                    names.push(name.into_bytes());
                }
            }
        }
    }
    entries.set("tokenizer.chat_templates", EntryValue::Strings(names));
    if let Some(text) = default {
        entries.set(KEY, EntryValue::String(text.into()));
    }
    Ok(())
}

/// The error of a list of templates.
#[cold]
fn bad_template(what: &str) -> Error {
    error!(BadVocabulary: "a chat template in tokenizer_config.json {what}. Correct the member \"chat_template\".")
}
