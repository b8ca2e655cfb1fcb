//! RWKV 7, in the layout of fla-hub.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, Rule, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BLOCK_COUNT, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

/// A matrix or a vector without dimensions of one element.
const fn flat(source: &'static str, target: &'static str) -> Rule {
    name(source, target).with(Change::Squeeze)
}

const fn vector(source: &'static str, target: &'static str) -> Rule {
    whole(source, target).with(Change::Squeeze)
}

const RULES: Rules = rules![
    flat("embeddings", "token_embd"),
    flat("norm", "output_norm"),
    flat("lm_head", "output"),
    flat("layers.#.pre_norm", "token_embd_norm"),
    flat("layers.#.attn_norm", "blk.#.attn_norm"),
    flat("layers.#.ffn_norm", "blk.#.attn_norm_2"),
    flat("layers.#.attn.g_norm", "blk.#.time_mix_ln"),
    flat("layers.#.attn.k_proj", "blk.#.time_mix_key"),
    flat("layers.#.attn.v_proj", "blk.#.time_mix_value"),
    flat("layers.#.attn.r_proj", "blk.#.time_mix_receptance"),
    flat("layers.#.attn.o_proj", "blk.#.time_mix_output"),
    vector("layers.#.attn.k_k", "blk.#.time_mix_k_k.weight"),
    vector("layers.#.attn.k_a", "blk.#.time_mix_k_a.weight"),
    whole("layers.#.attn.r_k", "blk.#.time_mix_r_k.weight").with(Change::Custom(as_vector)),
    // The six vectors are one tensor.
    whole("layers.#.attn.x.@", "blk.#.time_mix_lerp_fused.weight"),
    vector("layers.#.attn.w_lora.lora.0.weight", "blk.#.time_mix_w1.weight"),
    vector("layers.#.attn.w_lora.lora.2.weight", "blk.#.time_mix_w2.weight"),
    vector("layers.#.attn.w_lora.lora.2.bias", "blk.#.time_mix_w0.weight"),
    whole("layers.#.attn.a_lora.lora.0.weight", "blk.#.time_mix_a1.weight").with(Change::Custom(also_values)),
    whole("layers.#.attn.a_lora.lora.2.weight", "blk.#.time_mix_a2.weight").with(Change::Custom(also_values)),
    whole("layers.#.attn.a_lora.lora.2.bias", "blk.#.time_mix_a0.weight").with(Change::Custom(also_values)),
    whole("layers.#.attn.v_lora.lora.0.weight", "blk.#.time_mix_v1.weight").with(Change::Custom(later_values)),
    whole("layers.#.attn.v_lora.lora.2.weight", "blk.#.time_mix_v2.weight").with(Change::Custom(later_values)),
    whole("layers.#.attn.v_lora.lora.2.bias", "blk.#.time_mix_v0.weight").with(Change::Custom(later_values)),
    vector("layers.#.attn.g_lora.lora.0.weight", "blk.#.time_mix_g1.weight"),
    vector("layers.#.attn.g_lora.lora.2.weight", "blk.#.time_mix_g2.weight"),
    vector("layers.#.ffn.x_k", "blk.#.channel_mix_lerp_k.weight"),
    flat("layers.#.ffn.key", "blk.#.channel_mix_key"),
    flat("layers.#.ffn.value", "blk.#.channel_mix_value"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["RWKV7ForCausalLM", "Rwkv7ForCausalLM"],
    architecture: "rwkv7",
    config: ConfigRules::AsItIs(&["rwkv7"]),
    adjust: count_vectors,
    rename: numbered_vectors,
    vocabulary: Vocabulary::RwkvWorld,
    rules: &[RULES],
    expert_count: &[VECTORS],
    keys: &[
        Key::FixedUnsigned("context_length", 1 << 20),
        Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
        BLOCK_COUNT,
        Key::Call(sizes),
        Key::FileType,
        // llama.cpp needs the number, but does not use it.
        Key::FixedUnsigned("attention.head_count", 0),
    ],
    ..DECODER
}];

