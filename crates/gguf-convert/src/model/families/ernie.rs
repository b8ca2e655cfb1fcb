//! ERNIE 4.5, with and without experts.

use super::decoder::{ATTENTION, ENDS, GATED, NORMS};
use super::row::{DECODER, Family};
use super::rule::{dropped, name, whole};
use super::rule_text::{Rules, rules};
use crate::model::config::ConfigRules;
use crate::model::entries::EntryValue;
use crate::model::keys::{BASE, Key, Keys};
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::Result;

/// Experts, in the order in which the stacked tensors are written.
const EXPERTS: Rules = rules![
    name("layers.#.mlp.experts.@.gate_proj", "blk.#.ffn_gate_exps"),
    name("layers.#.mlp.experts.@.up_proj", "blk.#.ffn_up_exps"),
    name("layers.#.mlp.experts.@.down_proj", "blk.#.ffn_down_exps"),
    name("layers.#.mlp.gate", "blk.#.ffn_gate_inp"),
    whole("layers.#.mlp.moe_statics.e_score_correction_bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.mlp.shared_experts.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.mlp.shared_experts.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mlp.shared_experts.down_proj", "blk.#.ffn_down_shexp"),
    // The prediction of several tokens.
    dropped("mtp_block.*"),
    dropped("mtp_emb_norm.*"),
    dropped("mtp_hidden_norm.*"),
    dropped("mtp_linear_proj.*"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["Ernie4_5_ForCausalLM", "Ernie4_5ForCausalLM"],
        architecture: "ernie4_5",
        vocabulary: Vocabulary::Ernie,
        config: ConfigRules::Types(&["ernie4_5"]),
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        ..DECODER
    },
    Family {
        classes: &["PaddleOCRVLForConditionalGeneration"],
        architecture: "paddleocr",
        vocabulary: Vocabulary::Ernie,
        config: ConfigRules::AsItIs(&["paddleocr_vl"]),
        rules: &[ENDS, ATTENTION, NORMS, GATED],
        ..DECODER
    },
    Family {
        classes: &["Ernie4_5_MoeForCausalLM"],
        architecture: "ernie4_5-moe",
        vocabulary: Vocabulary::Ernie,
        config: ConfigRules::Types(&["ernie4_5_moe"]),
        rules: &[ENDS, ATTENTION, NORMS, GATED, EXPERTS],
        expert_count: &["moe_num_experts"],
        keys: &[
            Key::List(BASE),
            Key::RequiredUnsigned("expert_count", &["moe_num_experts"]),
            Key::RequiredUnsigned("expert_used_count", &["moe_k"]),
            Key::RequiredUnsigned("interleave_moe_layer_step", &["moe_layer_interval"]),
            Key::RequiredUnsigned("leading_dense_block_count", &["moe_layer_start_index"]),
            Key::Unsigned("expert_feed_forward_length", &["moe_intermediate_size"]),
            Key::Unsigned("expert_shared_count", &["moe_num_shared_experts"]),
            Key::Call(shared_length),
        ],
        ..DECODER
    },
];

/// `expert_shared_feed_forward_length`, as the reference computes it.
fn shared_length(keys: &mut Keys<'_>) -> Result<()> {
    let number = |name: &str| keys.config.unsigned(&[name]);
    let has_shared = number("moe_num_shared_experts")?.is_some_and(|count| count > 0);
    let length = number("intermediate_size")?.zip(number("num_key_value_heads")?);
    if let Some(length) = length.filter(|_| has_shared).and_then(|(size, heads)| size.checked_div(heads)) {
        keys.put("expert_shared_feed_forward_length", EntryValue::U32(length));
    }
    Ok(())
}
