//! Llama 4.

use serde_json::Value;

use super::decoder::{ATTENTION, ENDS, NORMS};
use super::llama::{KEYS, LLAMA};
use super::qwen_vl::{turned, turned_halves};
use super::row::Family;
use super::rule::{Change, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

const RULES: Rules = rules![
    name("layers.#.feed_forward.gate_proj", "blk.#.ffn_gate"),
    name("layers.#.feed_forward.up_proj", "blk.#.ffn_up"),
    name("layers.#.feed_forward.down_proj", "blk.#.ffn_down"),
    name("layers.#.feed_forward.router", "blk.#.ffn_gate_inp"),
    name("layers.#.feed_forward.shared_expert.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.feed_forward.shared_expert.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.feed_forward.shared_expert.down_proj", "blk.#.ffn_down_shexp"),
    whole("layers.#.feed_forward.experts.down_proj", "blk.#.ffn_down_exps.weight").with(Change::Custom(turned)),
    whole("layers.#.feed_forward.experts.gate_up_proj", "").with(Change::Custom(turned_halves)),
];

const LLAMA4: Family = Family {
    architecture: "llama4",
    adjust: swap_sizes,
    vocabulary: Vocabulary::Gpt2,
    rules: &[ENDS, ATTENTION, NORMS, RULES],
    keys: &[
        Key::List(KEYS),
        Key::RequiredUnsigned("interleave_moe_layer_step", &["interleave_moe_layer_step"]),
        Key::RequiredUnsigned("expert_feed_forward_length", &[EXPERTS]),
        Key::Call(no_window),
    ],
    ..LLAMA
};

pub(super) const FAMILIES: &[Family] = &[
    Family { classes: &["Llama4ForCausalLM"], config: ConfigRules::Types(&["llama4_text"]), ..LLAMA4 },
    Family { classes: &["Llama4ForConditionalGeneration"], config: ConfigRules::Text(&["llama4_text"]), ..LLAMA4 },
];

/// A member that the family adds.
const EXPERTS: &str = "intermediate_size_moe";

/// Llama 4 calls the size of the experts `intermediate_size`.
fn swap_sizes(config: &mut Config) -> Result<()> {
    let (experts, dense) = (config.required(&["intermediate_size"])?, config.required(&["intermediate_size_mlp"])?);
    config.set(EXPERTS, experts.into());
    config.set("intermediate_size", dense.into());
    (LLAMA.adjust)(config)
}

/// `attention.sliding_window` is 0 if all blocks see everything.
fn no_window(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    // Without types, the blocks that are not rotated see everything.
    let rotated = config.get("no_rope_layers").and_then(Value::as_array).filter(|list| !list.is_empty());
    let sees_all = match (config.texts("layer_types")?, rotated) {
        (Some(types), _) => types.into_iter().all(|name| name == "full_attention"),
        (None, Some(rotated)) => rotated.iter().all(|is_rotated| is_rotated == 0),
        (None, None) => config.unsigned(&["no_rope_layer_interval"])? == Some(1),
    };
    if sees_all {
        keys.put("attention.sliding_window", EntryValue::U32(0));
    }
    Ok(())
}
