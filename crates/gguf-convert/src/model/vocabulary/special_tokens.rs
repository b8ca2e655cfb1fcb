//! The ids of special tokens, which of them are added to a text, and the flags of the normalisation.

use alloc::{rc::Rc, string::String, vec::Vec};

use serde_json::{Map, Value};

use super::chat_template;
use super::merges;
use super::post_processor;
use super::roles::{Roles, set_in_order};
use crate::budget::Budget;
use crate::model::entries::{Entries, EntryValue};
use crate::model::files::SmallFiles;
use crate::model::json_members::{elements, is_true, member, text_member};
use gguf_format::error::{Result, error};

/// The roles of special tokens that every vocabulary may have.
const ROLES: &[&str] = &["bos", "eos", "unk", "sep", "pad", "cls", "mask"];

/// The keys of the ids that can be written. Other roles have no key.
const ID_KEYS: &[(&str, &str)] = &[
    ("bos", "tokenizer.ggml.bos_token_id"),
    ("eos", "tokenizer.ggml.eos_token_id"),
    ("unk", "tokenizer.ggml.unknown_token_id"),
    ("sep", "tokenizer.ggml.seperator_token_id"),
    ("pad", "tokenizer.ggml.padding_token_id"),
    ("mask", "tokenizer.ggml.mask_token_id"),
    ("eot", "tokenizer.ggml.eot_token_id"),
    ("eom", "tokenizer.ggml.eom_token_id"),
];

/// The keys of the tokens that can be added to a text.
const ADD_KEYS: &[(&str, &str)] = &[
    ("bos", "tokenizer.ggml.add_bos_token"),
    ("eos", "tokenizer.ggml.add_eos_token"),
    ("sep", "tokenizer.ggml.add_sep_token"),
];

