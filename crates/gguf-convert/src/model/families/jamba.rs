//! Jamba: blocks with Mamba and blocks with attention.

use alloc::string::String;
use alloc::vec::Vec;

use super::decoder::ATTENTION;
use super::row::{DECODER, Family};
use super::rule::{Change, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

const RULES: Rules = rules![
    name("embed_tokens", "token_embd"),
    name("final_layernorm", "output_norm"),
    name("lm_head", "output"),
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.pre_ff_layernorm", "blk.#.ffn_norm"),
    name("layers.#.pre_moe_layernorm", "blk.#.ffn_norm"),
    name("layers.#.feed_forward.gate_proj", "blk.#.ffn_gate"),
    name("layers.#.feed_forward.up_proj", "blk.#.ffn_up"),
    name("layers.#.feed_forward.down_proj", "blk.#.ffn_down"),
    name("layers.#.feed_forward.router", "blk.#.ffn_gate_inp"),
    name("layers.#.feed_forward.experts.@.down_proj", "blk.#.ffn_down_exps"),
    name("layers.#.feed_forward.experts.@.gate_proj", "blk.#.ffn_gate_exps"),
    name("layers.#.feed_forward.experts.@.up_proj", "blk.#.ffn_up_exps"),
    name("layers.#.mamba.in_proj", "blk.#.ssm_in"),
    name("layers.#.mamba.conv1d", "blk.#.ssm_conv1d").with(Change::Squeeze),
    name("layers.#.mamba.x_proj", "blk.#.ssm_x"),
    name("layers.#.mamba.dt_proj", "blk.#.ssm_dt"),
    name("layers.#.mamba.dt_layernorm", "blk.#.ssm_dt_norm"),
    name("layers.#.mamba.b_layernorm", "blk.#.ssm_b_norm"),
    name("layers.#.mamba.B_layernorm", "blk.#.ssm_b_norm"),
    name("layers.#.mamba.c_layernorm", "blk.#.ssm_c_norm"),
    name("layers.#.mamba.C_layernorm", "blk.#.ssm_c_norm"),
    whole("layers.#.mamba.A_log", "blk.#.ssm_a").with(Change::NegativeExponential),
    whole("layers.#.mamba.D", "blk.#.ssm_d"),
    name("layers.#.mamba.out_proj", "blk.#.ssm_out"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["JambaForCausalLM"],
    architecture: "jamba",
    config: ConfigRules::Types(&["jamba"]),
    rename: feed_forward_name,
    vocabulary: Vocabulary::Jamba,
    rules: &[RULES, ATTENTION],
    expert_count: &["num_local_experts", "num_experts"],
    keys: &[
        BLOCK_COUNT,
        Key::RequiredUnsigned("context_length", &["max_position_embeddings", "n_ctx"]),
        Key::RequiredUnsigned("embedding_length", &["hidden_size", "mamba_d_model"]),
        Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
        Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
        Key::Call(key_value_heads),
        Key::Call(state_sizes),
        Key::RequiredUnsigned("expert_count", &["num_local_experts", "num_experts"]),
        Key::RequiredUnsigned("expert_used_count", &["num_experts_per_tok", "num_experts_per_token"]),
        Key::FileType,
    ],
    ..DECODER
}];

/// The name without `model.`. A block without a choice of experts may have one expert.
fn feed_forward_name(config: &Config, name: &str) -> Option<String> {
    let name = name.strip_prefix("model.").unwrap_or(name).replace(".moe.", ".feed_forward.");
    let block = name.strip_prefix("layers.").and_then(|rest| rest.split_once('.')?.0.parse::<u32>().ok());
    let Some(block) = block else { return Some(name) };
    let number = |member: &str| config.unsigned(&[member]).ok().flatten();
    let (offset, period) = (number("expert_layer_offset")?, number("expert_layer_period")?);
    let has_experts = block >= offset && period > 0 && (block - offset).is_multiple_of(period);
    Some(if has_experts { name } else { name.replace(".experts.0.", ".") })
}

/// `attention.head_count_kv`: 0 for blocks without attention.
fn key_value_heads(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let heads = config.required(&["num_key_value_heads"])? as i32;
    let (offset, period) = (config.required(&["attn_layer_offset"])?, config.required(&["attn_layer_period"])?.max(1));
    let has_attention = |block: u32| block >= offset && (block - offset).is_multiple_of(period);
    let list: Vec<i32> = (0..config.block_count()?).map(|block| if has_attention(block) { heads } else { 0 }).collect();
    keys.put("attention.head_count_kv", EntryValue::I32s(list));
    Ok(())
}

fn state_sizes(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    // 0 counts as missing.
    let size = |name: &str, default: u32| {
        config.unsigned(&[name]).map(|size| size.filter(|size| *size != 0).unwrap_or(default))
    };
    let model = config.required(&["hidden_size", "mamba_d_model"])?;
    // The rank may also be "auto".
    let rank = match config.get("mamba_dt_rank").and_then(|rank| rank.as_str()) {
        Some("auto") => model.div_ceil(16),
        _ => size("mamba_dt_rank", model.div_ceil(16))?,
    };
    let epsilon = config.float(&["layer_norm_epsilon", "rms_norm_eps"])?.filter(|epsilon| *epsilon != 0.0);
    for (key, value) in [
        ("ssm.conv_kernel", EntryValue::U32(size("mamba_d_conv", 4)?)),
        ("ssm.inner_size", EntryValue::U32(config.required(&["mamba_expand"])?.saturating_mul(model))),
        ("ssm.state_size", EntryValue::U32(size("mamba_d_state", 16)?)),
        ("ssm.time_step_rank", EntryValue::U32(rank)),
        ("attention.layer_norm_rms_epsilon", EntryValue::F32(epsilon.unwrap_or(1e-6) as f32)),
    ] {
        keys.put(key, value);
    }
    Ok(())
}
