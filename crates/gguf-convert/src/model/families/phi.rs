//! Phi 2, Phi 3 with and without experts, and Phi 4 in the form of Phi 3.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, ENDS, NORMS};
use super::llama::MIXTRAL;
use super::row::{DECODER, Family, Generated};
use super::rule::name;
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, Members, float, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys, rope_type};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

/// Queries, keys and values, and gate and up, are one tensor each.
const PHI3: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm"),
    name("layers.#.self_attn.qkv_proj", "blk.#.attn_qkv"),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output"),
    name("layers.#.mlp.gate_up_proj", "blk.#.ffn_up"),
    name("layers.#.mlp.down_proj", "blk.#.ffn_down"),
];

const PHI2: Rules = rules![
    name("embed_tokens", "token_embd"),
    name("final_layernorm", "output_norm"),
    name("lm_head", "output"),
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.self_attn.q_proj", "blk.#.attn_q"),
    name("layers.#.self_attn.k_proj", "blk.#.attn_k"),
    name("layers.#.self_attn.v_proj", "blk.#.attn_v"),
    name("layers.#.self_attn.dense", "blk.#.attn_output"),
    name("layers.#.mlp.fc1", "blk.#.ffn_up"),
    name("layers.#.mlp.fc2", "blk.#.ffn_down"),
];

