//! Qwen 3 VL and Qwen 3.5, with and without experts.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::encoders::Encoders;
use super::reading::{Kind, as_it_is, with_class};
use super::row::{ENCODER, Projector, USE_GELU, VISION, kind_of_projector};
use crate::model::config::{Config, missing, unsigned, wrong_type};
use crate::model::entries::EntryValue;
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, Found, Piece, name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::{Key, Keys};
use gguf_format::error::{Result, error};

const DEFAULTS: &str = r#"{"depth":27,"hidden_size":1152,"intermediate_size":4304,"num_heads":16,"patch_size":16,"spatial_merge_size":2,"num_position_embeddings":2304,"deepstack_visual_indexes":[8,16,24]}"#;

/// The blocks of the encoder, and its ends.
pub(super) const BLOCKS: Rules = rules![
    whole("visual.patch_embed.proj.weight", "v.patch_embd.weight").with(Change::Custom(two_frames)),
    whole("visual.patch_embed.proj.bias", "v.patch_embd.bias"),
    name("visual.blocks.#.norm1", "v.blk.#.ln1"),
    name("visual.blocks.#.norm2", "v.blk.#.ln2"),
    name("visual.blocks.#.attn.qkv", "v.blk.#.attn_qkv"),
    name("visual.blocks.#.attn.proj", "v.blk.#.attn_out"),
];

const RULES: Rules = rules![
    name("visual.pos_embed", "v.position_embd"),
    name("visual.blocks.#.mlp.linear_fc1", "v.blk.#.ffn_up"),
    name("visual.blocks.#.mlp.linear_fc2", "v.blk.#.ffn_down"),
    name("visual.merger.norm", "v.post_ln"),
    name("visual.merger.linear_fc1", "mm.0"),
    name("visual.merger.linear_fc2", "mm.2"),
    name("visual.deepstack_merger_list.#.norm", "norm").with(Change::Custom(deepstack)),
    name("visual.deepstack_merger_list.#.linear_fc1", "fc1").with(Change::Custom(deepstack)),
    name("visual.deepstack_merger_list.#.linear_fc2", "fc2").with(Change::Custom(deepstack)),
];

const KEYS: &[Key] = &[
    kind_of_projector("qwen3vl_merger"),
    USE_GELU,
    Key::Unsigned("vision.spatial_merge_size", &["spatial_merge_size"]),
    Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["text_config.rms_norm_eps"]),
    Key::Call(deepstack_layers),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &[
        "Qwen3VLForConditionalGeneration",
        "Qwen3VLMoeForConditionalGeneration",
        "Qwen3_5ForConditionalGeneration",
        "Qwen3_5MoeForConditionalGeneration",
    ],
    reads: &[
        with_class("qwen3_vl", DEFAULTS, "qwen3_vl_text"),
        with_class("qwen3_vl_moe", DEFAULTS, "qwen3_vl_moe_text"),
        as_it_is("qwen3_5"),
        as_it_is("qwen3_5_moe"),
    ],
    adjust,
    keys: &[(Kind::Vision, KEYS)],
    family: Family { rename, rules: &[BLOCKS, RULES], ..ENCODER },
    ..VISION
}];

/// The tensors of the encoder begin with `visual.` or `model.visual.`.
pub(super) fn rename(_: &Config, name: &str) -> Option<String> {
    let own = name.strip_prefix("model.").filter(|rest| rest.starts_with("visual.")).unwrap_or(name);
    (own.starts_with("visual.") && !own.contains("language_model.")).then(|| own.into())
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    let eps = encoders.text.get("rms_norm_eps").cloned().unwrap_or_else(|| 1e-6.into());
    let vision = encoders.vision_mut()?;
    vision.set("text_config.rms_norm_eps", eps);
    counts(vision)
}

/// The members that the class names in its own way, and the size of an image.
pub(super) fn counts(vision: &mut Config) -> Result<()> {
    if vision.get("image_size").is_none() {
        // The largest image that the position embedding has a vector for each patch of.
        let positions = vision
            .get("num_position_embeddings")
            .map_or(Ok(2304), |value| unsigned("num_position_embeddings", value))?;
        let patch = vision.get("patch_size").map_or(Ok(16), |value| unsigned("patch_size", value))?;
        let size = libm::sqrt(f64::from(positions)) * f64::from(patch);
        vision.set("image_size", (size as u64).into());
    }
    own_counts(vision)
}

/// The members that the class names in its own way.
pub(super) fn own_counts(vision: &mut Config) -> Result<()> {
    for (member, name) in [("num_heads", "num_attention_heads"), ("depth", "num_hidden_layers")] {
        let value = vision.get(member).ok_or_else(|| missing(&[member]))?;
        let value = unsigned(member, value)?;
        vision.set(name, value.into());
    }
    Ok(())
}

/// The kernels for the first and the second of two frames.
pub(super) fn two_frames(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(5)?;
    if view.axes[2].length != 2 {
        return Err(error!(UnsupportedModel:
            "its shape is {:?}: expected 2 in the third dimension, a kernel for each of two frames", view.shape()));
    }
    let first = found.piece(view.clone().picked(2, 0)?);
    let second = found.piece_named("v.patch_embd.weight.1", view.picked(2, 1)?);
    Ok(vec![first, second])
}

/// The blocks after which features go to the text.
fn indices(config: &Config) -> Result<Vec<u32>> {
    const NAME: &str = "deepstack_visual_indexes";
    match config.get(NAME) {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) => list.iter().map(|value| unsigned(NAME, value)).collect(),
        Some(other) => Err(wrong_type(NAME, other, "a list of whole numbers")),
    }
}

/// A tensor for the features of a block: its number counts the blocks that have some.
fn deepstack(found: &Found<'_>) -> Result<Vec<Piece>> {
    let block = indices(found.config)?.get(found.block as usize).copied();
    let Some(block) = block.filter(|block| found.config.block_count().is_ok_and(|count| *block < count)) else {
        return Err(error!(UnsupportedModel:
            "\"deepstack_visual_indexes\" in config.json does not say which block it belongs to; check that config.json belongs to the model"));
    };
    Ok(vec![found.piece_named(&format!("v.deepstack.{block}.{}", found.target), found.view.clone())])
}

/// `clip.vision.is_deepstack_layers`.
fn deepstack_layers(keys: &mut Keys<'_>) -> Result<()> {
    let count = keys.config.block_count()?;
    let mut layers = vec![false; count as usize];
    for index in indices(keys.config)? {
        match layers.get_mut(index as usize) {
            Some(layer) => *layer = true,
            None => {
                return Err(error!(BadJson:
                    "\"deepstack_visual_indexes\" in config.json names block {index}, but the encoder has {count} blocks; download the \
                     file again"));
            }
        }
    }
    keys.put("vision.is_deepstack_layers", EntryValue::Bools(layers));
    Ok(())
}
