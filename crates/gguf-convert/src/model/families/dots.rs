//! dots.llm1.

use super::decoder::{ATTENTION, ENDS, EXPERTS, GATED, NORMS, QUERY_KEY_NORMS, SHARED_EXPERTS};
use super::row::{DECODER, Family};
use crate::model::config::{Config, ConfigRules};
use crate::model::keys::{BASE, Key};
use gguf_format::error::Result;

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["Dots1ForCausalLM"],
    architecture: "dots1",
    config: ConfigRules::Types(&["dots1"]),
    adjust: experts_by_one_name,
    rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, GATED, EXPERTS, SHARED_EXPERTS],
    keys: &[
        Key::List(BASE),
        Key::Unsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
        Key::Unsigned("expert_shared_feed_forward_length", &["shared_expert_intermediate_size"]),
        Key::RequiredUnsigned("leading_dense_block_count", &["first_k_dense_replace"]),
        Key::RequiredUnsigned("expert_shared_count", &["n_shared_experts"]),
        Key::RequiredFloat("expert_weights_scale", &["routed_scaling_factor"]),
        Key::RequiredBool("expert_weights_norm", "norm_topk_prob"),
    ],
    ..DECODER
}];

fn experts_by_one_name(config: &mut Config) -> Result<()> {
    let count = config.required(&["n_routed_experts"])?;
    config.set("num_experts", count.into());
    Ok(())
}