const PHI3_KEYS: &[Key] = &[
    Key::RequiredUnsigned("context_length", &["n_positions", "max_position_embeddings"]),
    Key::Call(original_context),
    Key::RequiredUnsigned("embedding_length", &["hidden_size", "n_embd"]),
    Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
    BLOCK_COUNT,
    Key::RequiredUnsigned("attention.head_count", &["num_attention_heads", "n_head"]),
    Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads", "n_head_kv"]),
    Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["rms_norm_eps"]),
    Key::Call(rope_dimension),
    Key::Call(rope_base),
    Key::FileType,
    Key::Call(sliding_window),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["Phi3ForCausalLM"],
        architecture: "phi3",
        vocabulary: Vocabulary::Phi3,
        config: ConfigRules::Types(&["phi3"]),
        adjust: rename_rope_types,
        rules: &[ENDS, PHI3],
        generated: long_factors,
        keys: PHI3_KEYS,
        ..DECODER
    },
    Family {
        classes: &["PhiMoEForCausalLM"],
        architecture: "phimoe",
        vocabulary: Vocabulary::Phi3,
        config: ConfigRules::Types(&["phimoe"]),
        adjust: check_factors,
        rules: &[ENDS, ATTENTION, NORMS, MIXTRAL],
        generated: long_factors,
        keys: &[
            Key::List(PHI3_KEYS),
            Key::RequiredUnsigned("expert_used_count", &["num_experts_per_tok", "num_experts_per_token"]),
            Key::RequiredUnsigned("expert_count", &["num_local_experts", "num_experts"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["PhiForCausalLM"],
        architecture: "phi2",
        config: ConfigRules::Types(&["phi"]),
        rules: &[PHI2],
        keys: &[
            Key::RequiredUnsigned("context_length", &["n_positions", "max_position_embeddings"]),
            Key::RequiredUnsigned("embedding_length", &["hidden_size", "n_embd"]),
            Key::Call(feed_forward),
            BLOCK_COUNT,
            Key::RequiredUnsigned("attention.head_count", &["num_attention_heads", "n_head"]),
            Key::RequiredUnsigned("attention.head_count_kv", &["num_attention_heads", "n_head"]),
            Key::RequiredFloat("attention.layer_norm_epsilon", &["layer_norm_epsilon", "layer_norm_eps"]),
            Key::Call(given_rope_dimension),
            Key::FileType,
            Key::Call(no_first_token),
        ],
        ..DECODER
    },
];

/// The class reads older names of the type as `longrope`.
fn rename_rope_types(config: &mut Config) -> Result<()> {
    let Some(Value::Object(mut rope)) = config.get("rope_scaling").cloned() else { return Ok(()) };
    if matches!(rope.get("type").and_then(Value::as_str), Some("su" | "yarn")) {
        rope.insert("type".into(), "longrope".into());
        rope.insert("rope_type".into(), "longrope".into());
        config.set("rope_scaling", Value::Object(rope));
    }
    Ok(())
}

/// The class of Phi-3.5-MoE refuses factors without these numbers, which llama.cpp does not use.
fn check_factors(config: &mut Config) -> Result<()> {
    let Some(Value::Object(rope)) = config.get("rope_scaling") else { return Ok(()) };
    for name in ["short_mscale", "long_mscale"] {
        match rope.get(name) {
            Some(Value::Number(_)) => {}
            Some(other) => return Err(wrong_type(name, other, "a number")),
            None => return Err(missing(&[&format!("rope_scaling.{name}")])),
        }
    }
    Ok(())
}

fn number(rope: &Members, name: &str) -> Result<f64> {
    match rope.get(name) {
        Some(value) => float(name, value),
        None => Err(missing(&[name])),
    }
}

/// The number of elements of a head that are rotated.
fn rotated(config: &Config) -> Result<u32> {
    let part = match config.rope().get("partial_rotary_factor") {
        Some(value) => float("partial_rotary_factor", value)?,
        None => 1.0,
    };
    let size = config.required(&["hidden_size", "n_embd"])?;
    Ok((part * f64::from(size)) as u32 / config.heads()?)
}

fn rope_dimension(keys: &mut Keys<'_>) -> Result<()> {
    let dimension = rotated(keys.config)?;
    keys.put("rope.dimension_count", EntryValue::U32(dimension));
    Ok(())
}

/// As `rope_dimension`. Phi 2 has no default.
fn given_rope_dimension(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "partial_rotary_factor";
    match keys.config.rope().get(NAME) {
        Some(_) => rope_dimension(keys),
        None => Err(missing(&[NAME])),
    }
}

fn rope_base(keys: &mut Keys<'_>) -> Result<()> {
    let base = number(keys.config.full_rope(), "rope_theta")?;
    keys.put("rope.freq_base", EntryValue::F32(base as f32));
    Ok(())
}

fn original_context(keys: &mut Keys<'_>) -> Result<()> {
    let length = number(keys.config.rope(), "original_max_position_embeddings")?;
    keys.put("rope.scaling.original_context_length", EntryValue::U32(length as u32));
    Ok(())
}

/// `attention.sliding_window`: 0 if there is none.
fn sliding_window(keys: &mut Keys<'_>) -> Result<()> {
    let window = keys.config.unsigned(&["sliding_window"])?.unwrap_or(0);
    keys.put("attention.sliding_window", EntryValue::U32(window));
    Ok(())
}

fn feed_forward(keys: &mut Keys<'_>) -> Result<()> {
    let size = keys.config.required(&["hidden_size", "n_embd"])?;
    keys.put("feed_forward_length", EntryValue::U32(size.saturating_mul(4)));
    Ok(())
}

fn no_first_token(keys: &mut Keys<'_>) -> Result<()> {
    keys.entries.set("tokenizer.ggml.add_bos_token", EntryValue::Bool(false));
    Ok(())
}

/// The factors for long contexts, and the factor of the attention.
fn long_factors(config: &Config) -> Result<Generated> {
    let rope = config.rope();
    let original = number(rope, "original_max_position_embeddings")?;
    let factors = |name: &str| match rope.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(list)) => list
            .iter()
            .map(|value| float(name, value).map(|value| value as f32))
            .collect::<Result<Vec<f32>>>()
            .map(Some),
        Some(other) => Err(wrong_type(name, other, "a list of numbers")),
    };
    let Some(long) = factors("long_factor")?.filter(|long| !long.is_empty()) else { return Ok(Generated::default()) };
    let short = factors("short_factor")?.ok_or_else(|| missing(&["rope_scaling.short_factor"]))?;
    let expected = rotated(config)?;
    if long.len() != short.len() || long.len() as u64 * 2 != u64::from(expected) {
        return Err(error!(BadJson:
            "\"rope_scaling\" in {CONFIG} has {} long and {} short factors: expected {} of each, half the size of a head",
            long.len(), short.len(), expected / 2));
    }
    let scale = f64::from(config.required(&["n_positions", "max_position_embeddings"])?) / original;
    let rope_type = rope_type(rope)?.unwrap_or_default();
    let factor = match rope_type.to_ascii_lowercase().as_str() {
        _ if scale <= 1.0 => 1.0,
        "su" | "longrope" => libm::sqrt(1.0 + libm::log(scale) / libm::log(original)),
        "yarn" => 0.1 * libm::log(scale) + 1.0,
        _ => {
            return Err(error!(UnsupportedModel:
                "\"rope_scaling\" in {CONFIG} has the type \"{}\": expected longrope or yarn", Shown(rope_type.as_bytes())));
        }
    };
    Ok(Generated {
        tensors: vec![("rope_factors_long.weight", long), ("rope_factors_short.weight", short)],
        floats: vec![("rope.scaling.attn_factor", factor as f32)],
    })
}
