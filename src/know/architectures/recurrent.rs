//! State space models, RWKV, and hybrids with attention in some blocks.

use super::parts::*;
use super::requirements::{
    Condition, ExpertBlocks, NextTokenBlocks, RecurrentBlocks, RequiredKey, Requirements, TensorGroup, blocks, key,
    model,
};

pub(super) const MAMBA: Requirements =
    Requirements::new(&[RMS_NORM, STATE_SPACE], &[TIED, ATTENTION_NORM, MAMBA_LAYER]);

/// The layer of Mamba 1. `ssm_a` and `ssm_d` have no suffix.
#[rustfmt::skip]
const MAMBA_LAYER: &[TensorGroup] = &[blocks(&[
    "ssm_in.weight", "ssm_conv1d.weight", "ssm_conv1d.bias", "ssm_x.weight", "ssm_dt.weight", "ssm_dt.bias", "ssm_a",
    "ssm_d", "ssm_out.weight",
])];

#[rustfmt::skip]
pub(super) const MAMBA2: Requirements = Requirements::new(
    &[RMS_NORM, STATE_SPACE, STATE_SPACE_GROUPS],
    &[
        TIED,
        ATTENTION_NORM,
        &[blocks(&[
            "ssm_in.weight", "ssm_conv1d.weight", "ssm_conv1d.bias", "ssm_dt.bias", "ssm_a", "ssm_d", "ssm_norm.weight",
            "ssm_out.weight",
        ])],
    ],
);

/// Jamba: a block has either attention or the layer of Mamba 1 with norms. Some blocks have experts.
#[rustfmt::skip]
pub(super) const JAMBA: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, &[key("{arch}.feed_forward_length")], STATE_SPACE, EXPERT_COUNTS],
    &[
        TIED,
        PRE_NORMS,
        ATTENTION,
        &[blocks(&[
            "ssm_in.weight", "ssm_conv1d.weight", "ssm_conv1d.bias", "ssm_x.weight", "ssm_dt_norm.weight",
            "ssm_dt.weight", "ssm_dt.bias", "ssm_b_norm.weight", "ssm_c_norm.weight", "ssm_a", "ssm_d",
            "ssm_out.weight",
        ])
        .when(&[Condition::Recurrent])],
        GATED_FEED_FORWARD,
        EXPERTS,
        &[blocks(&["ffn_gate_inp.weight"]).optional()],
    ],
)
.experts(ExpertBlocks::WithRouter)
.recurrent(RecurrentBlocks::WithoutKeyValueHeads);

/// Falcon-H1: each block has attention and the layer of Mamba 2. `ffn_norm` has no suffix.
pub(super) const FALCON_H1: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD, STATE_SPACE, STATE_SPACE_GROUPS],
    &[
        TIED,
        ROPE_FREQUENCIES,
        ATTENTION_NORM,
        &[blocks(&["ffn_norm"])],
        ATTENTION,
        OPTIONAL_OUTPUT_BIAS,
        &[
            blocks(&["ssm_in.weight", "ssm_conv1d.weight", "ssm_dt.bias", "ssm_a", "ssm_d", "ssm_out.weight"]),
            blocks(&["ssm_conv1d.bias", "ssm_norm.weight"]).optional(),
        ],
        GATED_FEED_FORWARD,
        OPTIONAL_FEED_FORWARD_BIASES,
    ],
);

/// Qwen3-Next: linear attention in most blocks, experts in all.
#[rustfmt::skip]
pub(super) const QWEN3NEXT: Requirements = Requirements::new(
    &[
        RMS_NORM,
        HEADS,
        EXPERT_COUNTS,
        EXPERT_LENGTH_OR_QUOTIENT,
        &[key("{arch}.expert_shared_feed_forward_length").or("{arch}.feed_forward_length")],
        STATE_SPACE,
        STATE_SPACE_GROUPS,
    ],
    &[
        TIED,
        ATTENTION_NORM,
        POST_ATTENTION_NORM,
        ATTENTION,
        QUERY_KEY_NORMS,
        &[
            blocks(&[
                "ssm_conv1d.weight", "ssm_dt.bias", "ssm_a", "ssm_ba.weight", "ssm_norm.weight", "ssm_out.weight",
            ])
            .when(&[Condition::Recurrent]),
            blocks(&["ssm_in.weight", "attn_qkv.weight", "attn_gate.weight"]).optional().when(&[Condition::Recurrent]),
        ],
        ROUTER,
        FUSABLE_EXPERTS,
        SHARED_EXPERT_ROUTER,
        SHARED_EXPERT,
        NEXT_TOKEN,
        NEXT_TOKEN_LAYERS,
    ],
)
.experts(ExpertBlocks::All)
.recurrent(RecurrentBlocks::BetweenFullAttention)
.next_token(NextTokenBlocks::Separable);

