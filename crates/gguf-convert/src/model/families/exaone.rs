//! EXAONE 3 and 4.

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NEXT_TOKENS, NORMS, QUERY_KEY_NORMS, SHARED_EXPERTS};
use super::gpt::without_transformer;
use super::rope_factors::llama3;
use super::row::{DECODER, Family};
use super::rule::{name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, float, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::next_tokens::mtp_name;
use crate::model::windows::{Pattern, sliding_windows};
use gguf_format::error::{Result, error};

/// The norms after the attention and after the feed-forward network.
const LATE_NORMS: Rules = rules![
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"),
];

const CORRECTION: Rules = rules![whole("layers.#.mlp.e_score_correction_bias", "blk.#.exp_probs_b.bias")];

const EXAONE3: Rules = rules![
    name("wte", "token_embd"),
    name("ln_f", "output_norm"),
    name("lm_head", "output"),
    name("h.#.ln_1", "blk.#.attn_norm"),
    name("h.#.ln_2", "blk.#.ffn_norm"),
    name("h.#.attn.attention.q_proj", "blk.#.attn_q"),
    name("h.#.attn.attention.k_proj", "blk.#.attn_k"),
    name("h.#.attn.attention.v_proj", "blk.#.attn_v"),
    name("h.#.attn.attention.out_proj", "blk.#.attn_output"),
    name("h.#.mlp.c_fc_0", "blk.#.ffn_gate"),
    name("h.#.mlp.c_fc_1", "blk.#.ffn_up"),
    name("h.#.mlp.c_proj", "blk.#.ffn_down"),
];

pub(super) const FAMILIES: &[Family] = &[EXAONE_3, EXAONE_4, EXAONE_MOE];

const EXAONE_3: Family = Family {
    classes: &["ExaoneForCausalLM"],
    architecture: "exaone",
    // transformers does not have the class.
    config: ConfigRules::AsItIs(&["exaone"]),
    adjust: check_activation,
    rename: without_transformer,
    rules: &[EXAONE3],
    generated: |config| llama3(config, 8.0),
    keys: &[Key::List(BASE), Key::Call(rotated_part)],
    ..DECODER
};

const EXAONE_4: Family = Family {
    classes: &["Exaone4ForCausalLM"],
    architecture: "exaone4",
    config: ConfigRules::Types(&["exaone4"]),
    rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, LATE_NORMS, GATED],
    generated: |config| llama3(config, 16.0),
    keys: &[
        Key::List(BASE),
        Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
        Key::Call(|keys| sliding_windows(keys, Pattern::Member)),
    ],
    ..DECODER
};

const EXAONE_MOE: Family = Family {
    classes: &["ExaoneMoEForCausalLM", "ExaoneMoeForCausalLM"],
    architecture: "exaone-moe",
    config: ConfigRules::AsItIs(&["exaone_moe"]),
    adjust: one_next_block,
    rename: mtp_name,
    rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED, EXPERTS, SHARED_EXPERTS, CORRECTION, NEXT_TOKENS],
    generated: |config| llama3(config, 16.0),
    keys: &[
        Key::List(EXAONE_4.keys),
        Key::RequiredUnsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
        Key::RequiredUnsigned("expert_shared_count", &["num_shared_experts"]),
        Key::Call(expert_keys),
    ],
    ..DECODER
};

/// The reference repeats the tensors of the head for every block that predicts later tokens: one is known.
fn one_next_block(config: &mut Config) -> Result<()> {
    let count = config.unsigned(&["num_nextn_predict_layers"])?.unwrap_or(0);
    if count > 1 || config.get("sliding_window").is_some() && config.get("layer_types").is_none() {
        return Err(error!(UnsupportedModel:
            "{CONFIG} has {count} layers that predict later tokens, or no \"layer_types\": expected at most one, and the types"));
    }
    config.add_next_token_blocks(count)
}

fn expert_keys(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let shared = config.required(&["num_shared_experts"])?;
    let length = config.required(&["moe_intermediate_size"])?.saturating_mul(shared);
    let dense = match config.find(&["first_k_dense_replace", "first_last_k_dense_replace"]) {
        Some((name, _)) => config.required(&[name])?,
        None => 0,
    };
    let scale = config.required_float(&["routed_scaling_factor"])?;
    keys.put("expert_shared_feed_forward_length", EntryValue::U32(length));
    keys.put("expert_weights_scale", EntryValue::F32(scale as f32));
    keys.write(&[Key::RequiredBool("expert_weights_norm", "norm_topk_prob")])?;
    keys.put("leading_dense_block_count", EntryValue::U32(dense));
    keys.put("nextn_predict_layers", EntryValue::U32(config.next_token_count()));
    keys.put("rope.scaling.type", EntryValue::String("none".into()));
    Ok(())
}

/// llama.cpp knows one function of the feed-forward network.
fn check_activation(config: &mut Config) -> Result<()> {
    const NAME: &str = "activation_function";
    match config.text(&[NAME])? {
        Some("silu") => Ok(()),
        Some(other) => Err(wrong_type(NAME, &other.into(), "silu")),
        None => Err(missing(&[NAME])),
    }
}

/// `rope.dimension_count`: a part of the size of a head.
fn rotated_part(keys: &mut Keys<'_>) -> Result<()> {
    let part = match keys.config.rope().get("partial_rotary_factor").filter(|part| !part.is_null()) {
        Some(part) => float("partial_rotary_factor", part)?,
        None => 1.0,
    };
    let head = keys.config.required(&["hidden_size"])? / keys.config.heads()?;
    keys.put("rope.dimension_count", EntryValue::U32((part * f64::from(head)) as u32));
    Ok(())
}
