//! Decoder-only transformers with a mixture of experts.

use super::parts::*;
use super::requirements::{Condition, ExpertBlocks, NextTokenBlocks, Requirements, blocks, key};

pub(super) const LLAMA4: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        FEED_FORWARD,
        &[
            key("{arch}.expert_count"),
            key("{arch}.expert_used_count"),
            key("{arch}.expert_feed_forward_length"),
            key("{arch}.interleave_moe_layer_step"),
        ],
    ],
    &[TIED, ROPE_FREQUENCIES, PRE_NORMS, ATTENTION, GATED_FEED_FORWARD, ROUTER, EXPERTS, SHARED_EXPERT],
)
.experts(ExpertBlocks::Interleaved);

pub(super) const QWEN2MOE: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        EXPERT_COUNTS,
        EXPERT_LENGTH_OR_QUOTIENT,
        &[key("{arch}.expert_shared_feed_forward_length").or("{arch}.feed_forward_length")],
    ],
    &[UNTIED, PRE_NORMS, ATTENTION, ROUTER, EXPERTS, SHARED_EXPERT_ROUTER, SHARED_EXPERT],
)
.experts(ExpertBlocks::All);

pub(super) const QWEN3MOE: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, EXPERT_COUNTS, EXPERT_LENGTH_OR_QUOTIENT],
    &[TIED, PRE_NORMS, ATTENTION, QUERY_KEY_NORMS, ROUTER, EXPERTS],
)
.experts(ExpertBlocks::All);

/// DeepSeek-V2 and V3, Kimi K2, GLM-4.7-Flash: latent attention, and dense blocks before those with experts.
///
/// llama.cpp requires `q_lora_rank` depending on the number of blocks. A model without the key has `attn_q.weight`, and
/// one with it `attn_q_a.weight`. Older files have one tensor `attn_kv_b.weight`.
pub(super) const DEEPSEEK2: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        FEED_FORWARD,
        EXPERT_COUNTS,
        &[
            key("{arch}.attention.q_lora_rank").when(&[Condition::FirstBlockHas("attn_q_a.weight")]),
            key("{arch}.attention.kv_lora_rank"),
            key("{arch}.rope.dimension_count"),
            key("{arch}.expert_feed_forward_length"),
            key("{arch}.expert_shared_count"),
        ],
    ],
    &[
        TIED,
        PRE_NORMS,
        &[
            blocks(&["attn_q_a.weight", "attn_q_a_norm.weight", "attn_q_b.weight"])
                .when(&[Condition::Positive("{arch}.attention.q_lora_rank")]),
            blocks(&["attn_q.weight"]).when(&[Condition::Zero("{arch}.attention.q_lora_rank")]),
            blocks(&["attn_kv_a_mqa.weight", "attn_kv_a_norm.weight", "attn_output.weight"]),
            blocks(&["attn_k_b.weight", "attn_v_b.weight"])
                .when(&[Condition::Positive("{arch}.attention.key_length_mla")]),
            blocks(&["attn_kv_b.weight"]).when(&[Condition::Zero("{arch}.attention.key_length_mla")]),
        ],
        GATED_FEED_FORWARD,
        ROUTER,
        FUSABLE_EXPERTS,
        SHARED_EXPERT,
        &[blocks(&["exp_probs_b.bias"]).optional().when(&[Condition::Experts])],
        NEXT_TOKEN,
        NEXT_TOKEN_LAYERS,
    ],
)
.experts(ExpertBlocks::AfterDense)
.next_token(NextTokenBlocks::Separable);

/// gpt-oss: attention sinks, and biases everywhere.
pub(super) const GPT_OSS: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        EXPERT_COUNTS,
        &[key("{arch}.expert_feed_forward_length"), key("{arch}.attention.sliding_window")],
    ],
    &[
        UNTIED,
        ATTENTION_NORM,
        POST_ATTENTION_NORM,
        ATTENTION,
        &[blocks(&["attn_output.bias", "attn_sinks.weight"])],
        ROUTER,
        EXPERTS,
        &[blocks(&["ffn_gate_inp.bias", "ffn_gate_exps.bias", "ffn_up_exps.bias", "ffn_down_exps.bias"])],
    ],
)
.experts(ExpertBlocks::All);

pub(super) const GLM4MOE: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        FEED_FORWARD,
        &[
            key("{arch}.expert_count"),
            key("{arch}.expert_used_count"),
            key("{arch}.expert_shared_count"),
            key("{arch}.expert_feed_forward_length"),
        ],
    ],
    &[
        TIED,
        ATTENTION_NORM,
        POST_ATTENTION_NORM,
        ATTENTION,
        &[blocks(&["attn_q_norm.weight", "attn_k_norm.weight"]).optional()],
        GATED_FEED_FORWARD,
        ROUTER,
        &[blocks(&["exp_probs_b.bias"]).when(&[Condition::Experts])],
        EXPERTS,
        &[blocks(&["ffn_gate_shexp.weight", "ffn_up_shexp.weight", "ffn_down_shexp.weight"])
            .when(&[Condition::Experts, Condition::Positive("{arch}.expert_shared_count")])],
        NEXT_TOKEN,
        NEXT_TOKEN_LAYERS,
    ],
)
.experts(ExpertBlocks::AfterDense)
.next_token(NextTokenBlocks::Required);
