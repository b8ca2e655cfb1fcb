//! InternVL, in the layout of its makers and in that of transformers.

use alloc::string::String;

use serde_json::Value;

use super::encoders::Encoders;
use super::qwen2_vl::{fixed_type, query_key_value};
use super::reading::{Kind, as_it_is, with_class};
use super::row::{ENCODER, Projector, VISION, gelu_or_silu, kind_of_projector};
use super::siglip::{PATCHES, SIGLIP};
use crate::model::config::{Config, float, missing, wrong_type};
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::Key;
use gguf_format::error::Result;

const DEFAULTS: &str = r#"{"hidden_size":1024,"intermediate_size":4096,"num_hidden_layers":24,"num_attention_heads":16,"patch_size":[14,14],"image_size":[448,448],"layer_norm_eps":1e-06,"hidden_act":"gelu"}"#;

/// What the encoder has besides the names of SigLIP.
const RULES: Rules = rules![
    whole("embeddings.class_embedding", "v.class_embd"),
    name("encoder.layers.#.norm1", "v.blk.#.ln1"),
    name("encoder.layers.#.norm2", "v.blk.#.ln2"),
    name("encoder.layers.#.attn.qkv", "v.blk.#.attn_").with(Change::Custom(query_key_value)),
    name("encoder.layers.#.attn.q_norm", "v.blk.#.attn_q_norm"),
    name("encoder.layers.#.attn.k_norm", "v.blk.#.attn_k_norm"),
    name("encoder.layers.#.attn.proj", "v.blk.#.attn_out"),
    name("encoder.layers.#.ls1", "v.blk.#.ls1"),
    name("encoder.layers.#.ls2", "v.blk.#.ls2"),
    name("mlp1.#", "mm.model.mlp.#"),
];

/// The names of transformers.
const TRANSFORMERS: Rules = rules![
    whole("embeddings.cls_token", "v.class_embd"),
    name("embeddings.patch_embeddings.projection", "v.patch_embd"),
    name("embeddings.position_embeddings", "v.position_embd"),
    name("encoder.layer.#.layernorm_before", "v.blk.#.ln1"),
    name("encoder.layer.#.layernorm_after", "v.blk.#.ln2"),
    name("encoder.layer.#.attention.q_proj", "v.blk.#.attn_q"),
    name("encoder.layer.#.attention.k_proj", "v.blk.#.attn_k"),
    name("encoder.layer.#.attention.v_proj", "v.blk.#.attn_v"),
    name("encoder.layer.#.attention.q_norm", "v.blk.#.attn_q_norm"),
    name("encoder.layer.#.attention.k_norm", "v.blk.#.attn_k_norm"),
    name("encoder.layer.#.attention.projection_layer", "v.blk.#.attn_out"),
    name("encoder.layer.#.mlp.fc1", "v.blk.#.ffn_up"),
    name("encoder.layer.#.mlp.fc2", "v.blk.#.ffn_down"),
    name("encoder.layer.#.lambda_1", "v.blk.#.ls1"),
    name("encoder.layer.#.lambda_2", "v.blk.#.ls2"),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["InternVisionModel"],
    reads: &[
        as_it_is("internvl_chat"),
        with_class("internvl", DEFAULTS, "qwen2").of_any_text().with_global(r#"{"downsample_ratio":0.5}"#),
    ],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("internvl"),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
            Key::Call(gelu_or_silu),
            Key::RequiredUnsigned("vision.projector.scale_factor", &["scale_factor"]),
            Key::Unsigned("vision.preproc_min_tiles", &["min_dynamic_patch"]),
            Key::Unsigned("vision.preproc_max_tiles", &["max_dynamic_patch"]),
        ],
    )],
    family: Family { rename, rules: &[SIGLIP, PATCHES, RULES, TRANSFORMERS], ..ENCODER },
    fixed_type,
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    const STARTS: &[&str] = &["vision_model", "mlp", "model.vision_tower", "model.multi_modal_projector"];
    const LAYERS: &[(&str, &str)] = &[("layer_norm.", "mlp1.0."), ("linear_1.", "mlp1.1."), ("linear_2.", "mlp1.3.")];
    if !STARTS.iter().any(|start| name.starts_with(start)) || name.contains("language_model.") {
        return None;
    }
    if let Some(rest) = name.strip_prefix("model.multi_modal_projector.") {
        let known = LAYERS.iter().find_map(|(old, new)| Some(format!("{new}{}", rest.strip_prefix(old)?)));
        return known.or_else(|| Some(name.into()));
    }
    let own =
        ["vision_model.", "model.vision_tower."].iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name);
    let is_bare = [".ls", ".lambda_", "position_embedding"].iter().any(|part| name.contains(part));
    Some(if is_bare && !own.ends_with(".weight") { format!("{own}.weight") } else { own.into() })
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    let ratio = encoders.global.get("downsample_ratio").cloned();
    let tiles = ["min_dynamic_patch", "max_dynamic_patch"].map(|name| (name, encoders.global.get(name).cloned()));
    let vision = encoders.vision_mut()?;
    for name in ["image_size", "patch_size"] {
        if let Some(Value::Array(sides)) = vision.get(name) {
            let first = sides.first().cloned().unwrap_or_default();
            vision.set(name, first);
        }
    }
    for (name, count) in tiles {
        // 0 is as good as none.
        vision.set(name, count.filter(|count| count.as_u64() != Some(0)).unwrap_or_default());
    }
    let ratio = ratio.ok_or_else(|| missing(&["downsample_ratio"]))?;
    vision.set("scale_factor", inverse("downsample_ratio", &ratio)?.into());
    Ok(())
}

/// The inverse of a part, without its fraction.
pub(super) fn inverse(name: &str, value: &Value) -> Result<u32> {
    let inverse = 1.0 / float(name, value)?;
    match inverse >= 0.0 && inverse <= f64::from(u32::MAX) {
        true => Ok(inverse as u32),
        false => Err(wrong_type(name, value, "a number above 0")),
    }
}
