//! Rules that many decoders share.

use super::rule::{name, whole};
use super::rule_text::{Rules, rules};

/// Embedding, last norm and output.
pub(super) const ENDS: Rules =
    rules![name("embed_tokens", "token_embd"), name("norm", "output_norm"), name("lm_head", "output")];

/// The attention with separate projections.
pub(super) const ATTENTION: Rules = rules![
    name("layers.#.self_attn.q_proj", "blk.#.attn_q"),
    name("layers.#.self_attn.k_proj", "blk.#.attn_k"),
    name("layers.#.self_attn.v_proj", "blk.#.attn_v"),
    name("layers.#.self_attn.o_proj", "blk.#.attn_output"),
];

/// Norms of the queries and the keys.
pub(super) const QUERY_KEY_NORMS: Rules = rules![
    name("layers.#.self_attn.q_norm", "blk.#.attn_q_norm"),
    name("layers.#.self_attn.k_norm", "blk.#.attn_k_norm")
];

/// The norms before the attention and before the feed-forward network.
pub(super) const NORMS: Rules = rules![
    name("layers.#.input_layernorm", "blk.#.attn_norm"),
    name("layers.#.post_attention_layernorm", "blk.#.ffn_norm")
];

/// The feed-forward network with a gate.
pub(super) const GATED: Rules = rules![
    name("layers.#.mlp.gate_proj", "blk.#.ffn_gate"),
    name("layers.#.mlp.up_proj", "blk.#.ffn_up"),
    name("layers.#.mlp.down_proj", "blk.#.ffn_down"),
];

/// Experts, one tensor each, in the order in which the stacked tensors are written.
pub(super) const EXPERTS: Rules = rules![
    name("layers.#.mlp.experts.@.down_proj", "blk.#.ffn_down_exps"),
    name("layers.#.mlp.experts.@.gate_proj", "blk.#.ffn_gate_exps"),
    name("layers.#.mlp.experts.@.up_proj", "blk.#.ffn_up_exps"),
];

/// A block that predicts later tokens.
pub(super) const NEXT_TOKENS: Rules = rules![
    name("layers.#.eh_proj", "blk.#.nextn.eh_proj"),
    name("layers.#.enorm", "blk.#.nextn.enorm"),
    name("layers.#.hnorm", "blk.#.nextn.hnorm"),
    name("layers.#.embed_tokens", "blk.#.nextn.embed_tokens"),
    name("layers.#.shared_head.head", "blk.#.nextn.shared_head_head"),
    name("layers.#.shared_head.norm", "blk.#.nextn.shared_head_norm"),
];

/// What chooses the experts, and the experts that every token uses.
pub(super) const SHARED_EXPERTS: Rules = rules![
    name("layers.#.mlp.gate", "blk.#.ffn_gate_inp"),
    whole("layers.#.mlp.gate.e_score_correction_bias", "blk.#.exp_probs_b.bias"),
    whole("layers.#.mlp.gate.e_score_correction.bias", "blk.#.exp_probs_b.bias"),
    name("layers.#.mlp.shared_experts.gate_proj", "blk.#.ffn_gate_shexp"),
    name("layers.#.mlp.shared_experts.up_proj", "blk.#.ffn_up_shexp"),
    name("layers.#.mlp.shared_experts.down_proj", "blk.#.ffn_down_shexp"),
];
