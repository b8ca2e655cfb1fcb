//! DeepSeek V2 and V3.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{EXPERTS, GATED, NORMS, SHARED_EXPERTS};
use super::row::{Change, DECODER, Family, Found, Piece, Rule, name};
use super::tied::untied;
use crate::model::config::{ConfigRules, float};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use gguf_format::error::Result;

const ENDS: &[Rule] = &[
    name("embed_tokens", "token_embd"),
    name("norm", "output_norm"),
    name("lm_head", "output").with(Change::Custom(untied)),
];

const RULES: &[Rule] = &[
    name("layers.#.self_attn.q_proj", "blk.#.attn_q"),
    name("layers.#.self_attn.q_a_proj", "blk.#.attn_q_a"),
    name("layers.#.self_attn.q_a_layernorm", "blk.#.attn_q_a_norm"),
    name("layers.#.self_attn.q_b_proj", "blk.#.attn_q_b"),
    name("layers.#.self_attn.kv_a_proj_with_mqa", "blk.#.attn_kv_a_mqa"),
    name("layers.#.self_attn.kv_a_layernorm", "blk.#.attn_kv_a_norm"),
    name("layers.#.self_attn.kv_b_proj", "").with(Change::Custom(keys_and_values)),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM"],
    architecture: "deepseek2",
    config: ConfigRules::Types(&["deepseek_v2", "deepseek_v3"]),
    rules: &[ENDS, NORMS, GATED, EXPERTS, SHARED_EXPERTS, RULES],
    // The blocks of the prediction of several tokens.
    drops_later_blocks: true,
    keys: &[
        Key::List(BASE),
        // The latent attention is an attention with one head of keys.
        Key::FixedUnsigned("attention.head_count_kv", 1),
        Key::Call(dense_blocks),
        Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
        Key::Unsigned("attention.q_lora_rank", &["q_lora_rank"]),
        Key::Call(latent_sizes),
        Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size", "intermediate_size"]),
        Key::Unsigned("expert_count", &["n_routed_experts"]),
        Key::Call(shared_experts),
        Key::Float("expert_weights_scale", &["routed_scaling_factor"]),
        Key::Call(norm_weights),
        Key::RequiredUnsigned("rope.dimension_count", &["qk_rope_head_dim"]),
        Key::Call(yarn_logarithm),
    ],
    ..DECODER
}];

/// The matrix that makes keys and values is two tensors. That of the keys is transposed in each head.
fn keys_and_values(found: &Found<'_>) -> Result<Vec<Piece>> {
    let config = found.config;
    let heads = u64::from(config.required(&["num_key_value_heads"])?);
    let key = u64::from(config.required(&["qk_nope_head_dim"])?);
    let value = u64::from(config.required(&["v_head_dim"])?);
    let view = found.view.clone().with_rank(2)?.divided(0, &[Some(heads), Some(key + value)])?;
    let keys = view.clone().sliced(1, 0, 1, key)?.swapped(1, 2)?;
    let values = view.sliced(1, key, 1, value)?;
    Ok(vec![found.piece_named("blk.#.attn_k_b", keys), found.piece_named("blk.#.attn_v_b", values)])
}

/// `leading_dense_block_count`: the blocks before those with experts.
fn dense_blocks(keys: &mut Keys<'_>) -> Result<()> {
    let count = match keys.config.unsigned(&["first_k_dense_replace"])? {
        Some(count) => count,
        None if keys.config.unsigned(&["n_routed_experts"])?.is_some() => 0,
        None => keys.config.required(&["num_hidden_layers"])?,
    };
    keys.put("leading_dense_block_count", EntryValue::U32(count));
    Ok(())
}

fn latent_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let size = |name: &str| config.required(&[name]);
    let rank = if config.get("kv_lora_rank").is_some() { size("kv_lora_rank")? } else { 512 };
    let (rotated, other) = (size("qk_rope_head_dim")?, size("qk_nope_head_dim")?);
    for (key, value) in [
        ("attention.kv_lora_rank", rank),
        ("attention.key_length", rank.saturating_add(rotated)),
        ("attention.value_length", rank),
        ("attention.key_length_mla", other.saturating_add(rotated)),
        ("attention.value_length_mla", size("v_head_dim")?),
    ] {
        keys.put(key, EntryValue::U32(value));
    }
    Ok(())
}

fn shared_experts(keys: &mut Keys<'_>) -> Result<()> {
    let count =
        if keys.config.get("n_shared_experts").is_some() { keys.config.required(&["n_shared_experts"])? } else { 0 };
    keys.put("expert_shared_count", EntryValue::U32(count));
    Ok(())
}

fn norm_weights(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.boolean("norm_topk_prob")? == Some(true) {
        keys.put("expert_weights_norm", EntryValue::Bool(true));
    }
    Ok(())
}

/// `rope.scaling.yarn_log_multiplier`.
fn yarn_logarithm(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(scale) = keys.config.rope().get("mscale_all_dim").filter(|scale| **scale != Value::Null) {
        let scale = float("mscale_all_dim", scale)?;
        keys.put("rope.scaling.yarn_log_multiplier", EntryValue::F32((0.1 * scale) as f32));
    }
    Ok(())
}
