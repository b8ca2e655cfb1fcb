//! Qwen 2 VL and 2.5 VL.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::encoders::Encoders;
use super::qwen3_vl::{own_counts, two_frames};
use super::reading::{Kind, with_class};
use super::row::{ENCODER, Projector, USE_SILU, VISION, kind_of_projector};
use crate::model::config::{Config, missing, unsigned};
use crate::model::entries::EntryValue;
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, Found, Piece, name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::{Key, Keys};
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;

const QWEN2: &str = r#"{"depth":32,"embed_dim":1280,"hidden_size":3584,"num_heads":16,"patch_size":14}"#;

const QWEN25: &str = r#"{"depth":32,"hidden_size":3584,"intermediate_size":3420,"num_heads":16,"patch_size":14,"fullatt_block_indexes":[7,15,23,31]}"#;

const RULES: Rules = rules![
    whole("visual.patch_embed.proj.weight", "v.patch_embd.weight").with(Change::Custom(two_frames)),
    whole("visual.patch_embed.proj.bias", "v.patch_embd.bias"),
    name("visual.blocks.#.norm1", "v.blk.#.ln1"),
    name("visual.blocks.#.norm2", "v.blk.#.ln2"),
    name("visual.blocks.#.attn.qkv", "v.blk.#.attn_").with(Change::Custom(query_key_value)),
    name("visual.blocks.#.attn.q", "v.blk.#.attn_q"),
    name("visual.blocks.#.attn.k", "v.blk.#.attn_k"),
    name("visual.blocks.#.attn.v", "v.blk.#.attn_v"),
    name("visual.blocks.#.attn.proj", "v.blk.#.attn_out"),
    name("visual.blocks.#.mlp.fc1", "v.blk.#.ffn_up"),
    name("visual.blocks.#.mlp.fc2", "v.blk.#.ffn_down"),
    name("visual.blocks.#.mlp.gate_proj", "v.blk.#.ffn_gate"),
    name("visual.blocks.#.mlp.up_proj", "v.blk.#.ffn_up"),
    name("visual.blocks.#.mlp.down_proj", "v.blk.#.ffn_down"),
    name("visual.merger.ln_q", "v.post_ln"),
    name("visual.merger.mlp.#", "mm.#"),
];

const EPSILON: Key = Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["rms_norm_eps"]);

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Qwen2VLModel", "Qwen2VLForConditionalGeneration", "Qwen2_5_VLForConditionalGeneration"],
    reads: &[with_class("qwen2_vl", QWEN2, "qwen2_vl_text"), with_class("qwen2_5_vl", QWEN25, "qwen2_5_vl_text")],
    adjust,
    keys: &[(Kind::Vision, &[Key::Call(keys)])],
    family: Family { rename, rules: &[RULES], ..ENCODER },
    fixed_type,
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    (name.starts_with("visual.") && !name.contains("language_model.")).then(|| name.into())
}

pub(super) fn fixed_type(_: &str, new_name: &str) -> Option<GgmlType> {
    new_name.contains(".position_embd.").then_some(GgmlType::F32)
}

fn keys(keys: &mut Keys<'_>) -> Result<()> {
    match keys.config.text(&["model_type"])? {
        Some("qwen2_vl") => keys.write(&[kind_of_projector("qwen2vl_merger"), EPSILON]),
        _ => keys.write(&[kind_of_projector("qwen2.5vl_merger"), USE_SILU, Key::Call(window_pattern), EPSILON]),
    }
}

/// The members that the class names in its own way, and those of the whole file that the encoder needs.
fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    encoders.share(Kind::Vision, "rms_norm_eps", 1e-6.into())?;
    encoders.share(Kind::Vision, "model_type", Value::Null)?;
    let vision = encoders.vision_mut()?;
    if vision.get("image_size").is_none() {
        vision.set("image_size", 560.into());
    }
    own_counts(vision)?;
    if let Some(width) = vision.get("embed_dim").cloned() {
        let text = vision.get("hidden_size").cloned().ok_or_else(|| missing(&["hidden_size"]))?;
        vision.set("intermediate_size", text);
        vision.set("hidden_size", width);
    }
    Ok(())
}

/// `clip.vision.n_wa_pattern`: each block whose number is a multiple of it sees the whole image.
fn window_pattern(keys: &mut Keys<'_>) -> Result<()> {
    const NAME: &str = "fullatt_block_indexes";
    let list = keys.config.get(NAME).and_then(|list| list.as_array()).ok_or_else(|| missing(&[NAME]))?;
    let indices: Vec<u32> = list.iter().map(|value| unsigned(NAME, value)).collect::<Result<_>>()?;
    let pattern = indices.first().and_then(|first| first.checked_add(1)).ok_or_else(|| missing(&[NAME]))?;
    if indices.windows(2).any(|pair| pair[0].checked_add(pattern) != Some(pair[1])) {
        return Err(error!(UnsupportedModel:
            "the blocks that see the whole image are {indices:?}, as \"{NAME}\" in config.json says: expected equal distances of {pattern}"));
    }
    keys.put("vision.n_wa_pattern", EntryValue::U32(pattern));
    Ok(())
}

/// The three parts of a matrix that has the queries, the keys and the values. The name of the rule lacks its last letter.
pub(super) fn query_key_value(found: &Found<'_>) -> Result<Vec<Piece>> {
    let part = |(part, letter)| {
        let view = found.view.clone().part(part, 3)?;
        Ok(found.piece_named(&format!("{}{letter}", found.target), view))
    };
    [(0, 'q'), (1, 'k'), (2, 'v')].into_iter().map(part).collect()
}
