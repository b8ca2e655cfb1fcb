//! Llama 4.

use alloc::string::String;

use super::encoders::Encoders;
use super::internvl::inverse;
use super::reading::{Kind, with_class};
use super::row::{ENCODER, Projector, USE_GELU, VISION, kind_of_projector};
use crate::model::config::{Config, missing};
use crate::model::families::row::Family;
use crate::model::families::rule::{name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::Key;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};

const DEFAULTS: &str = r#"{"hidden_size":768,"hidden_act":"gelu","num_hidden_layers":34,"intermediate_size":5632,"image_size":448,"patch_size":14,"norm_eps":1e-05,"num_attention_heads":16,"pixel_shuffle_ratio":0.5}"#;

const RULES: Rules = rules![
    whole("vision_model.class_embedding", "v.class_embd"),
    name("vision_model.patch_embedding.linear", "v.patch_embd"),
    name("vision_model.positional_embedding_vlm", "v.position_embd"),
    name("vision_model.layernorm_pre", "v.pre_ln"),
    name("vision_model.layernorm_post", "v.post_ln"),
    name("vision_model.model.layers.#.input_layernorm", "v.blk.#.ln1"),
    name("vision_model.model.layers.#.post_attention_layernorm", "v.blk.#.attn_post_norm"),
    name("vision_model.model.layers.#.self_attn.q_proj", "v.blk.#.attn_q"),
    name("vision_model.model.layers.#.self_attn.k_proj", "v.blk.#.attn_k"),
    name("vision_model.model.layers.#.self_attn.v_proj", "v.blk.#.attn_v"),
    name("vision_model.model.layers.#.self_attn.o_proj", "v.blk.#.attn_out"),
    name("vision_model.model.layers.#.mlp.fc1", "v.blk.#.ffn_up"),
    name("vision_model.model.layers.#.mlp.fc2", "v.blk.#.ffn_down"),
    name("vision_model.vision_adapter.mlp.fc1", "mm.model.mlp.1"),
    name("vision_model.vision_adapter.mlp.fc2", "mm.model.mlp.2"),
    // The reference gives a bias the same name, so two tensors would have it.
    whole("multi_modal_projector.linear_1.weight", "mm.model.fc.weight"),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Llama4ForConditionalGeneration"],
    reads: &[with_class("llama4", DEFAULTS, "llama4_text")],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("llama4"),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["norm_eps"]),
            Key::RequiredUnsigned("vision.projector.scale_factor", &["scale_factor"]),
            USE_GELU,
        ],
    )],
    family: Family { rename, rules: &[RULES], ..ENCODER },
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    let is_used = name.contains("multi_modal_projector") || name.contains("vision_model");
    if !is_used || name.contains("language_model.") {
        return None;
    }
    let is_bare = name.contains("positional_embedding_vlm") && !name.contains(".weight");
    Some(if is_bare { format!("{name}.weight") } else { name.into() })
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    let vision = encoders.vision_mut()?;
    let function = vision.text(&["hidden_act"])?.unwrap_or("null");
    if function != "gelu" {
        return Err(error!(UnsupportedModel:
            "the encoder has the activation function \"{}\": expected gelu", Shown(function.as_bytes())));
    }
    let scale = vision.get("pixel_shuffle_ratio").ok_or_else(|| missing(&["pixel_shuffle_ratio"]));
    let scale = inverse("pixel_shuffle_ratio", scale?)?;
    vision.set("scale_factor", scale.into());
    Ok(())
}
