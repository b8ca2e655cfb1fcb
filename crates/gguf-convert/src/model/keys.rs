//! The entries of the architecture: which keys are written, from which members of the configuration.
//!
//! The order of the keys, and which members are asked, are facts of the converter of llama.cpp of October 2026 (conversion/base.py).

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::config::{BLOCK_COUNTS, CONFIG, Config, Members, float, missing, unsigned, wrong_type};
use super::entries::{Entries, EntryValue};
use super::files::SmallFiles;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

/// An entry, or some entries. Keys are without the name of the architecture; members are those of the configuration, of which the
/// first that is there counts.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    /// A UINT32. Without the member, no entry is written.
    Unsigned(&'static str, &'static [&'static str]),
    /// A UINT32, or an array of INT32 if the member is a list. Without the member, no entry is written.
    UnsignedOrList(&'static str, &'static [&'static str]),
    /// A UINT32 whose member must be there.
    RequiredUnsigned(&'static str, &'static [&'static str]),
    /// A FLOAT32. Without the member, no entry is written.
    Float(&'static str, &'static [&'static str]),
    /// A FLOAT32 whose member must be there.
    RequiredFloat(&'static str, &'static [&'static str]),
    /// A FLOAT32 that is not written if it is 0.
    NonZeroFloat(&'static str, &'static [&'static str]),
    /// A BOOL. Without the member, no entry is written.
    Bool(&'static str, &'static str),
    /// A BOOL whose member must be there.
    RequiredBool(&'static str, &'static str),
    /// A UINT32 that is always the same.
    FixedUnsigned(&'static str, u32),
    /// A FLOAT32 that is always the same.
    FixedFloat(&'static str, f32),
    /// A BOOL that is always the same.
    FixedBool(&'static str, bool),
    /// A STRING that is always the same.
    FixedText(&'static str, &'static str),
    /// `general.file_type`.
    FileType,
    /// Entries that other code makes.
    Call(fn(&mut Keys<'_>) -> Result<()>),
    /// Other rows.
    List(&'static [Self]),
}

/// The entries that are made.
pub(crate) struct Keys<'a> {
    pub config: &'a Config,
    pub files: &'a SmallFiles,
    pub architecture: &'static str,
    pub file_type: u32,
    pub entries: &'a mut Entries,
    /// The keys whose values come from defaults of the class.
    pub defaulted: Vec<String>,
}

/// The entries of most architectures.
pub(crate) const BASE: &[Key] = &[
    Key::List(BASE_SIZES),
    Key::Call(rope),
    Key::List(BASE_NORMS),
    Key::List(BASE_EXPERTS),
    Key::Call(head_size),
    Key::FileType,
];

pub(crate) const BLOCK_COUNT: Key = Key::RequiredUnsigned("block_count", BLOCK_COUNTS);

/// The sizes of the model.
pub(crate) const BASE_SIZES: &[Key] = &[
    BLOCK_COUNT,
    Key::Unsigned(
        "context_length",
        &["max_position_embeddings", "n_ctx", "n_positions", "max_length", "max_sequence_length", "model_max_length"],
    ),
    Key::Unsigned("embedding_length", &["hidden_size", "n_embd", "dim"]),
    Key::UnsignedOrList(
        "feed_forward_length",
        &["prefix_dense_intermediate_size", "dense_intermediate_size", "intermediate_size", "n_inner", "hidden_dim"],
    ),
    Key::UnsignedOrList("attention.head_count", &["num_attention_heads", "n_head", "n_heads"]),
    Key::UnsignedOrList("attention.head_count_kv", &["num_key_value_heads", "n_kv_heads"]),
    Key::Call(causal),
];

/// The numbers that norms add.
const BASE_NORMS: &[Key] = &[
    Key::Float("attention.layer_norm_rms_epsilon", &["rms_norm_eps", "norm_eps"]),
    Key::Float("attention.layer_norm_epsilon", &["layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"]),
];

const BASE_EXPERTS: &[Key] = &[
    Key::Unsigned("expert_count", &["num_local_experts", "num_experts", "n_routed_experts"]),
    Key::Unsigned("expert_used_count", &["num_experts_per_tok", "num_experts_per_token", "top_k_experts"]),
    Key::Unsigned("expert_group_count", &["n_group"]),
    Key::Unsigned("expert_group_used_count", &["topk_group"]),
    Key::Call(gating),
];

impl Keys<'_> {
    /// Writes the entries of some rows.
    ///
    /// # Errors
    ///
    /// `bad-json` if a member is missing, or has a value that the key cannot have.
    pub fn write(&mut self, keys: &[Key]) -> Result<()> {
        keys.iter().try_for_each(|key| self.write_one(key))
    }

    fn write_one(&mut self, key: &Key) -> Result<()> {
        let config = self.config;
        match *key {
            Key::Unsigned(name, members) => {
                if let Some(value) = config.unsigned(members)? {
                    self.put_from(name, members, EntryValue::U32(value));
                }
            }
            Key::UnsignedOrList(name, members) => match config.find(members) {
                Some((member, value @ Value::Array(list))) => {
                    let number = |value: &Value| value.as_i64().and_then(|number| i32::try_from(number).ok());
                    let numbers: Option<Vec<i32>> = list.iter().map(number).collect();
                    let numbers = numbers.ok_or_else(|| wrong_type(member, value, "whole numbers"))?;
                    self.put_from(name, members, EntryValue::I32s(numbers));
                }
                _ => return self.write_one(&Key::Unsigned(name, members)),
            },
            Key::RequiredUnsigned(name, members) => {
                self.put_from(name, members, EntryValue::U32(config.required(members)?));
            }
            Key::Float(name, members) => {
                if let Some(value) = config.float(members)? {
                    self.put_from(name, members, EntryValue::F32(value as f32));
                }
            }
            Key::RequiredFloat(name, members) => {
                self.put_from(name, members, EntryValue::F32(config.required_float(members)? as f32));
            }
            Key::NonZeroFloat(name, members) => {
                if let Some(value) = config.float(members)?.filter(|value| *value != 0.0) {
                    self.put_from(name, members, EntryValue::F32(value as f32));
                }
            }
            Key::Bool(name, member) => {
                if let Some(value) = config.boolean(member)? {
                    self.put_from(name, &[member], EntryValue::Bool(value));
                }
            }
            Key::RequiredBool(name, member) => {
                let value = config.boolean(member)?.ok_or_else(|| missing(&[member]))?;
                self.put_from(name, &[member], EntryValue::Bool(value));
            }
            Key::FixedUnsigned(name, value) => self.put(name, EntryValue::U32(value)),
            Key::FixedFloat(name, value) => self.put(name, EntryValue::F32(value)),
            Key::FixedBool(name, value) => self.put(name, EntryValue::Bool(value)),
            Key::FixedText(name, text) => self.put(name, EntryValue::String(text.into())),
            Key::FileType => self.entries.set("general.file_type", EntryValue::U32(self.file_type)),
            Key::Call(make) => return make(self),
            Key::List(keys) => return self.write(keys),
        }
        Ok(())
    }

    /// Writes an entry. `key` is without the name of the architecture.
    pub fn put(&mut self, key: &str, value: EntryValue) {
        self.entries.set(format!("{}.{key}", self.architecture), value);
    }

    /// Writes an entry whose value is a member.
    fn put_from(&mut self, key: &str, members: &[&str], value: EntryValue) {
        if self.config.find(members).is_some_and(|(name, _)| self.config.is_defaulted(name)) {
            self.defaulted.push(format!("{}.{key}", self.architecture));
        }
        self.put(key, value);
    }
}

/// `attention.causal`, if the configuration says that it is not.
fn causal(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.boolean("is_causal")? == Some(false) {
        keys.put("attention.causal", EntryValue::Bool(false));
    }
    Ok(())
}

/// `attention.key_length` and `attention.value_length`, from the size of a head.
fn head_size(keys: &mut Keys<'_>) -> Result<()> {
    keys.write(&[
        Key::Unsigned("attention.key_length", &["head_dim"]),
        Key::Unsigned("attention.value_length", &["head_dim"]),
    ])
}

/// `expert_gating_func`.
fn gating(keys: &mut Keys<'_>) -> Result<()> {
    const MEMBERS: &[&str] = &[
        "score_function",
        "scoring_func",
        "score_func",
        "moe_router_activation",
        "moe_router_activation_func",
        "expert_selection_fn",
        "router_score_func",
    ];
    let Some(function) = keys.config.text(MEMBERS)? else { return Ok(()) };
    let number = match function {
        "softmax" => 1,
        "sigmoid" => 2,
        "sqrtsoftplus" => 4,
        other => {
            return Err(error!(UnsupportedModel:
                "the experts are chosen by the function \"{}\", which is unknown: expected softmax, sigmoid or sqrtsoftplus",
                Shown(other.as_bytes())));
        }
    };
    keys.put("expert_gating_func", EntryValue::U32(number));
    Ok(())
}

/// A number of the rotary position embedding that must be there.
fn rope_member<'a>(rope: &'a Members, name: &str) -> Result<&'a Value> {
    rope.get(name).filter(|value| !value.is_null()).ok_or_else(|| missing(&[&format!("rope_scaling.{name}")]))
}

/// The type of the rotary position embedding.
pub(crate) fn rope_type(rope: &Members) -> Result<Option<&str>> {
    match rope.get("rope_type") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name)),
        Some(other) => Err(wrong_type("rope_type", other, "a text")),
    }
}

/// The entries of the rotary position embedding.
fn rope(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let rope = config.full_rope();
    let present = |name: &str| rope.get(name).filter(|value| !value.is_null());
    if let Some(rope_type) = rope_type(rope)? {
        match (rope_type, present("factor")) {
            ("linear", Some(factor)) => {
                keys.put("rope.scaling.type", EntryValue::String("linear".into()));
                keys.put("rope.scaling.factor", EntryValue::F32(float("factor", factor)? as f32));
            }
            ("yarn", Some(factor)) => {
                keys.put("rope.scaling.type", EntryValue::String("yarn".into()));
                keys.put("rope.scaling.factor", EntryValue::F32(float("factor", factor)? as f32));
                let original = rope_member(rope, "original_max_position_embeddings")?;
                keys.put(
                    "rope.scaling.original_context_length",
                    EntryValue::U32(unsigned("original_max_position_embeddings", original)?),
                );
                let attention = if rope.contains_key("attention_factor") { "attention_factor" } else { "attn_factor" };
                for (key, member) in [
                    ("rope.scaling.yarn_ext_factor", "extrapolation_factor"),
                    ("rope.scaling.yarn_attn_factor", attention),
                    ("rope.scaling.yarn_beta_fast", "beta_fast"),
                    ("rope.scaling.yarn_beta_slow", "beta_slow"),
                ] {
                    if let Some(value) = present(member) {
                        keys.put(key, EntryValue::F32(float(member, value)? as f32));
                    }
                }
            }
            ("su" | "longrope", _) => keys.put("rope.scaling.type", EntryValue::String("longrope".into())),
            ("default" | "dynamic" | "proportional", _) => {}
            (name, _) if name.eq_ignore_ascii_case("llama3") => {}
            (name, _) => {
                return Err(error!(UnsupportedModel:
                    "the rotary position embedding in {CONFIG} has the type \"{}\", or no factor: expected default, linear, \
                     yarn, longrope, dynamic or llama3", Shown(name.as_bytes())));
            }
        }
    }
    if let Some(sections) = config.rope().get("mrope_section") {
        keys.put("rope.dimension_sections", EntryValue::I32s(four_sections(sections)?));
    }
    if let Some(base) = present("rope_theta") {
        keys.put("rope.freq_base", EntryValue::F32(float("rope_theta", base)? as f32));
    }
    let sliding = config.rope().get("sliding_attention").and_then(|sliding| sliding.get("rope_theta"));
    if let Some(base) = sliding.filter(|base| !base.is_null()) {
        keys.put("rope.freq_base_swa", EntryValue::F32(float("rope_theta", base)? as f32));
    }
    Ok(())
}

/// The parts of a head that are rotated by time, height and width, and a fourth one, which is 0 if it is missing.
fn four_sections(sections: &Value) -> Result<Vec<i32>> {
    let number = |value: &Value| value.as_i64().and_then(|number| i32::try_from(number).ok());
    let mut list: Vec<i32> = sections
        .as_array()
        .and_then(|sections| sections.iter().map(number).collect())
        .ok_or_else(|| wrong_type("mrope_section", sections, "a list of whole numbers"))?;
    list.resize(4, 0);
    Ok(list)
}
