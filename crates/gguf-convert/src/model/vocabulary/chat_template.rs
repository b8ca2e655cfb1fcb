//! The chat templates of a model.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use serde_json::{Map, Value};

use crate::budget::Budget;
use crate::model::entries::{Entries, EntryValue};
use crate::model::files::SmallFiles;
use crate::model::json_members::{member, text_member};
use gguf_format::error::{Error, Result, error};

/// The bytes that a named template counts beside its texts.
const NAME: u64 = 256;

/// The template of a folder: a text, a list of `{ name, template }`, or null. `tokenizer_config.json`, of which `config` has the
/// members, comes before `chat_template.jinja`, and that before `chat_template.json`. It is taken out of `config`.
pub(super) fn of_files(files: &SmallFiles, config: &mut Map<String, Value>) -> Result<Value> {
    // The reference reads the files of templates even if their text does not count, and ends if they are broken.
    let own = of_own_files(files)?;
    Ok(match config.remove("chat_template").unwrap_or(own) {
        template @ (Value::String(_) | Value::Array(_)) => template,
        _ => Value::Null,
    })
}

fn of_own_files(files: &SmallFiles) -> Result<Value> {
    let Some(text) = files.text("chat_template.jinja")? else {
        let mut members = files.object("chat_template.json")?.unwrap_or_default();
        return Ok(members.remove("chat_template").unwrap_or_default());
    };
    // Python reads line breaks of all systems as LF.
    let budget = files.budget();
    let with_lf = |text: &str| {
        budget.take(2 * text.len() as u64)?;
        Ok(Value::from(text.replace("\r\n", "\n").replace('\r', "\n")))
    };
    let others = files.templates()?;
    if others.is_empty() {
        return with_lf(text);
    }
    let all = core::iter::once(("default", text)).chain(others);
    let template = |(name, text): (&str, &str)| {
        let members = [("name", name.into()), ("template", with_lf(text)?)];
        Ok(members.into_iter().collect::<Value>())
    };
    all.map(template).collect::<Result<_>>()
}

/// Adds the entries of a template.
pub(super) fn add_entries(template: &Value, entries: &mut Entries, budget: &Budget) -> Result<()> {
    const KEY: &str = "tokenizer.chat_template";
    let list = match template {
        Value::String(text) => {
            budget.take(text.len() as u64)?;
            entries.set(KEY, EntryValue::String(text.as_str().into()));
            return Ok(());
        }
        Value::Array(list) => list,
        _ => return Ok(()),
    };
    let mut default = None;
    let (mut names, mut known) = (Vec::new(), BTreeSet::new());
    for choice in list {
        let (true, Value::String(_) | Value::Null) = (choice.is_object(), member(choice, "name")) else {
            return Err(bad_template("is no object with a text as its name"));
        };
        let name = text_member(choice, "name").unwrap_or_default();
        // The name is in the key, in the list and in the set.
        let length = member(choice, "template").as_str().map_or(0, str::len);
        budget.take(NAME + (4 * name.len() + length) as u64)?;
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
                if known.insert(name.clone()) {
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
