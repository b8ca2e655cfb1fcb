//! MiniMax M2.

use super::decoder::{ATTENTION, ENDS, NORMS, QUERY_KEY_NORMS};
use super::llama::MIXTRAL;
use super::row::{DECODER, Family};
use super::rule::whole;
use super::rule_text::{Rules, rules};
use crate::model::config::ConfigRules;
use crate::model::keys::{BASE, Key};

/// What corrects the choice of the experts.
pub(super) const CORRECTION: Rules = rules![
    whole("layers.#.block_sparse_moe.e_score_correction_bias", "blk.#.exp_probs_b.bias"),
    whole("layers.#.block_sparse_moe.e_score_correction.bias", "blk.#.exp_probs_b.bias"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["MiniMaxM2ForCausalLM"],
    architecture: "minimax-m2",
    config: ConfigRules::AsItIs(&["minimax_m2"]),
    rules: &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, MIXTRAL, CORRECTION],
    expert_count: &["num_local_experts", "num_experts"],
    keys: &[
        Key::List(BASE),
        Key::RequiredUnsigned("expert_feed_forward_length", &["intermediate_size"]),
        Key::RequiredUnsigned("rope.dimension_count", &["rotary_dim"]),
    ],
    ..DECODER
}];
