//! StableLM.

use super::decoder::{ATTENTION, ENDS, GATED, NORMS};
use super::row::{DECODER, Family};
use crate::model::config::{ConfigRules, float, missing};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["StableLmForCausalLM", "StableLMEpochForCausalLM"],
    architecture: "stablelm",
    vocabulary: Vocabulary::Gpt2Json,
    config: ConfigRules::Types(&["stablelm"]),
    rules: &[ENDS, ATTENTION, NORMS, GATED],
    keys: &[
        Key::RequiredUnsigned("context_length", &["max_position_embeddings"]),
        Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
        BLOCK_COUNT,
        Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
        Key::Call(rotated_part),
        Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
        Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads"]),
        Key::Call(parallel_residual),
        Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_eps", "norm_eps"]),
        Key::FileType,
    ],
    ..DECODER
}];

/// `rope.dimension_count`: a part of the size of a head.
fn rotated_part(keys: &mut Keys<'_>) -> Result<()> {
    let part = keys.config.rope().get("partial_rotary_factor").ok_or_else(|| missing(&["partial_rotary_factor"]))?;
    let head = keys.config.required(&["hidden_size"])? / keys.config.heads()?;
    let rotated = (float("partial_rotary_factor", part)? * f64::from(head)) as u32;
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    Ok(())
}

fn parallel_residual(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "use_parallel_residual";
    // Null is false.
    let default = keys.config.get(NAME).is_none();
    let value = keys.config.boolean(NAME)?.unwrap_or(default);
    keys.put("use_parallel_residual", EntryValue::Bool(value));
    Ok(())
}
