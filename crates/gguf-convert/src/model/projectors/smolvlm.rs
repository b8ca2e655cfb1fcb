//! Idefics 3 and SmolVLM.

use alloc::string::String;

use serde_json::Value;

use super::encoders::Encoders;
use super::reading::{Kind, with_class};
use super::row::{ENCODER, Projector, USE_GELU, VISION, kind_of_projector};
use super::siglip::{PATCHES, SIGLIP};
use crate::model::config::Config;
use crate::model::families::row::Family;
use crate::model::families::rule::name;
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::Key;
use gguf_format::error::Result;
use gguf_format::format::ggml_type::GgmlType;

const DEFAULTS: &str = r#"{"hidden_size":1152,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":16,"patch_size":32,"image_size":224,"layer_norm_eps":1e-06}"#;

const RULES: Rules = rules![name("model.connector.modality_projection.proj", "mm.model.fc")];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Idefics3ForConditionalGeneration", "SmolVLMForConditionalGeneration"],
    reads: &[
        with_class("idefics3", DEFAULTS, "llama").of_any_text(),
        with_class("smolvlm", DEFAULTS, "llama").of_any_text(),
    ],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("idefics3"),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
            Key::RequiredUnsigned("vision.projector.scale_factor", &["scale_factor"]),
            USE_GELU,
            Key::RequiredUnsigned("vision.preproc_image_size", &["size.longest_edge"]),
        ],
    )],
    family: Family { rename, rules: &[SIGLIP, PATCHES, RULES], ..ENCODER },
    fixed_type: |stored, _| stored.contains(".embeddings.").then_some(GgmlType::F32),
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    let is_used = ["vision_tower", "vision_model", "model.connector"].iter().any(|part| name.contains(part));
    if !is_used || name.contains("language_model.") {
        return None;
    }
    Some(name.strip_prefix("model.vision_model.").unwrap_or(name).into())
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    encoders.share(Kind::Vision, "scale_factor", 2.into())?;
    let edge = encoders.preprocessor.get("size").and_then(|size| size.get("longest_edge")).cloned();
    let vision = encoders.vision_mut()?;
    let edge = edge.or_else(|| vision.get("image_size").cloned());
    vision.set("size.longest_edge", edge.unwrap_or(Value::Null));
    Ok(())
}
