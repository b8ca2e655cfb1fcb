//! EXAONE 4.

use super::decoder::{ATTENTION, ENDS, GATED, QUERY_KEY_NORMS};
use super::rope_factors::llama3;
use super::row::{DECODER, Family, Rule, name};
use crate::convert::model::config::ConfigRules;
use crate::convert::model::keys::{BASE, Key};
use crate::convert::model::windows::{Pattern, sliding_windows};

/// The norms after the attention and after the feed-forward network.
const LATE_NORMS: &[Rule] = &[
    name("layers.#.post_attention_layernorm", "blk.#.post_attention_norm"),
    name("layers.#.post_feedforward_layernorm", "blk.#.post_ffw_norm"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
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
}];
