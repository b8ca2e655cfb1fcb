//! Decoders that differ from Qwen in a few names and keys.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NORMS, QUERY_KEY_NORMS};
use super::qwen::{EXPERT_KEYS, FUSED_EXPERTS, QWEN_KEYS, ROUTER, SHARED_EXPERT};
use super::row::{DECODER, Family};
use super::rule::name;
use super::rule_text::{Rules, rules};
use crate::model::config::{ConfigRules, missing};
use crate::model::entries::EntryValue;
use crate::model::json_members::{elements, is_true};
use crate::model::keys::{BASE, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

const KORMO_NORMS: Rules = rules![
    name("layers.#.pre_attention_layernorm", "blk.#.attn_norm"),
    name("layers.#.pre_mlp_layernorm", "blk.#.ffn_norm"),
];

const SMALL_THINKER: Rules = rules![
    name("layers.#.block_sparse_moe.primary_router", "blk.#.ffn_gate_inp"),
    name("layers.#.block_sparse_moe.experts.@.down", "blk.#.ffn_down_exps"),
    name("layers.#.block_sparse_moe.experts.@.gate", "blk.#.ffn_gate_exps"),
    name("layers.#.block_sparse_moe.experts.@.up", "blk.#.ffn_up_exps"),
];

/// The rules of a model with experts in every block.
const MOE: &[Rules] = &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, ROUTER, EXPERTS];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["KORMoForCausalLM"],
        architecture: "qwen2",
        config: ConfigRules::AsItIs(&["kormo"]),
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        rules: &[ENDS, ATTENTION, KORMO_NORMS, GATED],
        keys: QWEN_KEYS,
        ..DECODER
    },
    Family {
        classes: &["DotsOCRForCausalLM"],
        architecture: "qwen2",
        config: ConfigRules::AsItIs(&["dots_ocr"]),
        vocabulary: Vocabulary::SentencePieceOrGpt2,
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        keys: QWEN_KEYS,
        ..DECODER
    },
    Family {
        classes: &["RND1"],
        architecture: "rnd1",
        config: ConfigRules::AsItIs(&["rnd1"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, ROUTER, EXPERTS, FUSED_EXPERTS, SHARED_EXPERT],
        keys: &[Key::List(EXPERT_KEYS), Key::FixedBool("attention.causal", false), Key::Call(mask_token)],
        ..DECODER
    },
    Family {
        classes: &["LLaDAMoEModel", "LLaDAMoEModelLM"],
        architecture: "llada-moe",
        config: ConfigRules::AsItIs(&["llada", "llada_moe"]),
        rules: MOE,
        keys: &[
            Key::List(BASE),
            Key::Unsigned("expert_feed_forward_length", &["expert_intermediate_size"]),
            Key::Call(diffusion),
        ],
        ..DECODER
    },
    Family {
        classes: &["MellumForCausalLM"],
        architecture: "mellum",
        config: ConfigRules::AsItIs(&["mellum"]),
        rules: MOE,
        keys: &[
            Key::List(BASE),
            Key::Unsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::Call(windows),
        ],
        ..DECODER
    },
    Family {
        classes: &["SmallThinkerForCausalLM"],
        architecture: "smallthinker",
        config: ConfigRules::AsItIs(&["smallthinker"]),
        rules: &[ENDS, ATTENTION, NORMS, SMALL_THINKER],
        expert_count: &["moe_num_primary_experts"],
        keys: &[
            Key::List(BASE),
            Key::Unsigned("expert_count", &["moe_num_primary_experts"]),
            Key::Unsigned("expert_used_count", &["moe_num_active_primary_experts"]),
            Key::Unsigned("expert_feed_forward_length", &["moe_ffn_hidden_size"]),
            Key::Unsigned("feed_forward_length", &["moe_ffn_hidden_size"]),
            Key::Call(primary_router),
        ],
        ..DECODER
    },
];

fn mask_token(keys: &mut Keys<'_>) -> Result<()> {
    if let Some(id) = keys.config.unsigned(&["mask_token_id"])? {
        keys.entries.set("tokenizer.ggml.mask_token_id", EntryValue::U32(id));
    }
    Ok(())
}

/// The model fills in masked tokens, each of which sees all others.
fn diffusion(keys: &mut Keys<'_>) -> Result<()> {
    keys.entries.set("tokenizer.ggml.mask_token_id", EntryValue::U32(156_895));
    keys.put("attention.causal", EntryValue::Bool(false));
    keys.entries.set("diffusion.shift_logits", EntryValue::Bool(false));
    Ok(())
}

fn windows(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let window = config.unsigned(&["sliding_window"])?;
    let Some(window) =
        window.filter(|_| config.get("use_sliding_window").is_none_or(|uses| uses.is_null() || *uses == true))
    else {
        return Ok(());
    };
    let types = config.texts("layer_types")?.ok_or_else(|| missing(&["layer_types"]))?;
    let windows: Vec<bool> = types.into_iter().map(|name| name == "sliding_attention").collect();
    keys.put("attention.sliding_window", EntryValue::U32(window));
    keys.put("attention.sliding_window_pattern", EntryValue::Bools(windows));
    Ok(())
}

/// How the experts are chosen, and the window, if a block has one.
fn primary_router(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let has_softmax = config.get("moe_primary_router_apply_softmax").is_some_and(is_true);
    keys.put("expert_gating_func", EntryValue::U32(if has_softmax { 1 } else { 2 }));
    let layout = elements(config.get("sliding_window_layout").unwrap_or(&Value::Null));
    let window = config.unsigned(&["sliding_window_size"])?.filter(|window| *window > 0);
    if let Some(window) = window.filter(|_| layout.iter().any(|has_window| *has_window != 0)) {
        keys.put("attention.sliding_window", EntryValue::U32(window));
    }
    Ok(())
}
