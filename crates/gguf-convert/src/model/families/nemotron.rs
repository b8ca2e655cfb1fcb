//! Nemotron, which is also called Minitron.

use super::decoder::ATTENTION;
use super::row::{DECODER, Family};
use super::rule::{Change, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{ConfigRules, float, missing};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

const RULES: Rules = rules![
    name("embed_tokens", "token_embd"),
    name("norm", "output_norm").with(Change::AddOne),
    name("lm_head", "output"),
    name("layers.#.input_layernorm", "blk.#.attn_norm").with(Change::AddOne),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm").with(Change::AddOne),
    name("layers.#.mlp.up_proj", "blk.#.ffn_up"),
    name("layers.#.mlp.down_proj", "blk.#.ffn_down"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["NemotronForCausalLM"],
    architecture: "nemotron",
    vocabulary: Vocabulary::Nemotron,
    config: ConfigRules::Types(&["nemotron"]),
    rules: &[RULES, ATTENTION],
    keys: &[
        Key::List(BASE),
        Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
        Key::RequiredFloat(
            "attention.layer_norm_epsilon",
            &["layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps"],
        ),
        Key::Call(rope),
    ],
    ..DECODER
}];

/// `rope.dimension_count` and the factor of the positions.
fn rope(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let part = config.rope().get("partial_rotary_factor").ok_or_else(|| missing(&["partial_rotary_factor"]))?;
    let size = f64::from(config.required(&["hidden_size", "n_embd"])?);
    let rotated = (float("partial_rotary_factor", part)? * size) as u32 / config.heads()?;
    let outer = config.float(&["factor"])?.filter(|factor| *factor != 0.0);
    let inner = config.rope().get("factor").filter(|factor| !factor.is_null());
    let factor = match (outer, inner) {
        (Some(factor), _) => Some(factor),
        (None, Some(factor)) => Some(float("factor", factor)?),
        (None, None) => None,
    };
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    let kind = if factor.is_some() { "linear" } else { "none" };
    keys.put("rope.scaling.type", EntryValue::String(kind.into()));
    if let Some(factor) = factor {
        keys.put("rope.scaling.factor", EntryValue::F32(factor as f32));
    }
    Ok(())
}
