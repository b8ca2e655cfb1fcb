//! GLM 4: `GlmForCausalLM` of 2024, `Glm4ForCausalLM` of 2025, and GLM 4.5 with experts.

use alloc::vec::Vec;

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NEXT_TOKENS, QUERY_KEY_NORMS, SHARED_EXPERTS};
use super::rope_factors::head_dimension;
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules, float};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, BLOCK_COUNT, Key, Keys};
use crate::model::next_tokens::{block_name, counted_blocks, given_count};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

const RULES: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_self_attn_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm"),
    name("layers.#.post_mlp_layernorm", "blk.#.post_ffw_norm"),
    name("layers.#.mlp.gate_up_proj", "blk.#.ffn_up"),
    name("layers.#.mlp.down_proj", "blk.#.ffn_down"),
];

const TURNED: Rules = rules![
    name("layers.#.self_attn.q_proj", "blk.#.attn_q").with(Change::Custom(halves_of_heads)),
    name("layers.#.self_attn.k_proj", "blk.#.attn_k").with(Change::Custom(halves_of_heads)),
];

/// The other projections of the attention.
const STRAIGHT: Rules =
    rules![name("layers.#.self_attn.v_proj", "blk.#.attn_v"), name("layers.#.self_attn.o_proj", "blk.#.attn_output")];

/// GLM 4 of 2024: two norms.
const FIRST: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm"),
    name("layers.#.mlp.gate_up_proj", "blk.#.ffn_up"),
    name("layers.#.mlp.down_proj", "blk.#.ffn_down"),
];

/// The norms of GLM 4.5.
const LATER: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["GlmForCausalLM"],
        architecture: "chatglm",
        vocabulary: Vocabulary::ChatGlm,
        config: ConfigRules::Types(&["glm"]),
        rules: &[ENDS, ATTENTION, FIRST],
        keys: &[
            Key::RequiredUnsigned("context_length", &["seq_length", "hidden_size"]),
            Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
            Key::RequiredUnsigned("feed_forward_length", &["ffn_hidden_size", "intermediate_size"]),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["n_head", "num_attention_heads"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["multi_query_group_num", "num_key_value_heads"]),
            Key::Call(norm_epsilon),
            Key::FileType,
            Key::Call(first_rope),
        ],
        ..DECODER
    },
    Family { classes: &["Glm4ForCausalLM"], config: ConfigRules::Types(&["glm4"]), ..GLM4 },
    Family { classes: &["Glm4vForConditionalGeneration"], config: ConfigRules::Text(&["glm4v_text"]), ..GLM4 },
    Family { classes: &["Glm4MoeForCausalLM"], config: ConfigRules::Types(&["glm4_moe"]), ..GLM4_MOE },
    Family {
        classes: &["Glm4vMoeForConditionalGeneration"],
        config: ConfigRules::Text(&["glm4v_moe_text"]),
        ..GLM4_MOE
    },
    Family {
        classes: &["SolarOpenForCausalLM"],
        vocabulary: Vocabulary::SolarOpen,
        config: ConfigRules::AsItIs(&["solar_open"]),
        splits_next_tokens: false,
        ..GLM4_MOE
    },
];

const GLM4: Family = Family {
    architecture: "glm4",
    vocabulary: Vocabulary::Glm4,
    rules: &[TURNED, ENDS, STRAIGHT, RULES],
    keys: &[Key::List(BASE), Key::Call(rope_dimension)],
    ..DECODER
};

const GLM4_MOE: Family = Family {
    architecture: "glm4moe",
    vocabulary: Vocabulary::Glm4Moe,
    adjust: counted_blocks,
    splits_next_tokens: true,
    rename: block_name,
    rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, LATER, NEXT_TOKENS, GATED, EXPERTS, SHARED_EXPERTS],
    expert_count: &["n_routed_experts"],
    keys: &[
        Key::List(BASE),
        Key::Call(rope_dimension),
        Key::Unsigned("expert_count", &["n_routed_experts"]),
        Key::Unsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
        Key::Unsigned("expert_shared_count", &["n_shared_experts"]),
        Key::Unsigned("leading_dense_block_count", &["first_k_dense_replace"]),
        Key::FixedUnsigned("expert_gating_func", 2),
        Key::Float("expert_weights_scale", &["routed_scaling_factor"]),
        Key::Bool("expert_weights_norm", "norm_topk_prob"),
        Key::Call(given_count),
    ],
    ..DECODER
};

/// The rotated rows of each head, if positions have several parts: llama.cpp then rotates halves, the model rotates neighbours.
fn halves_of_heads(found: &Found<'_>) -> Result<Vec<Piece>> {
    let config = found.config;
    if !config.rope().contains_key("mrope_section") {
        return Ok(vec![found.piece(found.view.clone())]);
    }
    let head = match config.get("head_dim") {
        Some(_) => config.required(&["head_dim"])?,
        None => config.required(&["hidden_size"])? / config.heads()?,
    };
    let rotated = (f64::from(head) * rotated_part(config)?) as u64;
    let (head, rows) = (u64::from(head), found.view.shape().first().copied().unwrap_or(0));
    if head == 0 || !rotated.is_multiple_of(2) || rotated > head || !rows.is_multiple_of(head) {
        return Err(error!(BadSafetensors:
            "its shape is {:?}: expected heads of {head} rows, of which {rotated} are rotated", found.view.shape()));
    }
    let mut views = Vec::new();
    for start in (0..rows).step_by(head as usize) {
        for (first, step, count) in [(0, 2, rotated / 2), (1, 2, rotated / 2), (rotated, 1, head - rotated)] {
            if count > 0 {
                views.push(found.view.clone().sliced(0, start + first, step, count)?);
            }
        }
    }
    Ok(vec![found.joined(views)])
}

/// `attention.layer_norm_rms_epsilon`, which has a default.
fn norm_epsilon(keys: &mut Keys<'_>) -> Result<()> {
    let epsilon = keys.config.float(&["layernorm_epsilon"])?.unwrap_or(1e-5);
    keys.put("attention.layer_norm_rms_epsilon", EntryValue::F32(epsilon as f32));
    Ok(())
}

/// The entries of the rotary position embedding of the first form, which does not read its base.
fn first_rope(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let size = match config.unsigned(&["attention_dim"])? {
        Some(size) => size,
        None => config.required(&["hidden_size"])? / config.heads()?,
    };
    let rotated = (f64::from(size) * rotated_part(config)?) as u32;
    let base = 10_000.0 * config.float(&["rope_ratio"])?.unwrap_or(1.0);
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    keys.entries.set("tokenizer.ggml.add_bos_token", EntryValue::Bool(false));
    keys.put("rope.freq_base", EntryValue::F32(base as f32));
    Ok(())
}

fn rotated_part(config: &Config) -> Result<f64> {
    match config.rope().get("partial_rotary_factor") {
        Some(part) => float("partial_rotary_factor", part),
        None => Ok(0.5),
    }
}

/// `rope.dimension_count`: a part of the size of a head.
fn rope_dimension(keys: &mut Keys<'_>) -> Result<()> {
    let rotated = (f64::from(head_dimension(keys.config)?) * rotated_part(keys.config)?) as u32;
    keys.put("rope.dimension_count", EntryValue::U32(rotated));
    Ok(())
}