/// What the files of a folder say about special tokens. Roles keep the order in which they were found.
pub(super) struct SpecialTokens {
    roles: Roles,
    /// The number of tokens. Ids from it on are left out. `None`: all ids are taken.
    limit: Option<u64>,
    pub ids: Vec<(&'static str, u64)>,
    pub merges: Vec<Vec<u8>>,
    pub template: Value,
    normalizer: Vec<(&'static str, bool)>,
    budget: Rc<Budget>,
}

impl SpecialTokens {
    /// Reads `tokenizer.json`, `tokenizer_config.json`, the templates and `config.json`.
    pub fn read(files: &SmallFiles, has_merges: bool, limit: Option<u64>) -> Result<Self> {
        Self::with_roles(files, has_merges, limit, ROLES)
    }

    /// As [`read`](Self::read), with other roles.
    pub fn with_roles(
        files: &SmallFiles,
        has_merges: bool,
        limit: Option<u64>,
        roles: &[&'static str],
    ) -> Result<Self> {
        let mut special = Self {
            roles: Roles::new(roles),
            limit,
            ids: Vec::new(),
            merges: Vec::new(),
            template: Value::Null,
            normalizer: Vec::new(),
            budget: files.budget(),
        };
        let tokenizer = files.json("tokenizer.json")?.unwrap_or_default();
        let mut config = files.object("tokenizer_config.json")?.unwrap_or_default();
        if has_merges {
            special.merges = merges::of_tokenizer(member(&tokenizer, "model"), &files.budget())?;
        }
        special.read_normalizer(member(&tokenizer, "normalizer"));
        if is_true(&tokenizer) {
            post_processor::read(&tokenizer, &mut config, &mut special.roles);
        }
        if !config.is_empty() {
            special.template = chat_template::of_files(files, &mut config)?;
            special.read_config(&config, elements(member(&tokenizer, "added_tokens")))?;
        }
        special.read_model_config(&files.json("config.json")?.unwrap_or_default())?;
        if has_merges && special.merges.is_empty() {
            special.merges = merges::of_text_file(files)?;
        }
        Ok(special)
    }

    /// Sets the id of a role that has none.
    ///
    /// # Errors
    ///
    /// `bad-vocabulary` if the id is negative or has more than 32 bits.
    pub fn set(&mut self, role: &'static str, id: &Value) -> Result<()> {
        if !id.is_i64() && !id.is_u64() {
            return Ok(());
        }
        let id = id.as_u64().filter(|id| *id <= u64::from(u32::MAX)).ok_or_else(|| {
            error!(BadVocabulary: "the id of the {role} token is {id}: expected an id of the vocabulary. Correct config.json.")
        })?;
        let is_token = self.limit.is_none_or(|limit| id < limit);
        if is_token && !self.ids.iter().any(|(other, _)| *other == role) {
            self.ids.push((role, id));
        }
        Ok(())
    }

    /// Sets the id of a role, even if it has one.
    pub fn replace(&mut self, role: &'static str, id: u64) {
        set_in_order(&mut self.ids, role, id);
    }

    /// Adds the entries: merges, ids, added tokens, templates, normalisation.
    pub fn add_entries(self, entries: &mut Entries) -> Result<()> {
        entries.set("tokenizer.ggml.merges", EntryValue::Strings(self.merges));
        for (role, id) in self.ids {
            if let (Some(key), Ok(id)) = (key_of(ID_KEYS, role), u32::try_from(id)) {
                entries.set(key, EntryValue::U32(id));
            }
        }
        for (role, is_added) in self.roles.adds {
            if let Some(key) = key_of(ADD_KEYS, role) {
                entries.set(key, EntryValue::Bool(is_added));
            }
        }
        chat_template::add_entries(&self.template, entries, &self.budget)?;
        for (flag, value) in self.normalizer {
            entries.set(flag, EntryValue::Bool(value));
        }
        Ok(())
    }

    /// The keys of the normalisation, with their values.
    pub fn normalizer_flags(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.normalizer.iter().copied()
    }

    fn read_normalizer(&mut self, normalizer: &Value) {
        const LOWERCASE: &str = "tokenizer.ggml.normalizer.lowercase";
        const STRIP_ACCENTS: &str = "tokenizer.ggml.normalizer.strip_accents";
        // Lower case is written first, whatever comes first in the file.
        let mut found = [None, None];
        let mut steps = Vec::from([normalizer]);
        while let Some(step) = steps.pop() {
            match text_member(step, "type") {
                Some("Lowercase") => found[0] = Some(true),
                Some("StripAccents") => found[1] = Some(true),
                Some("BertNormalizer") => {
                    for (flag, name) in found.iter_mut().zip(["lowercase", "strip_accents"]) {
                        if let Some(value) = step.get(name) {
                            *flag = value.as_bool();
                        }
                    }
                }
                Some("Sequence") => steps.extend(elements(member(step, "normalizers")).iter().rev()),
                _ => {}
            }
        }
        let flags = [LOWERCASE, STRIP_ACCENTS].into_iter().zip(found);
        self.normalizer = flags.filter_map(|(key, value)| Some((key, value?))).collect();
    }

    /// Reads the texts of special tokens, and which tokens are added. The ids are those of the added tokens of `tokenizer.json`.
    fn read_config(&mut self, config: &Map<String, Value>, added: &[Value]) -> Result<()> {
        for role in self.roles.all.clone() {
            if let Some(Value::Bool(is_added)) = config.get(&format!("add_{role}_token")) {
                // The post-processor is right.
                self.roles.set_adds_if_unknown(role, *is_added);
            }
            let text = match config.get(&format!("{role}_token")) {
                Some(Value::String(text)) => text.as_str(),
                Some(entry @ Value::Object(_)) => match text_member(entry, "content") {
                    Some(text) => text,
                    None => continue,
                },
                _ => continue,
            };
            if let Some(token) = added.iter().find(|token| text_member(token, "content") == Some(text)) {
                self.set(role, member(token, "id"))?;
            }
        }
        Ok(())
    }

    /// Reads the ids of `config.json`. They count only for roles without an id.
    fn read_model_config(&mut self, config: &Value) -> Result<()> {
        for role in self.roles.all.clone() {
            let name = format!("{role}_token_id");
            let id = match member(config, &name) {
                Value::Null => member(member(config, "text_config"), &name),
                id => id,
            };
            self.set(role, id)?;
        }
        Ok(())
    }
}

fn key_of(keys: &'static [(&str, &str)], role: &str) -> Option<&'static str> {
    keys.iter().find(|(other, _)| *other == role).map(|(_, key)| *key)
}
