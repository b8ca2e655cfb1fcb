//! Models with an encoder: BERT and its relatives, and T5.

use super::parts::*;
use super::requirements::{
    Condition, ExpertBlocks, RequiredKey, Requirements, TensorGroup, blocks, decoder_blocks, encoder_blocks, key, model,
};

const TOKEN_TYPES: &[RequiredKey] = &[key("tokenizer.ggml.token_type_count")];

/// The tensors that BERT and Nomic BERT have in common. Norms follow attention and feed-forward network.
const BERT_TENSORS: &[TensorGroup] = &[
    model(&["token_embd.weight", "token_embd_norm.weight", "token_embd_norm.bias"]),
    model(&["token_types.weight"]).optional(),
    blocks(&["attn_output_norm.weight", "attn_output_norm.bias", "layer_output_norm.weight", "layer_output_norm.bias"]),
    blocks(&["ffn_up.bias", "ffn_down.bias"]).optional().when(&[Condition::Dense]),
];

pub(super) const BERT: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, FEED_FORWARD, TOKEN_TYPES],
    &[
        BERT_TENSORS,
        &[
            model(&["position_embd.weight"]),
            model(&["cls.weight", "cls.bias", "cls.output.weight", "cls.output.bias"]).optional(),
        ],
        ATTENTION,
        OPTIONAL_OUTPUT_BIAS,
        FEED_FORWARD_UP_DOWN,
    ],
);

pub(super) const NOMIC_BERT: Requirements = Requirements::new(
    &[LAYER_NORM, HEADS, &[key("{arch}.feed_forward_length")], TOKEN_TYPES],
    &[
        BERT_TENSORS,
        ATTENTION,
        OPTIONAL_OUTPUT_BIAS,
        GATED_FEED_FORWARD,
        ROUTER,
        &[blocks(&["ffn_up_exps.weight", "ffn_down_exps.weight"]).when(&[Condition::Experts])],
    ],
)
.experts(ExpertBlocks::SecondOfEach);

/// T5: the number of blocks of the decoder is `{arch}.decoder_block_count`, else that of the encoder.
pub(super) const T5: Requirements = Requirements::new(
    &[RMS_NORM, HEADS, FEED_FORWARD, &[key("{arch}.attention.relative_buckets_count")]],
    &[&[
        model(&["token_embd.weight", "enc.output_norm.weight", "dec.output_norm.weight"]),
        model(&["output.weight"]).tied(),
        encoder_blocks(T5_BLOCK),
        encoder_blocks(&["attn_rel_b.weight", "ffn_gate.weight"]).optional(),
        decoder_blocks(T5_BLOCK),
        decoder_blocks(&[
            "cross_attn_norm.weight",
            "cross_attn_q.weight",
            "cross_attn_k.weight",
            "cross_attn_v.weight",
            "cross_attn_o.weight",
        ]),
        decoder_blocks(&["attn_rel_b.weight", "cross_attn_rel_b.weight", "ffn_gate.weight"]).optional(),
    ]],
);

/// The tensors of a block of the encoder and of a block of the decoder.
const T5_BLOCK: &[&str] = &[
    "attn_norm.weight",
    "attn_q.weight",
    "attn_k.weight",
    "attn_v.weight",
    "attn_o.weight",
    "ffn_norm.weight",
    "ffn_up.weight",
    "ffn_down.weight",
];
