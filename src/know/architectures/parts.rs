//! Keys and tensors that many architectures share.

use super::requirements::{Condition, RequiredKey, TensorGroup, blocks, key, model};

// Keys

pub(super) const RMS_NORM: &[RequiredKey] = &[key("{arch}.attention.layer_norm_rms_epsilon")];
pub(super) const LAYER_NORM: &[RequiredKey] = &[key("{arch}.attention.layer_norm_epsilon")];

/// llama.cpp takes the key as 0 if it is missing. The tensors then have the wrong shape.
pub(super) const HEADS: &[RequiredKey] = &[key("{arch}.attention.head_count")];

/// llama.cpp takes the key as 0 if it is missing. The tensors of a block without experts then have the wrong shape.
pub(super) const FEED_FORWARD: &[RequiredKey] = &[key("{arch}.feed_forward_length").when(&[Condition::Dense])];

/// Models with experts: without these keys llama.cpp takes both numbers as 0, and refuses the model.
pub(super) const EXPERT_COUNTS: &[RequiredKey] = &[
    key("{arch}.expert_count").when(&[Condition::Experts]),
    key("{arch}.expert_used_count").when(&[Condition::Experts]),
];

/// The length of an expert is either given or the quotient of two keys.
pub(super) const EXPERT_LENGTH_OR_QUOTIENT: &[RequiredKey] =
    &[key("{arch}.expert_feed_forward_length").or("{arch}.feed_forward_length")];

pub(super) const STATE_SPACE: &[RequiredKey] = &[
    key("{arch}.ssm.conv_kernel"),
    key("{arch}.ssm.inner_size"),
    key("{arch}.ssm.state_size"),
    key("{arch}.ssm.time_step_rank"),
];
pub(super) const STATE_SPACE_GROUPS: &[RequiredKey] = &[key("{arch}.ssm.group_count")];

// Tensors outside of the blocks

/// The output layer may be the token embedding.
pub(super) const TIED: &[TensorGroup] =
    &[model(&["token_embd.weight", "output_norm.weight"]), model(&["output.weight"]).tied()];

/// The output layer is the token embedding, and llama.cpp does not look for another.
pub(super) const ALWAYS_TIED: &[TensorGroup] = &[model(&["token_embd.weight", "output_norm.weight"])];

pub(super) const UNTIED: &[TensorGroup] = &[model(&["token_embd.weight", "output_norm.weight", "output.weight"])];

pub(super) const OUTPUT_NORM_BIAS: &[TensorGroup] = &[model(&["output_norm.bias"])];

pub(super) const TOKEN_EMBEDDING_NORM: &[TensorGroup] = &[model(&["token_embd_norm.weight", "token_embd_norm.bias"])];

pub(super) const ROPE_FREQUENCIES: &[TensorGroup] = &[model(&["rope_freqs.weight"]).optional()];

pub(super) const ROPE_FACTORS: &[TensorGroup] =
    &[model(&["rope_factors_long.weight", "rope_factors_short.weight"]).optional()];

// Norms of a block

pub(super) const ATTENTION_NORM: &[TensorGroup] = &[blocks(&["attn_norm.weight"])];

/// RMS norms before the attention and before the feed-forward network.
pub(super) const PRE_NORMS: &[TensorGroup] = &[blocks(&["attn_norm.weight", "ffn_norm.weight"])];

/// Layer norms, which have a bias, before the attention and before the feed-forward network.
pub(super) const BIASED_PRE_NORMS: &[TensorGroup] =
    &[blocks(&["attn_norm.weight", "attn_norm.bias", "ffn_norm.weight", "ffn_norm.bias"])];

pub(super) const POST_ATTENTION_NORM: &[TensorGroup] = &[blocks(&["post_attention_norm.weight"])];

/// Norms after the attention and after the feed-forward network.
pub(super) const POST_NORMS: &[TensorGroup] = &[blocks(&["post_attention_norm.weight", "post_ffw_norm.weight"])];

// Attention

