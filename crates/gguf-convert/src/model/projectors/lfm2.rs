//! LFM 2 VL.

use alloc::string::String;

use serde_json::Value;

use super::encoders::Encoders;
use super::reading::{BLOCKS, Kind, as_it_is, with_class};
use super::row::{ENCODER, Projector, USE_GELU, VISION, kind_of_projector};
use super::siglip::{LINEAR_LAYERS, SIGLIP, colours_first};
use crate::model::config::{Config, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, name};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::{Key, Keys};
use gguf_format::error::Result;

const DEFAULTS: &str = r#"{"hidden_size":768,"intermediate_size":3072,"num_hidden_layers":12,"num_attention_heads":12,"patch_size":16,"layer_norm_eps":1e-06}"#;

const RULES: Rules = rules![
    name("embeddings.patch_embedding", "v.patch_embd").with(Change::Custom(|found| colours_first(found, Some(16)))),
    name("multi_modal_projector.layer_norm", "mm.input_norm"),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Lfm2VlForConditionalGeneration"],
    reads: &[
        as_it_is("lfm2-vl"),
        with_class("lfm2_vl", DEFAULTS, "lfm2").of_any_text().with_global(r#"{"downsample_factor":2}"#),
    ],
    adjust,
    keys: &[(
        Kind::Vision,
        &[
            kind_of_projector("lfm2"),
            Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
            Key::RequiredUnsigned("vision.projector.scale_factor", &["downsample_factor"]),
            USE_GELU,
            Key::Call(used_blocks),
            Key::Call(resize),
        ],
    )],
    family: Family { rename, rules: &[SIGLIP, LINEAR_LAYERS, RULES], ..ENCODER },
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    if name.contains("language_model.") {
        return None;
    }
    let own = name.replace("model.vision_tower.", "vision_tower.");
    let own = own.replace("model.multi_modal_projector.", "multi_modal_projector.");
    Some(own.strip_prefix("vision_tower.vision_model.").map_or_else(|| own.clone(), Into::into))
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    encoders.share(Kind::Vision, "downsample_factor", 2.into())?;
    encoders.share(Kind::Vision, "vision_feature_layer", (-1).into())?;
    let resample = encoders.preprocessor.get("resample").cloned().unwrap_or_default();
    let vision = encoders.vision_mut()?;
    // The size is not fixed; the reference writes this one.
    vision.set("image_size", 256.into());
    vision.set("resample", resample);
    Ok(())
}

/// `clip.vision.block_count` without the blocks after that whose features are used. It is counted from the last one, which is -1.
fn used_blocks(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "vision_feature_layer";
    let layer = keys.config.get(NAME).cloned().unwrap_or_default();
    let count = i64::from(keys.config.required(BLOCKS)?);
    let used = layer.as_i64().and_then(|layer| u32::try_from(count.checked_add(layer)?.checked_add(1)?).ok());
    let used = used.ok_or_else(|| wrong_type(NAME, &layer, "the number of a block, counted from the last one: -1"))?;
    keys.put("vision.block_count", EntryValue::U32(used));
    Ok(())
}

/// `clip.vision.image_resize_algo`: the names of the numbers that the Python library for images uses.
fn resize(keys: &mut Keys<'_>) -> Result<()> {
    let number = keys.config.get("resample").cloned().unwrap_or_default();
    let name = match (&number, number.as_u64()) {
        (Value::Null, _) => return Ok(()),
        (_, Some(1)) => "lanczos",
        (_, Some(2)) => "bilinear",
        (_, Some(3)) => "bicubic",
        _ => return Err(wrong_type("resample", &number, "1, 2 or 3")),
    };
    keys.put("vision.image_resize_algo", EntryValue::String(name.into()));
    Ok(())
}
