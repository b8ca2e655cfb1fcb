//! EXAONE 3 and 4.

use super::decoder::{ATTENTION, ENDS, GATED, QUERY_KEY_NORMS};
use super::gpt::without_transformer;
use super::rope_factors::llama3;
use super::row::{DECODER, Family, Rule, name};
use crate::model::config::{Config, ConfigRules, float, missing, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::windows::{Pattern, sliding_windows};
use gguf_format::error::Result;

/// The norms after the attention and after the feed-forward network.
const LATE_NORMS: &[Rule] = &[
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"),
];

const EXAONE3: &[Rule] = &[
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

pub(super) const FAMILIES: &[Family] = &[EXAONE_3, EXAONE_4];

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
