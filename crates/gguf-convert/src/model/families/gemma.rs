//! Gemma 1 to 3.

use alloc::vec::Vec;

use serde_json::Value;

use super::decoder::{ATTENTION, GATED};
use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, Rule, dropped, name};
use super::rule_text::{Rules, rules};
use crate::model::config::{CONFIG, Config, ConfigRules, missing};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, BLOCK_COUNT, Key, Keys};
use crate::model::pooling::pooling_type;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

const fn norm(source: &'static str, target: &'static str) -> Rule {
    name(source, target).with(Change::AddOne)
}

/// llama.cpp uses the embedding as the output.
const ENDS: Rules = rules![name("embed_tokens", "token_embd"), norm("norm", "output_norm"), dropped("lm_head.weight")];

const NORMS: Rules = rules![
    norm("layers.#.input_layernorm", "blk.#.attn_norm"),
    norm("layers.#.post_attention_layernorm", "blk.#.ffn_norm")
];

/// Gemma 2 and 3 have norms on both sides.
const FOUR_NORMS: Rules = rules![
    norm("layers.#.input_layernorm", "blk.#.attn_norm"),
    norm("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    norm("layers.#.pre_feedforward_layernorm", "blk.#.ffn_norm"),
    norm("layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"),
];

const GEMMA3_ENDS: Rules = rules![
    name("embed_tokens", "token_embd").with(Change::Custom(known_tokens)),
    norm("norm", "output_norm"),
    name("lm_head", "output"),
];

const QUERY_KEY_NORMS: Rules = rules![
    norm("layers.#.self_attn.q_norm", "blk.#.attn_q_norm"),
    norm("layers.#.self_attn.k_norm", "blk.#.attn_k_norm")
];

const KEYS: &[Key] = &[
    Key::RequiredUnsigned("context_length", &["max_position_embeddings"]),
    Key::RequiredUnsigned("embedding_length", &["hidden_size"]),
    BLOCK_COUNT,
    Key::RequiredUnsigned("feed_forward_length", &["intermediate_size"]),
    Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
    Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads", "num_attention_heads"]),
    Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["rms_norm_eps"]),
    Key::RequiredUnsigned("attention.key_length", &["head_dim"]),
    Key::RequiredUnsigned("attention.value_length", &["head_dim"]),
    Key::FileType,
];

pub(super) const GEMMA3: Family = Family {
    architecture: "gemma3",
    vocabulary: Vocabulary::Gemma3,
    adjust: adjust_gemma3,
    rules: &[GEMMA3_ENDS, ATTENTION, QUERY_KEY_NORMS, FOUR_NORMS, GATED],
    keys: &[
        Key::List(BASE),
        // These must be there: llama.cpp has no values for them.
        Key::RequiredUnsigned("context_length", &["max_position_embeddings"]),
        Key::RequiredUnsigned("attention.head_count", &["num_attention_heads"]),
        Key::RequiredFloat("attention.layer_norm_rms_epsilon", &["rms_norm_eps"]),
        Key::RequiredUnsigned("attention.key_length", &["head_dim"]),
        Key::RequiredUnsigned("attention.value_length", &["head_dim"]),
        Key::Call(rope_base),
        Key::NonZeroFloat("final_logit_softcapping", &["final_logit_softcapping"]),
        Key::Call(sliding_window),
        Key::RequiredUnsigned("attention.head_count_kv", &["num_key_value_heads"]),
    ],
    ..DECODER
};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["GemmaForCausalLM"],
        architecture: "gemma",
        vocabulary: Vocabulary::Gemma,
        config: ConfigRules::Types(&["gemma"]),
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        keys: KEYS,
        ..DECODER
    },
    Family {
        classes: &["Gemma2ForCausalLM"],
        architecture: "gemma2",
        vocabulary: Vocabulary::Gemma2,
        config: ConfigRules::Types(&["gemma2"]),
        rules: &[ENDS, ATTENTION, FOUR_NORMS, GATED],
        keys: &[
            Key::List(KEYS),
            Key::RequiredFloat("attn_logit_softcapping", &["attn_logit_softcapping"]),
            Key::RequiredFloat("final_logit_softcapping", &["final_logit_softcapping"]),
            Key::RequiredUnsigned("attention.sliding_window", &["sliding_window"]),
        ],
        ..DECODER
    },
    Family { classes: &["Gemma3ForCausalLM"], config: ConfigRules::Types(&["gemma3_text"]), ..GEMMA3 },
    Family {
        classes: &["Gemma3TextModel"],
        architecture: "gemma-embedding",
        config: ConfigRules::Types(&["gemma3_text"]),
        adjust: check_stored_window,
        keys: &[
            Key::List(GEMMA3.keys),
            Key::RequiredUnsigned("attention.sliding_window", &["sliding_window"]),
            Key::Call(pooling_type),
        ],
        ..GEMMA3
    },
    Family { classes: &["Gemma3ForConditionalGeneration"], config: ConfigRules::Text(&["gemma3_text"]), ..GEMMA3 },
];

/// The rows of the embedding for which the vocabulary has a token.
pub(super) fn known_tokens(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone();
    let rows = view.axes.first().map_or(0, |axis| axis.length);
    let count = found.token_count.unwrap_or(rows).min(rows);
    Ok(vec![found.piece(view.sliced(0, 0, 1, count)?)])
}

/// The class halves the window of models whose tokens see later tokens, too.
fn adjust_gemma3(config: &mut Config) -> Result<()> {
    refuse_attention_cap(config)?;
    if config.boolean("use_bidirectional_attention")? == Some(true) {
        let window = config.required(&["sliding_window"])? / 2 + 1;
        config.set("sliding_window", window.into());
    }
    Ok(())
}

pub(super) fn refuse_attention_cap(config: &mut Config) -> Result<()> {
    match config.get("attn_logit_softcapping") {
        None | Some(Value::Null) => Ok(()),
        Some(_) => Err(error!(UnsupportedModel:
            "{CONFIG} has the member \"attn_logit_softcapping\", which llama.cpp does not know for Gemma 3")),
    }
}

/// The window of Gemma for embeddings must be in the file: the class would change its default.
fn check_stored_window(config: &mut Config) -> Result<()> {
    refuse_attention_cap(config)?;
    match config.is_defaulted("sliding_window") {
        true => Err(missing(&["sliding_window"])),
        false => Ok(()),
    }
}

/// `rope.freq_base`, which has a default.
fn rope_base(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.full_rope().get("rope_theta").is_none() {
        keys.put("rope.freq_base", EntryValue::F32(1e6));
    }
    Ok(())
}

/// `attention.sliding_window`, unless every block sees everything.
fn sliding_window(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.unsigned(&["sliding_window_pattern"])? == Some(1) {
        return Ok(());
    }
    let window = keys.config.required(&["sliding_window"])?;
    keys.put("attention.sliding_window", EntryValue::U32(window));
    Ok(())
}
