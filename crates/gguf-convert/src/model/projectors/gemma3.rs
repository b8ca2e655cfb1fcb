//! Gemma 3.

use alloc::string::String;

use super::encoders::Encoders;
use super::reading::{Kind, with_class};
use super::row::{ENCODER, Projector, USE_GELU, VISION, kind_of_projector};
use super::siglip::{PATCHES, SIGLIP};
use crate::model::config::{Config, unsigned};
use crate::model::entries::EntryValue;
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, name};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::{Key, Keys};
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;

const DEFAULTS: &str = r#"{"hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"patch_size":16,"image_size":224,"layer_norm_eps":1e-06}"#;

const RULES: Rules = rules![
    name("multi_modal_projector.mm_input_projection", "mm.input_projection"),
    name("multi_modal_projector.mm_soft_emb_norm", "mm.soft_emb_norm").with(Change::AddOne),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Gemma3ForConditionalGeneration"],
    reads: &[with_class("gemma3", DEFAULTS, "gemma3_text")],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("gemma3"),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
            USE_GELU,
            Key::Call(scale),
        ],
    )],
    family: Family { rename, rules: &[SIGLIP, PATCHES, RULES], ..ENCODER },
    fixed_type: |stored, _| {
        let is_projection = stored.contains("input_projection");
        is_projection.then_some(GgmlType::F16).or_else(|| stored.contains(".embeddings.").then_some(GgmlType::F32))
    },
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    const STARTS: &[&str] = &["multi_modal_projector.", "vision_tower.", "multimodal_projector.", "vision_model."];
    let is_used = STARTS.iter().any(|start| name.starts_with(start));
    if !is_used || name.contains("vision_model.head.") || name.contains("language_model.") {
        return None;
    }
    Some(name.strip_prefix("vision_tower.vision_model.").unwrap_or(name).replace("_weight", ".weight"))
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    let length = encoders.preprocessor.get("image_seq_length").cloned().unwrap_or_else(|| 256.into());
    encoders.vision_mut()?.set("image_seq_length", length);
    Ok(())
}

/// `clip.vision.projector.scale_factor`: how many patches in a row become one token, if it is not the usual 4.
fn scale(keys: &mut Keys<'_>) -> Result<()> {
    let config = keys.config;
    let length = config.get("image_seq_length").map_or(Ok(256), |value| unsigned("image_seq_length", value))?;
    let tokens = libm::sqrt(f64::from(length)) as u32;
    let patches = config.required(&["image_size"])?.checked_div(config.required(&["patch_size"])?);
    let Some(scale) = patches.and_then(|patches| patches.checked_div(tokens)) else {
        return Err(error!(BadJson:
            "\"patch_size\" in config.json or \"image_seq_length\" in preprocessor_config.json is 0; download the files again"));
    };
    if scale > 0 && scale != 4 {
        keys.put("vision.projector.scale_factor", EntryValue::U32(scale));
    }
    Ok(())
}
