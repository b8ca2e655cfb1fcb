//! Command R.

use serde_json::Value;

use super::decoder::{ATTENTION, ENDS, GATED, QUERY_KEY_NORMS};
use super::row::{DECODER, Family, Rule, name};
use crate::convert::model::config::{Config, ConfigRules};
use crate::convert::model::keys::{BASE, Key};
use crate::error::Result;

/// One norm for the attention and the feed-forward network.
const NORM: &[Rule] = &[name("layers.#.input_layernorm", "blk.#.attn_norm")];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["CohereForCausalLM"],
    architecture: "command-r",
    config: ConfigRules::Types(&["cohere"]),
    adjust: longer_context,
    rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORM, GATED],
    keys: &[
        Key::List(BASE),
        Key::RequiredFloat("logit_scale", &["logit_scale"]),
        Key::FixedText("rope.scaling.type", "none"),
    ],
    ..DECODER
}];

/// The model was trained with a longer context than `max_position_embeddings` says.
fn longer_context(config: &mut Config) -> Result<()> {
    if let Some(length) = config.get("model_max_length").filter(|length| **length != Value::Null).cloned() {
        config.set("max_position_embeddings", length);
    }
    Ok(())
}
