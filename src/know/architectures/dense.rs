//! Decoder-only transformers without experts, and those whose experts are optional.

use super::parts::*;
use super::requirements::{Condition, ExpertBlocks, NextTokenBlocks, Requirements, blocks, key, model};

/// Llama, Mistral and Mixtral. A model with experts needs `feed_forward_length` as well: it is the length of an expert.
pub(super) const LLAMA: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, &[key("{arch}.feed_forward_length")], EXPERT_COUNTS],
    &[
        TIED,
        ROPE_FREQUENCIES,
        ROPE_FACTORS,
        PRE_NORMS,
        ATTENTION,
        OPTIONAL_OUTPUT_BIAS,
        GATED_FEED_FORWARD,
        OPTIONAL_FEED_FORWARD_BIASES,
        ROUTER,
        OPTIONALLY_GATED_EXPERTS,
    ],
)
.experts(ExpertBlocks::IfCounted);

/// The blocks of Llama without experts.
pub(super) const SMOLLM3: Requirements =
    Requirements::new(&[RMS_NORM, HEADS, FEED_FORWARD], &[TIED, PRE_NORMS, ATTENTION, GATED_FEED_FORWARD]);

pub(super) const QWEN2: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[TIED, &[model(&["output.bias"]).optional()], PRE_NORMS, ATTENTION, GATED_FEED_FORWARD],
);

pub(super) const ERNIE4_5: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[TIED, PRE_NORMS, ATTENTION, OPTIONAL_OUTPUT_BIAS, GATED_FEED_FORWARD],
);

pub(super) const EXAONE: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[TIED, ROPE_FREQUENCIES, PRE_NORMS, ATTENTION, GATED_FEED_FORWARD],
);

pub(super) const INTERNLM2: Requirements =
    Requirements::new(&[RMS_NORM, HEADS, FEED_FORWARD], &[UNTIED, PRE_NORMS, ATTENTION, GATED_FEED_FORWARD]);

pub(super) const GRANITE: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, &[key("{arch}.feed_forward_length"), key("{arch}.logit_scale")], EXPERT_COUNTS],
    &[
        TIED,
        ROPE_FREQUENCIES,
        ROPE_FACTORS,
        PRE_NORMS,
        ATTENTION,
        OPTIONAL_OUTPUT_BIAS,
        GATED_FEED_FORWARD,
        OPTIONAL_FEED_FORWARD_BIASES,
        ROUTER,
        OPTIONALLY_GATED_EXPERTS,
        &[blocks(&["ffn_gate_shexp.weight", "ffn_up_shexp.weight", "ffn_down_shexp.weight"])
            .when(&[Condition::Experts, Condition::Positive("{arch}.expert_shared_feed_forward_length")])],
    ],
)
.experts(ExpertBlocks::IfCounted);

pub(super) const QWEN3: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[TIED, PRE_NORMS, ATTENTION, QUERY_KEY_NORMS, GATED_FEED_FORWARD, &[model(&["cls.output.weight"]).optional()]],
);

pub(super) const GEMMA: Requirements =
    Requirements::new(&[RMS_NORM, HEADS, FEED_FORWARD], &[ALWAYS_TIED, PRE_NORMS, ATTENTION, GATED_FEED_FORWARD]);

pub(super) const GEMMA2: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[ALWAYS_TIED, PRE_NORMS, ATTENTION, POST_NORMS, GATED_FEED_FORWARD],
);

pub(super) const GEMMA3: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        PRE_NORMS,
        ATTENTION,
        QUERY_KEY_NORMS,
        POST_NORMS,
        GATED_FEED_FORWARD,
        &[model(&["dense_2.weight", "dense_3.weight"]).optional()],
    ],
);

pub(super) const GEMMA3N: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD, &[key("{arch}.attention.sliding_window")]],
    &[
        TIED,
        &[model(&[
            "altup_proj.weight",
            "altup_unembd_proj.weight",
            "per_layer_token_embd.weight",
            "per_layer_model_proj.weight",
            "per_layer_proj_norm.weight",
        ])],
        PRE_NORMS,
        ATTENTION,
        QUERY_KEY_NORMS,
        POST_NORMS,
        GATED_FEED_FORWARD,
        &[blocks(&[
            "inp_gate.weight",
            "proj.weight",
            "post_norm.weight",
            "altup_correct_coef.weight",
            "altup_correct_scale.weight",
            "altup_predict_coef.weight",
            "altup_router.weight",
            "altup_router_norm.weight",
            "laurel_l.weight",
            "laurel_r.weight",
            "laurel_post_norm.weight",
        ])],
    ],
);

/// Phi-2: one norm for attention and feed-forward network, which run in parallel.
pub(super) const PHI2: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        UNTIED,
        &[model(&["output.bias"])],
        OUTPUT_NORM_BIAS,
        &[blocks(&["attn_norm.weight", "attn_norm.bias", "attn_output.bias"])],
        ATTENTION,
        FEED_FORWARD_UP_DOWN,
        FEED_FORWARD_BIASES,
    ],
);

/// Phi-3. The loader accepts a model without query, key and value, but llama.cpp cannot run it.
pub(super) const PHI3: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        ROPE_FACTORS,
        PRE_NORMS,
        &[
            blocks(&["attn_qkv.weight"]).or("attn_q.weight"),
            blocks(&["attn_q.weight", "attn_k.weight", "attn_v.weight"]).optional(),
            blocks(&["attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_qkv.bias"]).optional(),
            blocks(&["attn_output.weight"]),
        ],
        FEED_FORWARD_UP_DOWN,
    ],
);

