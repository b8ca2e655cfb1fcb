//! Names of the draft from before the first release of the format. No tool ever wrote them, but the specification still
//! mentions some.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// Draft name of the address from which the weights were taken.
    "general.url.original_source" STRING DRAFT "Old draft: source", deprecated "general.source.url";
    /// Draft name of the probabilities of vocabulary entries.
    "tokenizer.embedded.scores" FLOATS DRAFT "Old draft: token scores", deprecated "tokenizer.ggml.scores";
    /// Draft name of the vocabulary, a list of text pieces.
    "tokenizer.embedded.tokens" STRINGS DRAFT "Old draft: tokens", deprecated "tokenizer.ggml.tokens";
    /// Draft name of the number that sets ALiBi slopes; larger numbers give gentler slopes.
    "{arch}.attention.alibi_bias_max" FLOAT32 SPEC_DRAFT "Old draft: largest ALiBi bias",
        deprecated "{arch}.attention.max_alibi_bias",
        note "The specification still requires it for MPT. Every program writes and reads max_alibi_bias.";
    /// Draft name of the largest absolute value of queries, keys and values.
    "{arch}.attention.clip_kqv" FLOAT32 SPEC_DRAFT "Old draft: query, key and value limit",
        deprecated "{arch}.attention.clamp_kqv",
        note "The specification still requires it for MPT. Every program writes and reads clamp_kqv.";
    /// Draft name of the number of heads that attention computes in parallel.
    "{arch}.attention.num_heads" UINT32 DRAFT "Old draft: attention heads",
        unit "heads", deprecated "{arch}.attention.head_count";
    /// Draft name of the width in which one token is represented.
    "{arch}.hidden_size" UINT32 DRAFT "Old draft: embedding length", unit "elements", deprecated "{arch}.embedding_length";
    /// Draft name of the longest text that was trained on.
    "{arch}.max_seq_len" UINT32 DRAFT "Old draft: context length", unit "tokens", deprecated "{arch}.context_length";
    /// Draft name of the number of transformer blocks.
    "{arch}.num_layers" UINT32 DRAFT "Old draft: block count", unit "blocks", deprecated "{arch}.block_count";
    /// Draft name of the multiple to which the feed-forward width is rounded.
    "{arch}.num_mult" UINT32 DRAFT "Old draft: feed-forward multiple", deprecated "{arch}.feed_forward_length";
    /// Draft name of rotated elements in GPT-NeoX and GPT-J.
    "{arch}.num_rot" UINT32 DRAFT "Old draft: GPT rotary dimensions", deprecated "{arch}.rope.dimension_count";
    /// Draft name of rotated elements, as a share of the head width.
    "{arch}.num_rotary" UINT32 DRAFT "Old draft: computed rotary dimensions", deprecated "{arch}.rope.dimension_count";
    /// A factor for longer contexts that the specification lists without a meaning.
    "{arch}.rope.scale" FLOAT32 SPEC "RoPE scale, undefined", deprecated "{arch}.rope.scaling.factor",
        note "The specification lists it for LLaMA, GPT-NeoX and GPT-J, and defines it nowhere. No program reads it.";
    /// Draft name of rotated elements in LLaMA.
    "{arch}.rot" UINT32 DRAFT "Old draft: LLaMA rotary dimensions", deprecated "{arch}.rope.dimension_count";
};
