//! Hunyuan, with and without experts.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, EXPERTS, GATED, NORMS};
use super::row::{DECODER, Family};
use super::rule::{Change, name};
use super::rule_text::{Rules, rules};
use super::tied::untied;
use crate::model::config::{CONFIG, Config, ConfigRules, Members, float, missing, unsigned};
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

/// What chooses the experts, and the expert that every token uses.
const ROUTER: Rules = rules![
    name("layers.#.mlp.gate.wg", "blk.#.ffn_gate_inp"),
    name("layers.#.mlp.shared_mlp.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.mlp.shared_mlp.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mlp.shared_mlp.down_proj", "blk.#.ffn_down_shexp"),
];

/// The keys of the experts that have one value for all blocks, and the members with a value for each block.
const OF_BLOCKS: [(&str, &str); 3] = [
    ("expert_feed_forward_length", "moe_intermediate_size"),
    ("expert_used_count", "moe_topk"),
    ("expert_shared_count", "num_shared_expert"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["HunYuanDenseV1ForCausalLM"],
        architecture: "hunyuan-dense",
        vocabulary: Vocabulary::Hunyuan,
        config: ConfigRules::Types(&["hunyuan_v1_dense"]),
        adjust: without_experts,
        rules: &[RULES, ATTENTION, NORMS, GATED],
        keys: &[Key::List(BASE), Key::Call(dynamic_rope)],
        ..DECODER
    },
    Family {
        classes: &["HunYuanMoEV1ForCausalLM"],
        architecture: "hunyuan-moe",
        vocabulary: Vocabulary::HunyuanMoe,
        config: ConfigRules::Types(&["hunyuan_v1_moe"]),
        rules: &[RULES, ATTENTION, NORMS, EXPERTS, ROUTER],
        expert_count: &["num_local_experts", "num_experts"],
        keys: &[
            Key::List(BASE),
            Key::RequiredUnsigned("expert_shared_feed_forward_length", &["intermediate_size"]),
            Key::Call(equal_experts),
            Key::Call(dynamic_rope_of_experts),
        ],
        ..DECODER
    },
];

/// Some configurations have one expert, which counts as no experts.
fn without_experts(config: &mut Config) -> Result<()> {
    config.remove("num_experts");
    Ok(())
}

/// The entries of the experts, which must be alike in all blocks.
fn equal_experts(keys: &mut Keys<'_>) -> Result<()> {
    for (key, member) in OF_BLOCKS {
        let values = keys.config.get(member).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let [first, others @ ..] = values else { return Err(missing(&[member])) };
        if others.iter().any(|value| value != first) {
            return Err(error!(UnsupportedModel:
                "{member} in {CONFIG} has different values: expected one for all blocks, which is all that llama.cpp supports"));
        }
        keys.put(key, EntryValue::U32(unsigned(member, first)?));
    }
    Ok(())
}

fn dynamic_rope(keys: &mut Keys<'_>) -> Result<()> {
    if rope_type(keys.config.rope())? == Some("xdrope") {
        return Err(error!(UnsupportedModel:
            "the rotary position embedding in {CONFIG} has the type xdrope, which is not supported for this class"));
    }
    scaled_rope(keys, 50.0, |config| Ok(f64::from(config.required(&["head_dim"])?)))
}

/// As [`dynamic_rope`]. The reference knows one scale and one size of heads.
fn dynamic_rope_of_experts(keys: &mut Keys<'_>) -> Result<()> {
    scaled_rope(keys, 1000.0, |config| {
        let head = config.required(&["hidden_size"])? / config.heads()?.max(1);
        let alpha = config.rope().get("alpha").map_or(Ok(1000.0), |value| float("alpha", value))?;
        if head != 128 || alpha != 1000.0 {
            return Err(error!(UnsupportedModel:
                "the dynamic position embedding in {CONFIG} has another alpha than 1000, or heads of {head} numbers: expected 128, \
                 which llama.cpp knows"));
        }
        Ok(128.0)
    })
}

/// The entries of the dynamic position embedding: a larger base, and no scaling.
fn scaled_rope(keys: &mut Keys<'_>, alpha: f64, dimension: fn(&Config) -> Result<f64>) -> Result<()> {
    let (config, rope) = (keys.config, keys.config.rope());
    if rope_type(rope)? != Some("dynamic") {
        return Ok(());
    }
    let number =
        |rope: &Members, name: &str, default: f64| rope.get(name).map_or(Ok(default), |value| float(name, value));
    let (alpha, base) = (number(rope, "alpha", alpha)?, number(rope, "rope_theta", 10_000.0)?);
    let dimension = dimension(config)?;
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
