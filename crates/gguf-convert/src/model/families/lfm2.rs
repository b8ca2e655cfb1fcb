//! LFM2.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::QUERY_KEY_NORMS;
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use gguf_format::error::{Result, error};

const EXPERTS: Rules = rules![
    name("layers.#.feed_forward.gate", "blk.#.ffn_gate_inp"),
    whole("layers.#.feed_forward.expert_bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.feed_forward.experts.@.w1", "blk.#.ffn_gate_exps"),
    name("layers.#.feed_forward.experts.@.w2", "blk.#.ffn_down_exps"),
    name("layers.#.feed_forward.experts.@.w3", "blk.#.ffn_up_exps"),
];

const RULES: Rules = rules![
    name("embed_tokens", "token_embd"),
    name("embedding_norm", "token_embd_norm"),
    name("lm_head", "output"),
    name("layers.#.operator_norm", "blk.#.attn_norm"),
    name("layers.#.ffn_norm", "blk.#.ffn_norm"),
    name("layers.#.self_attn.q_proj", "blk.#.attn_q"),
    name("layers.#.self_attn.k_proj", "blk.#.attn_k"),
    name("layers.#.self_attn.v_proj", "blk.#.attn_v"),
    name("layers.#.self_attn.out_proj", "blk.#.attn_output"),
    name("layers.#.self_attn.q_layernorm", "blk.#.attn_q_norm"),
    name("layers.#.self_attn.k_layernorm", "blk.#.attn_k_norm"),
    name("layers.#.conv.conv", "blk.#.shortconv.conv").with(Change::Custom(without_middle)),
    name("layers.#.conv.in_proj", "blk.#.shortconv.in_proj"),
    name("layers.#.conv.out_proj", "blk.#.shortconv.out_proj"),
    name("layers.#.feed_forward.w1", "blk.#.ffn_gate"),
    name("layers.#.feed_forward.w2", "blk.#.ffn_down"),
    name("layers.#.feed_forward.w3", "blk.#.ffn_up"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["Lfm2ForCausalLM", "LFM2ForCausalLM"],
        architecture: "lfm2",
        config: ConfigRules::Types(&["lfm2"]),
        adjust: layer_types,
        rules: &[RULES, QUERY_KEY_NORMS],
        keys: &[
            Key::List(BASE),
            Key::Call(key_value_heads),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("shortconv.l_cache", &["conv_L_cache"]),
            Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["norm_eps"]),
            Key::Call(feed_forward),
        ],
        ..DECODER
    },
    Family {
        classes: &["Lfm2MoeForCausalLM"],
        architecture: "lfm2moe",
        config: ConfigRules::AsItIs(&["lfm2_moe"]),
        rules: &[RULES, QUERY_KEY_NORMS, EXPERTS],
        keys: &[
            Key::List(BASE),
            Key::Call(key_value_heads),
            Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::RequiredUnsigned("leading_dense_block_count", &["num_dense_layers"]),
            Key::FixedUnsigned("expert_gating_func", 2),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("shortconv.l_cache", &["conv_L_cache"]),
        ],
        ..DECODER
    },
];

/// Older configurations list the numbers of the blocks with attention. Without a list, all blocks have it.
fn layer_types(config: &mut Config) -> Result<()> {
    const NAME: &str = "full_attn_idxs";
    if config.get("layer_types").is_some_and(|types| !types.is_null()) {
        return Ok(());
    }
    let attention: Option<Vec<u64>> = match config.get(NAME).filter(|list| !list.is_null()) {
        Some(list) => {
            let numbers = list.as_array().and_then(|list| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>());
            Some(numbers.ok_or_else(|| wrong_type(NAME, list, "a list of whole numbers"))?)
        }
        None => None,
    };
    let blocks = config.block_count()?;
    let has_attention = |block: u32| attention.as_ref().is_none_or(|list| list.contains(&u64::from(block)));
    let kind = |block: u32| if has_attention(block) { "full_attention" } else { "conv" };
    let types: Vec<Value> = (0..blocks).map(|block| kind(block).into()).collect();
    config.set("layer_types", types.into());
    Ok(())
}

/// The convolution has one input for each channel.
fn without_middle(found: &Found<'_>) -> Result<Vec<Piece>> {
    let mut view = found.view.clone();
    if view.axes.len() < 2 {
        return Err(error!(UnsupportedModel: "the reference cannot convert a bias of the convolution"));
    }
    if view.axes.len() == 3 && view.axes[1].length == 1 {
        view.axes.remove(1);
    }
    Ok(vec![found.piece(view)])
}

/// `attention.head_count_kv`: a number for each block, 0 for a convolution.
fn key_value_heads(keys: &mut Keys<'_>) -> Result<()> {
    let types = keys.config.texts("layer_types")?.ok_or_else(|| missing(&["layer_types"]))?;
    if types.len() != keys.config.block_count()? as usize {
        return Err(
            error!(BadJson: "\"layer_types\" in {CONFIG} has {} elements: expected one for each block", types.len()),
        );
    }
    let heads = keys.config.required(&["num_key_value_heads"])? as i32;
    let has_experts = keys.config.get("num_dense_layers").is_some();
    let has_attention = |name: &str| if has_experts { name == "full_attention" } else { name != "conv" };
    let list: Vec<i32> = types.iter().map(|name| if has_attention(name) { heads } else { 0 }).collect();
    keys.put("attention.head_count_kv", EntryValue::I32s(list));
    Ok(())
}

/// `feed_forward_length`, which the class computes from the configuration.
fn feed_forward(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let mut size = u64::from(config.required(&["block_ff_dim", "intermediate_size"])?);
    if config.boolean("block_auto_adjust_ff_dim")?.ok_or_else(|| missing(&["block_auto_adjust_ff_dim"]))? {
        // The reference divides floats.
        size = (2.0 * size as f64 / 3.0) as u64;
        if let Some(factor) = config.float(&["block_ffn_dim_multiplier"])? {
            size = (factor * size as f64) as u64;
        }
        let multiple = u64::from(config.required(&["block_multiple_of"])?).max(1);
        size = size.div_ceil(multiple).saturating_mul(multiple);
    }
    let size =
        u32::try_from(size).map_err(|_| error!(BadJson: "the feed-forward length of {CONFIG} is too large: {size}"))?;
    keys.put("feed_forward_length", EntryValue::U32(size));
    Ok(())
}
