//! Kimi VL: the encoder MoonViT.

use alloc::string::String;
use alloc::vec::Vec;

use super::qwen2_vl::query_key_value;
use super::reading::{Kind, as_it_is};
use super::row::{ENCODER, Projector, USE_GELU, VISION, kind_of_projector};
use super::siglip::LINEAR_LAYERS;
use crate::model::config::Config;
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, Found, Piece, name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::keys::Key;
use gguf_format::error::Result;

const RULES: Rules = rules![
    name("vision_tower.patch_embed.proj", "v.patch_embd"),
    whole("vision_tower.patch_embed.pos_emb.weight", "v.position_embd.weight").with(Change::Custom(positions)),
    name("vision_tower.encoder.blocks.#.norm0", "v.blk.#.ln1"),
    name("vision_tower.encoder.blocks.#.norm1", "v.blk.#.ln2"),
    name("vision_tower.encoder.blocks.#.wqkv", "v.blk.#.attn_").with(Change::Custom(query_key_value)),
    name("vision_tower.encoder.blocks.#.wo", "v.blk.#.attn_out"),
    name("vision_tower.encoder.blocks.#.mlp.fc0", "v.blk.#.ffn_up"),
    name("vision_tower.encoder.blocks.#.mlp.fc1", "v.blk.#.ffn_down"),
    name("vision_tower.encoder.final_layernorm", "v.post_ln"),
    name("multi_modal_projector.pre_norm", "mm.input_norm"),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["KimiVLForConditionalGeneration"],
    reads: &[as_it_is("kimi_vl")],
    adjust: |encoders, _| {
        let vision = encoders.vision_mut()?;
        vision.set("image_size", (64 * 14).into());
        if vision.get("layer_norm_eps").is_none() {
            vision.set("layer_norm_eps", 1e-5.into());
        }
        Ok(())
    },
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("kimivl"),
            USE_GELU,
            Key::FixedUnsigned("vision.projector.scale_factor", 2),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
        ],
    )],
    family: Family { rename, rules: &[LINEAR_LAYERS, RULES], ..ENCODER },
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    let is_used = name.contains("vision_tower") || name.contains("multi_modal_projector");
    (is_used && !name.contains("language_model.")).then(|| name.into())
}

/// The vectors of a grid of positions, row by row.
fn positions(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(3)?;
    let [rows, columns, width] = view.shape()[..] else { return Ok(Vec::new()) };
    Ok(vec![Piece { shape: vec![rows * columns, width], ..found.piece(view) }])
}
