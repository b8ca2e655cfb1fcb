//! GLM 4.1V and 4.5V, and GLM OCR.

use super::encoders::Encoders;
use super::qwen3_vl::{BLOCKS, counts, rename};
use super::reading::{Kind, as_it_is, with_class};
use super::row::{ENCODER, Projector, VISION, kind_of_projector};
use crate::model::entries::EntryValue;
use crate::model::families::row::Family;
use crate::model::families::rule::name;
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::{Key, Keys};
use gguf_format::error::Result;

const DEFAULTS: &str = r#"{"depth":24,"hidden_size":1536,"hidden_act":"silu","num_heads":12,"image_size":336,"patch_size":14,"intermediate_size":13696,"rms_norm_eps":1e-05}"#;

const RULES: Rules = rules![
    name("visual.embeddings.position_embedding", "v.position_embd"),
    name("visual.post_conv_layernorm", "v.norm_embd"),
    name("visual.post_layernorm", "v.post_ln"),
    name("visual.downsample", "mm.patch_merger"),
    name("visual.blocks.#.attn.q_norm", "v.blk.#.attn_q_norm"),
    name("visual.blocks.#.attn.k_norm", "v.blk.#.attn_k_norm"),
    name("visual.blocks.#.mlp.gate_proj", "v.blk.#.ffn_gate"),
    name("visual.blocks.#.mlp.up_proj", "v.blk.#.ffn_up"),
    name("visual.blocks.#.mlp.down_proj", "v.blk.#.ffn_down"),
    name("visual.merger.proj", "mm.model.fc"),
    name("visual.merger.post_projection_norm", "mm.post_norm"),
    name("visual.merger.gate_proj", "mm.gate"),
    name("visual.merger.up_proj", "mm.up"),
    name("visual.merger.down_proj", "mm.down"),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Glm4vForConditionalGeneration", "Glm4vMoeForConditionalGeneration", "GlmOcrForConditionalGeneration"],
    reads: &[
        with_class("glm4v", DEFAULTS, "glm4v_text"),
        with_class("glm4v_moe", DEFAULTS, "glm4v_moe_text"),
        as_it_is("glm_ocr"),
    ],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("glm4v"),
            Key::Call(activation),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["rms_norm_eps"]),
        ],
    )],
    family: Family { rename, rules: &[BLOCKS, RULES], ..ENCODER },
    ..VISION
}];

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    let vision = encoders.vision_mut()?;
    if vision.get("rms_norm_eps").is_none() {
        vision.set("rms_norm_eps", 1e-5.into());
    }
    counts(vision)
}

/// `use_gelu` or `use_silu`. Neither for another function.
fn activation(keys: &mut Keys<'_>) -> Result<()> {
    let key = match keys.config.text(&["hidden_act"])? {
        Some(name) if name.eq_ignore_ascii_case("gelu") => "use_gelu",
        Some(name) if name.eq_ignore_ascii_case("silu") => "use_silu",
        _ => return Ok(()),
    };
    keys.put(key, EntryValue::Bool(true));
    Ok(())
}
