//! GLM 4 in the form of 2025 (`Glm4ForCausalLM`).

use super::decoder::{ATTENTION, ENDS};
use super::rope_factors::head_dimension;
use super::row::{DECODER, Family, Rule, name};
use crate::convert::model::config::{ConfigRules, float};
use crate::convert::model::entries::EntryValue;
use crate::convert::model::keys::{BASE, Key, Keys};
use crate::convert::model::vocabulary::Vocabulary;
use crate::error::Result;

const RULES: &[Rule] = &[
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_self_attn_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm"),
    name("layers.#.post_mlp_layernorm", "blk.#.post_ffw_norm"),
    name("layers.#.mlp.gate_up_proj", "blk.#.ffn_up"),
    name("layers.#.mlp.down_proj", "blk.#.ffn_down"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["Glm4ForCausalLM"],
    architecture: "glm4",
    vocabulary: Vocabulary::Glm4,
    config: ConfigRules::Types(&["glm4"]),
    rules: &[ENDS, ATTENTION, RULES],
    keys: &[Key::List(BASE), Key::Call(rope_dimension)],
    ..DECODER
}];

/// `rope.dimension_count`: a part of the size of a head.
fn rope_dimension(keys: &mut Keys<'_>) -> Result<()> {
    let part = match keys.config.rope().get("partial_rotary_factor") {
        Some(part) => float("partial_rotary_factor", part)?,
        None => 0.5,
    };
    let rotated = (f64::from(head_dimension(keys.config)?) * part) as u32;
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    Ok(())
}