pub(super) const GLM4: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[TIED, PRE_NORMS, ATTENTION, POST_NORMS, FEED_FORWARD_UP_DOWN, NEXT_TOKEN, NEXT_TOKEN_LAYERS],
)
.next_token(NextTokenBlocks::Required);

/// Command R: one norm for attention and feed-forward network. The largest model also has norms of queries and keys.
pub(super) const COMMAND_R: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        ALWAYS_TIED,
        ATTENTION_NORM,
        ATTENTION,
        &[blocks(&["attn_q_norm.weight", "attn_k_norm.weight"]).when(&[Condition::BlockCountAtLeast(64)])],
        GATED_FEED_FORWARD,
    ],
);

pub(super) const COHERE2: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD, &[key("{arch}.attention.sliding_window"), key("{arch}.logit_scale")]],
    &[ALWAYS_TIED, ATTENTION_NORM, ATTENTION, GATED_FEED_FORWARD],
);

/// OLMo 2 and 3: norms only after attention and feed-forward network.
pub(super) const OLMO2: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[UNTIED, ATTENTION, QUERY_KEY_NORMS, POST_NORMS, GATED_FEED_FORWARD],
);

pub(super) const EXAONE4: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD],
    &[TIED, ROPE_FREQUENCIES, ATTENTION, QUERY_KEY_NORMS, POST_NORMS, GATED_FEED_FORWARD, NEXT_TOKEN],
)
.next_token(NextTokenBlocks::Required);

/// MiniCPM3: queries, keys and values through low-rank projections.
pub(super) const MINICPM3: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        FEED_FORWARD,
        &[
            key("{arch}.attention.q_lora_rank"),
            key("{arch}.attention.kv_lora_rank"),
            key("{arch}.rope.dimension_count"),
        ],
    ],
    &[
        TIED,
        ROPE_FACTORS,
        PRE_NORMS,
        &[blocks(&[
            "attn_q_a.weight",
            "attn_q_a_norm.weight",
            "attn_q_b.weight",
            "attn_kv_a_mqa.weight",
            "attn_kv_a_norm.weight",
            "attn_kv_b.weight",
            "attn_output.weight",
        ])],
        GATED_FEED_FORWARD,
    ],
);

pub(super) const STABLELM: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        UNTIED,
        OUTPUT_NORM_BIAS,
        &[
            blocks(&["attn_norm.weight", "attn_norm.bias"]),
            blocks(&["ffn_norm.weight", "ffn_norm.bias", "attn_q_norm.weight", "attn_k_norm.weight"]).optional(),
        ],
        ATTENTION,
        GATED_FEED_FORWARD,
    ],
);

pub(super) const STARCODER2: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        OUTPUT_NORM_BIAS,
        BIASED_PRE_NORMS,
        ATTENTION,
        &[blocks(&["attn_output.bias"])],
        FEED_FORWARD_UP_DOWN,
        FEED_FORWARD_BIASES,
    ],
);

pub(super) const NEMOTRON: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        UNTIED,
        OUTPUT_NORM_BIAS,
        BIASED_PRE_NORMS,
        ATTENTION,
        OPTIONAL_OUTPUT_BIAS,
        FEED_FORWARD_UP_DOWN,
        &[blocks(&["ffn_up.bias", "ffn_down.bias"]).optional()],
    ],
);

pub(super) const GPT2: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        &[model(&["position_embd.weight"])],
        OUTPUT_NORM_BIAS,
        BIASED_PRE_NORMS,
        BIASED_FUSED_ATTENTION,
        FEED_FORWARD_UP_DOWN,
        FEED_FORWARD_BIASES,
    ],
);

pub(super) const GPTNEOX: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD, &[key("{arch}.use_parallel_residual")]],
    &[UNTIED, OUTPUT_NORM_BIAS, BIASED_PRE_NORMS, BIASED_FUSED_ATTENTION, FEED_FORWARD_UP_DOWN, FEED_FORWARD_BIASES],
);

pub(super) const BLOOM: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        TOKEN_EMBEDDING_NORM,
        OUTPUT_NORM_BIAS,
        BIASED_PRE_NORMS,
        BIASED_FUSED_ATTENTION,
        FEED_FORWARD_UP_DOWN,
        FEED_FORWARD_BIASES,
    ],
);

/// MPT: every bias is optional.
pub(super) const MPT: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        &[model(&["position_embd.weight", "output_norm.bias"]).optional()],
        PRE_NORMS,
        &[blocks(&["attn_qkv.weight", "attn_output.weight"])],
        FEED_FORWARD_UP_DOWN,
        &[blocks(&[
            "attn_norm.bias",
            "attn_qkv.bias",
            "attn_output.bias",
            "attn_q_norm.weight",
            "attn_q_norm.bias",
            "attn_k_norm.weight",
            "attn_k_norm.bias",
            "ffn_norm.bias",
            "ffn_up.bias",
            "ffn_down.bias",
            "ffn.act.scales",
        ])
        .optional()],
    ],
);

/// Falcon: the larger models have a second norm.
pub(super) const FALCON: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD],
    &[
        TIED,
        OUTPUT_NORM_BIAS,
        &[
            blocks(&["attn_norm.weight", "attn_norm.bias", "attn_qkv.weight", "attn_output.weight"]),
            blocks(&["attn_norm_2.weight", "attn_norm_2.bias"]).optional(),
        ],
        FEED_FORWARD_UP_DOWN,
    ],
);
