//! Command R and Command R7B.

use alloc::string::String;

use serde_json::Value;

use super::decoder::{ATTENTION, GATED, QUERY_KEY_NORMS};
use super::row::{DECODER, Family, without_model};
use super::rule::name;
use super::rule_text::{Rules, rules};
use crate::model::config::{Config, ConfigRules};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use gguf_format::error::Result;

/// llama.cpp uses the embedding as the output of Command R.
const TIED_ENDS: Rules = rules![name("embed_tokens", "token_embd"), name("norm", "output_norm")];

/// One norm for the attention and the feed-forward network.
const NORM: Rules = rules![name("layers.#.input_layernorm", "blk.#.attn_norm")];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["CohereForCausalLM"],
        architecture: "command-r",
        config: ConfigRules::Types(&["cohere"]),
        adjust: longer_context,
        rules: &[TIED_ENDS, ATTENTION, QUERY_KEY_NORMS, NORM, GATED],
        keys: &[
            Key::List(BASE),
            Key::RequiredFloat("logit_scale", &["logit_scale"]),
            Key::FixedText("rope.scaling.type", "none"),
        ],
        ..DECODER
    },
    Family {
        classes: &["Cohere2ForCausalLM"],
        architecture: "cohere2",
        config: ConfigRules::Types(&["cohere2"]),
        rename: without_biases,
        rules: &[TIED_ENDS, ATTENTION, NORM, GATED],
        keys: &[
            Key::List(BASE),
            Key::RequiredFloat("logit_scale", &["logit_scale"]),
            Key::RequiredUnsigned("attention.sliding_window", &["sliding_window"]),
            Key::RequiredUnsigned("vocab_size", &["vocab_size"]),
            Key::Call(rotated_part),
            Key::FixedText("rope.scaling.type", "none"),
        ],
        ..DECODER
    },
];

/// llama.cpp has no biases for Command R7B. No rule has the empty name.
fn without_biases(config: &Config, name: &str) -> Option<String> {
    if name.ends_with(".bias") { Some(String::new()) } else { without_model(config, name) }
}

/// `rope.dimension_count`: a part of the size of a head.
fn rotated_part(keys: &mut Keys<'_>) -> Result<()> {
    let part = keys.config.required_float(&["rotary_pct"])?;
    let head = keys.config.required(&["hidden_size"])? / keys.config.heads()?;
    keys.put("rope.dimension_count", EntryValue::U32((part * f64::from(head)) as u32));
    Ok(())
}

/// The model was trained with a longer context than `max_position_embeddings` says.
fn longer_context(config: &mut Config) -> Result<()> {
    if let Some(length) = config.get("model_max_length").filter(|length| **length != Value::Null).cloned() {
        config.set("max_position_embeddings", length);
    }
    Ok(())
}