/// A member that the family adds: the number of vectors that are one tensor.
const VECTORS: &str = "lerp_vector_count";

/// The letters of these vectors, in order. The last one is for the gate.
const LETTERS: [&str; 6] = ["r", "w", "k", "v", "a", "g"];

fn count_vectors(config: &mut Config) -> Result<()> {
    let has_gate = config.boolean("wkv_has_gate")? != Some(false);
    config.set(VECTORS, if has_gate { 6 } else { 5 }.into());
    Ok(())
}

/// The name without `model.`. The letter of a vector becomes its number.
fn numbered_vectors(_: &Config, name: &str) -> Option<String> {
    let name = name.strip_prefix("model.").unwrap_or(name);
    let number = name.split_once(".attn.x_").and_then(|(block, letter)| {
        let number = LETTERS.iter().position(|other| *other == letter)?;
        Some(format!("{block}.attn.x.{number}"))
    });
    Some(number.unwrap_or_else(|| name.into()))
}

fn as_vector(found: &Found<'_>) -> Result<Vec<Piece>> {
    let piece = found.piece(found.view.clone());
    Ok(vec![Piece { shape: vec![found.view.element_count()], ..piece }])
}

/// llama.cpp needs matrices of the values in the first block, too, but does not use them.
fn also_values(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().squeezed();
    let piece = found.piece(view.clone());
    if found.block > 0 {
        return Ok(vec![piece]);
    }
    Ok(vec![found.piece_named(&found.target.replace("time_mix_a", "time_mix_v"), view), piece])
}

fn later_values(found: &Found<'_>) -> Result<Vec<Piece>> {
    match found.block {
        0 => Ok(Vec::new()),
        _ => Ok(vec![found.piece(found.view.clone().squeezed())]),
    }
}

/// The size of a head, the ranks of the small matrices, and the length of the feed-forward network.
fn sizes(keys: &mut Keys<'_>) -> Result<()> {
    const OLD: [&str; 4] = ["lora_rank_decay", "lora_rank_iclr", "lora_rank_value_residual_mix", "lora_rank_gate"];
    const NEW: [&str; 4] = ["decay_low_rank_dim", "a_low_rank_dim", "v_low_rank_dim", "gate_low_rank_dim"];
    const RANKS: [(&str, f64, f64); 4] = [
        ("attention.decay_lora_rank", 0.5, 1.8),
        ("attention.iclr_lora_rank", 0.5, 1.8),
        ("attention.value_residual_mix_lora_rank", 0.5, 1.3),
        ("attention.gate_lora_rank", 0.8, 0.6),
    ];
    let config = keys.config;
    let has_all = |names: &[&str]| names.iter().all(|name| config.get(name).is_some());
    let [head, epsilon] = match has_all(&["head_size", "layer_norm_epsilon"]) {
        true => ["head_size", "layer_norm_epsilon"],
        false => ["head_dim", "norm_eps"],
    };
    let names = if has_all(&OLD) { OLD } else { NEW };
    let model = config.required(&["hidden_size"])?;
    let epsilon = config.required_float(&[epsilon])? as f32;
    keys.put("attention.layer_norm_epsilon", EntryValue::F32(epsilon));
    keys.put("wkv.head_size", EntryValue::U32(config.required(&[head])?));
    for (name, (key, exponent, factor)) in names.into_iter().zip(RANKS) {
        let rank = match config.get(name) {
            Some(Value::Null) => computed_rank(model, exponent, factor),
            _ => config.required(&[name])?,
        };
        keys.put(key, EntryValue::U32(rank));
    }
    let length = match config.get("intermediate_size") {
        Some(Value::Null) => model.saturating_mul(4),
        _ => config.required(&["intermediate_size"])?,
    };
    keys.put("feed_forward_length", EntryValue::U32(length));
    Ok(())
}

/// A rank that the class computes: a multiple of 32.
fn computed_rank(model: u32, exponent: f64, factor: f64) -> u32 {
    let rank = libm::rint(libm::pow(f64::from(model), exponent) * factor / 32.0) as u32;
    rank.max(1).saturating_mul(32)
}
