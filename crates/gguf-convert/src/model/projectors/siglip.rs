//! The names of the encoder of SigLIP, which several families have under other prefixes.

use alloc::vec::Vec;

use crate::model::families::rule::{Found, Piece, name};
use crate::model::families::rule_text::{Rules, rules};
use gguf_format::error::Result;

/// The tensors of the encoder, without their prefix.
pub(super) const SIGLIP: Rules = rules![
    name("embeddings.position_embedding", "v.position_embd"),
    name("post_layernorm", "v.post_ln"),
    name("encoder.layers.#.layer_norm1", "v.blk.#.ln1"),
    name("encoder.layers.#.layer_norm2", "v.blk.#.ln2"),
    name("encoder.layers.#.self_attn.q_proj", "v.blk.#.attn_q"),
    name("encoder.layers.#.self_attn.k_proj", "v.blk.#.attn_k"),
    name("encoder.layers.#.self_attn.v_proj", "v.blk.#.attn_v"),
    name("encoder.layers.#.self_attn.out_proj", "v.blk.#.attn_out"),
    name("encoder.layers.#.mlp.fc1", "v.blk.#.ffn_up"),
    name("encoder.layers.#.mlp.fc2", "v.blk.#.ffn_down"),
];

/// The embedding of the pixels of a patch.
pub(super) const PATCHES: Rules = rules![name("embeddings.patch_embedding", "v.patch_embd")];

/// Two linear layers from the encoder to the text.
pub(super) const LINEAR_LAYERS: Rules =
    rules![name("multi_modal_projector.linear_1", "mm.1"), name("multi_modal_projector.linear_2", "mm.2")];

/// The embedding of the pixels of a patch, if they are stored with their colours last. Without `side`, a patch is as large as fits.
///
/// # Errors
///
/// `bad-safetensors` if the shape is another one.
pub(super) fn colours_first(found: &Found<'_>, side: Option<u64>) -> Result<Vec<Piece>> {
    if found.suffix == ".bias" {
        return Ok(vec![found.piece(found.view.clone())]);
    }
    let view = found.view.clone().with_rank(2)?;
    let side = side.unwrap_or_else(|| (view.axes[1].length / 3).isqrt());
    let view = view.divided(1, &[Some(side), Some(side), Some(3)])?;
    Ok(vec![found.piece(view.swapped(1, 3)?.swapped(2, 3)?)])
}