/// Query, key and value: three tensors or one.
pub(super) const ATTENTION: &[TensorGroup] = &[
    blocks(&["attn_q.weight", "attn_k.weight", "attn_v.weight"]).or("attn_qkv.weight").when(&[Condition::Attention]),
    blocks(&["attn_output.weight"]).when(&[Condition::Attention]),
    blocks(&["attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_qkv.bias"]).optional().when(&[Condition::Attention]),
];

/// Norms of the queries and of the keys.
pub(super) const QUERY_KEY_NORMS: &[TensorGroup] =
    &[blocks(&["attn_q_norm.weight", "attn_k_norm.weight"]).when(&[Condition::Attention])];

/// Attention whose query, key and value are one tensor, with biases.
pub(super) const BIASED_FUSED_ATTENTION: &[TensorGroup] =
    &[blocks(&["attn_qkv.weight", "attn_qkv.bias", "attn_output.weight", "attn_output.bias"])];

pub(super) const OPTIONAL_OUTPUT_BIAS: &[TensorGroup] = &[blocks(&["attn_output.bias"]).optional()];

// Feed-forward networks

pub(super) const GATED_FEED_FORWARD: &[TensorGroup] =
    &[blocks(&["ffn_gate.weight", "ffn_up.weight", "ffn_down.weight"]).when(&[Condition::Dense])];

pub(super) const OPTIONAL_FEED_FORWARD_BIASES: &[TensorGroup] =
    &[blocks(&["ffn_gate.bias", "ffn_up.bias", "ffn_down.bias"]).optional().when(&[Condition::Dense])];

/// A feed-forward network without a gate, or with the gate in `ffn_up`.
pub(super) const FEED_FORWARD_UP_DOWN: &[TensorGroup] =
    &[blocks(&["ffn_up.weight", "ffn_down.weight"]).when(&[Condition::Dense])];

pub(super) const FEED_FORWARD_BIASES: &[TensorGroup] =
    &[blocks(&["ffn_up.bias", "ffn_down.bias"]).when(&[Condition::Dense])];

// Experts

pub(super) const ROUTER: &[TensorGroup] = &[blocks(&["ffn_gate_inp.weight"]).when(&[Condition::Experts])];

pub(super) const EXPERTS: &[TensorGroup] =
    &[blocks(&["ffn_gate_exps.weight", "ffn_up_exps.weight", "ffn_down_exps.weight"]).when(&[Condition::Experts])];

/// Experts that may have gate and up in one tensor.
pub(super) const FUSABLE_EXPERTS: &[TensorGroup] = &[
    blocks(&["ffn_gate_exps.weight", "ffn_up_exps.weight"]).or("ffn_gate_up_exps.weight").when(&[Condition::Experts]),
    blocks(&["ffn_down_exps.weight"]).when(&[Condition::Experts]),
];

/// Experts whose gate llama.cpp does not require.
pub(super) const OPTIONALLY_GATED_EXPERTS: &[TensorGroup] = &[
    blocks(&["ffn_up_exps.weight", "ffn_down_exps.weight"]).when(&[Condition::Experts]),
    blocks(&["ffn_gate_exps.weight"]).optional().when(&[Condition::Experts]),
];

/// The expert that every token uses.
pub(super) const SHARED_EXPERT: &[TensorGroup] =
    &[blocks(&["ffn_gate_shexp.weight", "ffn_up_shexp.weight", "ffn_down_shexp.weight"]).when(&[Condition::Experts])];

pub(super) const SHARED_EXPERT_ROUTER: &[TensorGroup] =
    &[blocks(&["ffn_gate_inp_shexp.weight"]).when(&[Condition::Experts])];

// Blocks that predict further tokens

pub(super) const NEXT_TOKEN: &[TensorGroup] = &[
    blocks(&["nextn.eh_proj.weight", "nextn.enorm.weight", "nextn.hnorm.weight"]).when(&[Condition::NextToken]),
    blocks(&["nextn.shared_head_norm.weight"]).optional().when(&[Condition::NextToken]),
];

/// A token embedding and an output layer of their own.
pub(super) const NEXT_TOKEN_LAYERS: &[TensorGroup] =
    &[blocks(&["nextn.embed_tokens.weight", "nextn.shared_head_head.weight"]).optional().when(&[Condition::NextToken])];