/// LFM2: a block has either attention or a short convolution. The norm of the output is called `token_embd_norm`.
pub(super) const LFM2: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD, &[key("{arch}.shortconv.l_cache")]],
    &[
        &[
            model(&["token_embd.weight", "token_embd_norm.weight"]),
            model(&["output.weight"]).tied(),
            model(&["dense_2.weight", "dense_2.bias"]).optional(),
        ],
        PRE_NORMS,
        ATTENTION,
        QUERY_KEY_NORMS,
        &[blocks(&["shortconv.conv.weight", "shortconv.in_proj.weight", "shortconv.out_proj.weight"])
            .when(&[Condition::Recurrent])],
        GATED_FEED_FORWARD,
    ],
)
.recurrent(RecurrentBlocks::WithoutKeyValueHeads);

const RWKV_KEYS: &[RequiredKey] = &[key("{arch}.wkv.head_size"), key("{arch}.feed_forward_length")];

/// The tensors that RWKV 6 and 7 have in common.
#[rustfmt::skip]
const RWKV: &[TensorGroup] = &[blocks(&[
    "attn_norm.weight", "attn_norm.bias", "attn_norm_2.weight", "attn_norm_2.bias", "time_mix_w1.weight",
    "time_mix_w2.weight", "time_mix_key.weight", "time_mix_value.weight", "time_mix_receptance.weight",
    "time_mix_ln.weight", "time_mix_ln.bias", "time_mix_output.weight", "channel_mix_lerp_k.weight",
    "channel_mix_key.weight", "channel_mix_value.weight",
])];

/// RWKV 6: the five interpolation weights are one tensor or five.
#[rustfmt::skip]
pub(super) const RWKV6: Requirements = Requirements::new(
    &[RWKV_KEYS, &[key("{arch}.time_mix_extra_dim"), key("{arch}.time_decay_extra_dim")]],
    &[
        UNTIED,
        OUTPUT_NORM_BIAS,
        TOKEN_EMBEDDING_NORM,
        RWKV,
        &[
            blocks(&[
                "time_mix_lerp_x.weight", "time_mix_first.weight", "time_mix_decay.weight", "time_mix_decay_w1.weight",
                "time_mix_decay_w2.weight", "time_mix_gate.weight", "channel_mix_lerp_r.weight",
                "channel_mix_receptance.weight",
            ]),
            blocks(&["time_mix_lerp_fused.weight"]).or("time_mix_lerp_w.weight"),
            blocks(&[
                "time_mix_lerp_k.weight",
                "time_mix_lerp_v.weight",
                "time_mix_lerp_r.weight",
                "time_mix_lerp_g.weight",
            ])
            .optional(),
        ],
    ],
);

#[rustfmt::skip]
pub(super) const RWKV7: Requirements = Requirements::new(
    &[
        RWKV_KEYS,
        &[
            key("{arch}.attention.decay_lora_rank"),
            key("{arch}.attention.iclr_lora_rank"),
            key("{arch}.attention.value_residual_mix_lora_rank"),
        ],
    ],
    &[
        UNTIED,
        OUTPUT_NORM_BIAS,
        TOKEN_EMBEDDING_NORM,
        RWKV,
        &[blocks(&[
            "time_mix_w0.weight", "time_mix_a0.weight", "time_mix_a1.weight", "time_mix_a2.weight",
            "time_mix_v0.weight", "time_mix_v1.weight", "time_mix_v2.weight", "time_mix_g1.weight",
            "time_mix_g2.weight", "time_mix_lerp_fused.weight", "time_mix_k_k.weight", "time_mix_k_a.weight",
            "time_mix_r_k.weight",
        ])],
    ],
);
