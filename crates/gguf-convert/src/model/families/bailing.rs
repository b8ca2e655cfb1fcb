//! Bailing, also called Ling: experts, and one tensor for queries, keys and values.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{EXPERTS, GATED, NEXT_TOKENS, NORMS};
use super::llama::rope_dimension;
use super::rope_factors::head_dimension;
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, float};
use crate::model::entries::EntryValue;
use crate::model::json_members::is_true;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::next_tokens::{counted_blocks, given_count};
use gguf_format::error::{Result, error};

const RULES: Rules = rules![
    name("word_embeddings", "token_embd"),
    name("norm", "output_norm"),
    name("lm_head", "output"),
    name("layers.#.attention.dense", "blk.#.attn_output"),
    name("layers.#.mlp.gate", "blk.#.ffn_gate_inp"),
    name("layers.#.mlp.shared_experts.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.mlp.shared_experts.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mlp.shared_experts.down_proj", "blk.#.ffn_down_shexp"),
];

const SEPARATED: Rules =
    rules![whole("layers.#.attention.query_key_value.weight", "").with(Change::Custom(separate_projections))];

const TOGETHER: Rules = rules![
    name("layers.#.attention.query_key_value", "blk.#.attn_qkv"),
    name("layers.#.attention.query_layernorm", "blk.#.attn_q_norm"),
    name("layers.#.attention.key_layernorm", "blk.#.attn_k_norm"),
    whole("layers.#.mlp.gate.expert_bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.final_layernorm", "blk.#.layer_output_norm"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["BailingMoeForCausalLM"],
        architecture: "bailingmoe",
        config: ConfigRules::AsItIs(&["bailing_moe"]),
        adjust: refuse_normed_output,
        rules: &[RULES, NORMS, EXPERTS, SEPARATED],
        keys: &[
            Key::List(BASE),
            Key::Call(rope_dimension),
            Key::RequiredUnsigned("leading_dense_block_count", &["first_k_dense_replace"]),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::FixedFloat("expert_weights_scale", 1.0),
            Key::RequiredUnsigned("expert_shared_count", &["num_shared_experts"]),
            Key::RequiredBool("expert_weights_norm", "norm_topk_prob"),
        ],
        ..DECODER
    },
    Family {
        classes: &["BailingMoeV2ForCausalLM"],
        architecture: "bailingmoe2",
        config: ConfigRules::AsItIs(&["bailing_moe_v2"]),
        adjust: counted_blocks,
        rules: &[RULES, NORMS, GATED, EXPERTS, TOGETHER, NEXT_TOKENS],
        keys: &[
            Key::List(BASE),
            Key::Call(rotated_part),
            Key::RequiredUnsigned("leading_dense_block_count", &["first_k_dense_replace"]),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::Call(shared_length),
            Key::RequiredFloat("expert_weights_scale", &["routed_scaling_factor"]),
            Key::RequiredUnsigned("expert_shared_count", &["num_shared_experts"]),
            Key::RequiredBool("expert_weights_norm", "norm_topk_prob"),
            Key::Call(given_count),
        ],
        ..DECODER
    },
];

/// The reference divides the columns of the output by their length, whose rounding depends on the processor.
fn refuse_normed_output(config: &mut Config) -> Result<()> {
    match config.get("norm_head").is_some_and(is_true) {
        true => Err(error!(UnsupportedModel: "\"norm_head\" in {CONFIG} is true, which is not supported")),
        false => Ok(()),
    }
}

/// The rows of queries, keys and values, of which the first two are interleaved.
fn separate_projections(found: &Found<'_>) -> Result<Vec<Piece>> {
    let config = found.config;
    let (heads, groups) = (u64::from(config.heads()?), u64::from(config.required(&["num_key_value_heads"])?));
    let head = u64::from(head_dimension(config)?);
    let view = found.view.clone().with_rank(2)?;
    let [rows, columns] = [view.axes[0].length, view.axes[1].length];
    if rows != (heads + 2 * groups) * head {
        return Err(error!(BadSafetensors:
            "its shape is {:?}: expected {heads} heads of queries, {groups} of keys and of values, of {head} rows each", view.shape()));
    }
    let part = |target: &str, start: u64, count: u64, is_rotated: bool| -> Result<Piece> {
        let mut part = view.clone().sliced(0, start * head, 1, count * head)?;
        if is_rotated {
            part = part.divided(0, &[Some(count), Some(2), None])?.swapped(1, 2)?;
        }
        Ok(Piece { shape: vec![count * head, columns], ..found.piece_named(target, part) })
    };
    Ok(vec![
        part("blk.#.attn_q.weight", 0, heads, true)?,
        part("blk.#.attn_k.weight", heads, groups, true)?,
        part("blk.#.attn_v.weight", heads + groups, groups, false)?,
    ])
}

fn rotated_part(keys: &mut Keys<'_>) -> Result<()> {
    let part = match keys.config.rope().get("partial_rotary_factor").filter(|part| **part != Value::Null) {
        Some(part) => float("partial_rotary_factor", part)?,
        None => 0.5,
    };
    let rotated = (f64::from(head_dimension(keys.config)?) * part) as u32;
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    Ok(())
}

fn shared_length(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let length = match config.get("moe_shared_expert_intermediate_size") {
        Some(_) => config.required(&["moe_shared_expert_intermediate_size"])?,
        None => {
            let experts = config.required(&["num_shared_experts"])?;
            config.required(&["moe_intermediate_size"])?.saturating_mul(experts)
        }
    };
    keys.put("expert_shared_feed_forward_length", EntryValue::U32(length));
    Ok(())
}
