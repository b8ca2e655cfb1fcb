//! InternLM 2.

use alloc::vec::Vec;

use super::row::{DECODER, Family};
use super::rule::{Change, Found, Piece, name};
use super::rule_text::{Rules, rules};
use crate::model::config::ConfigRules;
use crate::model::tensors::view::View;
use crate::model::vocabulary::Vocabulary;
use gguf_format::error::{Result, error};

const RULES: Rules = rules![
    name("tok_embeddings", "token_embd"),
    name("norm", "output_norm"),
    name("output", "output"),
    name("layers.#.attention_norm", "blk.#.attn_norm"),
    name("layers.#.ffn_norm", "blk.#.ffn_norm"),
    name("layers.#.attention.wqkv", "").with(Change::Custom(separate_projections)),
    name("layers.#.attention.wo", "blk.#.attn_output"),
    name("layers.#.feed_forward.w1", "blk.#.ffn_gate"),
    name("layers.#.feed_forward.w2", "blk.#.ffn_down"),
    name("layers.#.feed_forward.w3", "blk.#.ffn_up"),
];

pub(super) const FAMILIES: &[Family] = &[Family {
    classes: &["InternLM2ForCausalLM"],
    architecture: "internlm2",
    vocabulary: Vocabulary::InternLm2,
    // transformers does not have the class.
    config: ConfigRules::AsItIs(&["internlm2"]),
    rules: &[RULES],
    ..DECODER
}];

/// Rows are stored group by group: the queries of the group, a key, a value. They become three tensors, and the halves of each head
/// of queries and keys are interleaved.
fn separate_projections(found: &Found<'_>) -> Result<Vec<Piece>> {
    let config = found.config;
    let (heads, groups) = (config.heads()?, config.required(&["num_key_value_heads"])?);
    let size = config.required(&["hidden_size"])?;
    if groups == 0 || !heads.is_multiple_of(groups) || !(size / heads).is_multiple_of(2) || !size.is_multiple_of(heads)
    {
        return Err(error!(BadJson:
            "the configuration has {heads} heads, {groups} heads of keys, and a hidden size of {size}: expected multiples"));
    }
    let (queries, head) = (u64::from(heads / groups), u64::from(size / heads));
    let columns = found.view.clone().with_rank(2)?.axes[1].length;
    let view = found.view.clone().divided(0, &[Some(u64::from(groups)), Some(queries + 2), Some(head)])?;
    let part = |target, start, length, is_rotated| -> Result<Piece> {
        let mut part: View = view.clone().sliced(1, start, 1, length)?;
        if is_rotated {
            part = part.divided(2, &[Some(2), None])?.swapped(2, 3)?;
        }
        let mut piece = found.piece_named(target, part);
        piece.shape = vec![u64::from(groups) * length * head, columns];
        Ok(piece)
    };
    Ok(vec![
        part("blk.#.attn_q", 0, queries, true)?,
        part("blk.#.attn_k", queries, 1, true)?,
        part("blk.#.attn_v", queries + 1, 1, false)?,
    ])
}
