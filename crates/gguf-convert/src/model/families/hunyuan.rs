//! Hunyuan, without experts.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, GATED, NORMS};
use super::row::{DECODER, Family};
use super::rule::{Change, name};
use super::rule_text::{Rules, rules};
use super::tied::untied;
use crate::model::config::{CONFIG, Config, ConfigRules, Members, float};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys, rope_type};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

/// The context for which the models with a dynamic position embedding are made, whatever the configuration says.
const DYNAMIC_CONTEXT: u32 = 262_144;

const RULES: Rules = rules![
    name("embed_tokens", "token_embd"),
    name("norm", "output_norm"),
    name("lm_head", "output").with(Change::Custom(untied)),
    name("layers.#.self_attn.query_layernorm", "blk.#.attn_q_norm"),
    name("layers.#.self_attn.key_layernorm", "blk.#.attn_k_norm"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["HunYuanDenseV1ForCausalLM"],
    architecture: "hunyuan-dense",
    vocabulary: Vocabulary::Hunyuan,
    config: ConfigRules::Types(&["hunyuan_v1_dense"]),
    adjust: without_experts,
    rules: &[RULES, ATTENTION, NORMS, GATED],
    keys: &[Key::List(BASE), Key::Call(dynamic_rope)],
    ..DECODER
}];

/// Some configurations have one expert, which counts as no experts.
fn without_experts(config: &mut Config) -> Result<()> {
    config.remove("num_experts");
    Ok(())
}

/// The entries of the dynamic position embedding: a larger base, and no scaling.
fn dynamic_rope(keys: &mut Keys<'_>) -> Result<()> {
    let (config, rope) = (keys.config, keys.config.rope());
    match rope_type(rope)? {
        Some("dynamic") => {}
        Some("xdrope") => {
            return Err(error!(UnsupportedModel:
                "the rotary position embedding in {CONFIG} has the type xdrope, which is not supported for this class"));
        }
        _ => return Ok(()),
    }
    let number =
        |rope: &Members, name: &str, default: f64| rope.get(name).map_or(Ok(default), |value| float(name, value));
    let (alpha, base) = (number(rope, "alpha", 50.0)?, number(rope, "rope_theta", 10_000.0)?);
    let dimension = f64::from(config.required(&["head_dim"])?);
    let contexts: Vec<Value> = [32_768, DYNAMIC_CONTEXT].map(Value::from).to_vec();
    let has_known_context = config.get("max_position_embeddings").is_some_and(|length| contexts.contains(length));
    if base != 10_000.0 || !has_known_context || dimension <= 2.0 {
        return Err(error!(UnsupportedModel:
            "the dynamic position embedding in {CONFIG} has another base than 10000, or another context than 32768 or 262144, \
             which llama.cpp does not know"));
    }
    let scaled = base * libm::pow(alpha, dimension / (dimension - 2.0));
    for (key, value) in [
        ("rope.freq_base", EntryValue::F32(scaled as f32)),
        ("rope.scaling.type", EntryValue::String("none".into())),
        ("rope.scaling.factor", EntryValue::F32(1.0)),
        ("rope.scaling.original_context_length", EntryValue::U32(DYNAMIC_CONTEXT)),
        ("context_length", EntryValue::U32(DYNAMIC_CONTEXT)),
    ] {
        keys.put(key, value);
    }
    Ok(())
}
