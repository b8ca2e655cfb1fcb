//! OLMo, OLMo 2 and 3, and OLMoE; Seed-OSS, which has their form.

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NORMS, QUERY_KEY_NORMS};
use super::llama::INTERLEAVED;
use super::row::{DECODER, Family};
use super::rule::{name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::ConfigRules;
use crate::model::keys::{BASE, Key};
use crate::model::windows::{Pattern, sliding_windows};

/// The norms after the attention and after the feed-forward network.
const LATE_NORMS: Rules = rules![
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"),
];

const ROUTER: Rules = rules![name("layers.#.mlp.gate", "blk.#.ffn_gate_inp")];

/// The norms of Seed-OSS.
const SEED_NORMS: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
];

/// The reference interleaves the halves of heads in matrices only.
pub(super) const BIASES_AS_THEY_ARE: Rules = rules![
    whole("layers.#.self_attn.q_proj.bias", "blk.#.attn_q.bias"),
    whole("layers.#.self_attn.k_proj.bias", "blk.#.attn_k.bias"),
];

/// The norms of OLMo have no weights.
const OLMO_ENDS: Rules = rules![name("embed_tokens", "token_embd"), name("lm_head", "output")];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["OlmoForCausalLM", "OLMoForCausalLM"],
        architecture: "olmo",
        config: ConfigRules::Types(&["olmo"]),
        rules: &[BIASES_AS_THEY_ARE, OLMO_ENDS, INTERLEAVED, GATED],
        keys: &[
            Key::List(BASE),
            Key::FixedFloat("attention.layer_norm_epsilon", 1e-5),
            Key::Float("attention.clamp_kqv", &["clip_qkv"]),
        ],
        ..DECODER
    },
    Family {
        classes: &["Olmo2ForCausalLM", "Olmo3ForCausalLM"],
        architecture: "olmo2",
        config: ConfigRules::Types(&["olmo2", "olmo3"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, LATE_NORMS, GATED],
        keys: &[Key::List(BASE), Key::Call(|keys| sliding_windows(keys, Pattern::EveryFourth))],
        ..DECODER
    },
    Family {
        classes: &["SeedOssForCausalLM"],
        architecture: "seed_oss",
        config: ConfigRules::Types(&["seed_oss"]),
        rules: &[ENDS, ATTENTION, SEED_NORMS, GATED],
        ..DECODER
    },
    Family {
        classes: &["OlmoeForCausalLM"],
        architecture: "olmoe",
        config: ConfigRules::Types(&["olmoe"]),
        rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, ROUTER, EXPERTS],
        keys: &[Key::List(BASE), Key::FixedFloat("attention.layer_norm_rms_epsilon", 1e-5)],
        ..DECODER
    },
];
