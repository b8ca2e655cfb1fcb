//! Kimi Linear: blocks with linear attention, and blocks with the latent attention of DeepSeek.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, ENDS, GATED, NORMS};
use super::deepseek::split_keys_and_values;
use super::llama::MIXTRAL;
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{ConfigRules, missing, unsigned};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use gguf_format::error::{Result, error};

const RULES: Rules = rules![
    name("layers.#.self_attn.q_conv1d", "blk.#.ssm_conv1d_q").with(Change::Custom(convolution)),
    name("layers.#.self_attn.k_conv1d", "blk.#.ssm_conv1d_k").with(Change::Custom(convolution)),
    name("layers.#.self_attn.v_conv1d", "blk.#.ssm_conv1d_v").with(Change::Custom(convolution)),
    whole("layers.#.self_attn.A_log", "blk.#.ssm_a").with(Change::NegativeExponential),
    whole("layers.#.self_attn.dt_bias", "blk.#.ssm_dt.bias"),
    name("layers.#.self_attn.b_proj", "blk.#.ssm_beta"),
    name("layers.#.self_attn.f_a_proj", "blk.#.ssm_f_a"),
    name("layers.#.self_attn.f_b_proj", "blk.#.ssm_f_b"),
    name("layers.#.self_attn.g_a_proj", "blk.#.ssm_g_a"),
    name("layers.#.self_attn.g_b_proj", "blk.#.ssm_g_b"),
    name("layers.#.self_attn.o_norm", "blk.#.ssm_norm"),
    name("layers.#.self_attn.q_a_proj", "blk.#.attn_q_a"),
    name("layers.#.self_attn.q_b_proj", "blk.#.attn_q_b"),
    name("layers.#.self_attn.q_a_layernorm", "blk.#.attn_q_a_norm"),
    name("layers.#.self_attn.kv_a_proj_with_mqa", "blk.#.attn_kv_a_mqa"),
    name("layers.#.self_attn.kv_a_layernorm", "blk.#.attn_kv_a_norm"),
    name("layers.#.self_attn.kv_b_proj", "").with(Change::Custom(keys_and_values)),
    whole("layers.#.block_sparse_moe.gate.e_score_correction_bias", "blk.#.exp_probs_b.bias"),
    whole("layers.#.block_sparse_moe.gate.e_score_correction.bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.block_sparse_moe.shared_experts.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.block_sparse_moe.shared_experts.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.block_sparse_moe.shared_experts.down_proj", "blk.#.ffn_down_shexp"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["KimiLinearForCausalLM", "KimiLinearModel"],
    architecture: "kimi-linear",
    config: ConfigRules::AsItIs(&["kimi_linear"]),
    rules: &[ENDS, ATTENTION, NORMS, GATED, MIXTRAL, RULES],
    expert_count: &["num_local_experts", "num_experts"],
    keys: &[
        Key::List(BASE),
        Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
        Key::Call(linear_attention),
        Key::Unsigned("attention.q_lora_rank", &["q_lora_rank", "n_lora_q"]),
        Key::RequiredUnsigned("attention.kv_lora_rank", &["kv_lora_rank", "n_lora_kv"]),
        Key::RequiredUnsigned("rope.dimension_count", &["qk_rope_head_dim", "n_rot"]),
        Key::Call(latent_sizes),
        Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
        Key::RequiredUnsigned("expert_shared_count", &["num_shared_experts"]),
        Key::RequiredUnsigned("leading_dense_block_count", &["first_k_dense_replace"]),
        Key::RequiredFloat("expert_weights_scale", &["routed_scaling_factor"]),
    ],
    ..DECODER
}];

/// The convolution of each channel is a matrix of one row.
fn convolution(found: &Found<'_>) -> Result<Vec<Piece>> {
    let piece = found.piece(found.view.clone());
    let shape = match piece.shape[..] {
        [channels, size] | [channels, 1, size] => vec![1, channels, 1, size],
        _ => return Err(error!(BadSafetensors: "its shape is {:?}: expected 2 or 3 dimensions", piece.shape)),
    };
    Ok(vec![Piece { shape, ..piece }])
}

fn keys_and_values(found: &Found<'_>) -> Result<Vec<Piece>> {
    split_keys_and_values(found, &["n_embd_head_v_mla", "v_head_dim"])
}

/// The blocks with full attention have one head of keys, as the latent attention has it. The others have none.
fn linear_attention(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "linear_attn_config";
    const LAYERS: &str = "linear_attn_config.full_attn_layers";
    let config = keys.config;
    let linear = config.get(NAME).ok_or_else(|| missing(&[NAME]))?;
    let full = linear.get("full_attn_layers").and_then(Value::as_array).ok_or_else(|| missing(&[LAYERS]))?;
    let has_attention = |layer: u32| full.iter().any(|other| *other == layer);
    let heads: Vec<i32> = (1..=config.block_count()?).map(|layer| i32::from(has_attention(layer))).collect();
    keys.put("attention.head_count_kv", EntryValue::I32s(heads));
    for (key, member) in [("ssm.conv_kernel", "short_conv_kernel_size"), ("kda.head_dim", "head_dim")] {
        if let Some(size) = linear.get(member).filter(|size| !size.is_null()) {
            keys.put(key, EntryValue::U32(unsigned(member, size)?));
        }
    }
    Ok(())
}

fn latent_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let rank = config.required(&["kv_lora_rank", "n_lora_kv"])?;
    let rotated = config.required(&["qk_rope_head_dim", "n_rot"])?;
    keys.put("attention.key_length", EntryValue::U32(rank.saturating_add(rotated)));
    let other = config.unsigned(&["qk_nope_head_dim"])?.map(|other| other.saturating_add(rotated));
    if let Some(length) = config.unsigned(&["n_embd_head_k_mla"])?.or(other) {
        keys.put("attention.key_length_mla", EntryValue::U32(length));
    }
    let given = config.unsigned(&["n_embd_head_v_mla"])?;
    if let Some(length) = given.map_or_else(|| config.unsigned(&["v_head_dim"]), |given| Ok(Some(given)))? {
        keys.put("attention.value_length_mla", EntryValue::U32(length));
    }
    Ok(())
}
