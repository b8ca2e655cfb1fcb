//! Gemma 4: images, and sound in the smaller models.

use alloc::string::String;
use alloc::vec::Vec;

use super::encoders::Encoders;
use super::reading::{Audio, Kind, as_it_is};
use super::row::{ENCODER, Projector, VISION};
use super::siglip::colours_first;
use crate::model::config::{Config, wrong_type};
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, Found, Piece, Rule, Suffix, name, whole};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::files::SmallFiles;
use crate::model::keys::Key;
use crate::model::tensors::content::Operation;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;

/// A linear layer, or the limits to which its values are cut.
const fn linear(source: &'static str, target: &'static str) -> Rule {
    Rule { suffix: Suffix::WithLimits, ..name(source, target) }.with(Change::Custom(limit))
}

const IMAGES: Rules = rules![
    name("patch_embedder.input_proj", "v.patch_embd").with(Change::Custom(|found| colours_first(found, None))),
    whole("patch_embedder.position_embedding_table", "v.position_embd.weight"),
    whole("std_bias", "v.std_bias"),
    whole("std_scale", "v.std_scale"),
    name("layers.#.input_layernorm", "v.blk.#.ln1"),
    name("layers.#.post_attention_layernorm", "v.blk.#.attn_post_norm"),
    name("layers.#.pre_feedforward_layernorm", "v.blk.#.ln2"),
    name("layers.#.post_feedforward_layernorm", "v.blk.#.ffn_post_norm"),
    name("layers.#.self_attn.q_norm", "v.blk.#.attn_q_norm"),
    name("layers.#.self_attn.k_norm", "v.blk.#.attn_k_norm"),
    linear("layers.#.self_attn.q_proj", "v.blk.#.attn_q"),
    linear("layers.#.self_attn.k_proj", "v.blk.#.attn_k"),
    linear("layers.#.self_attn.v_proj", "v.blk.#.attn_v"),
    linear("layers.#.self_attn.o_proj", "v.blk.#.attn_out"),
    linear("layers.#.mlp.gate_proj", "v.blk.#.ffn_gate"),
    linear("layers.#.mlp.up_proj", "v.blk.#.ffn_up"),
    linear("layers.#.mlp.down_proj", "v.blk.#.ffn_down"),
    whole("layers.#.layer_scalar", "v.blk.#.out_scale.weight").with(Change::Custom(limit)),
];

const SOUND: Rules = rules![
    name("conformer.subsample_conv_projection.layer0.conv", "a.conv1d.0"),
    name("conformer.subsample_conv_projection.layer0.norm", "a.conv1d.0.norm"),
    name("conformer.subsample_conv_projection.layer1.conv", "a.conv1d.1"),
    name("conformer.subsample_conv_projection.layer1.norm", "a.conv1d.1.norm"),
    name("conformer.subsample_conv_projection.input_proj_linear", "a.input_projection"),
    name("conformer.output_proj", "a.pre_encode.out"),
    linear("conformer.layers.#.feed_forward1.ffw_layer_1", "a.blk.#.ffn_up"),
    linear("conformer.layers.#.feed_forward1.ffw_layer_2", "a.blk.#.ffn_down"),
    name("conformer.layers.#.feed_forward1.pre_layer_norm", "a.blk.#.ffn_norm"),
    name("conformer.layers.#.feed_forward1.post_layer_norm", "a.blk.#.ffn_post_norm"),
    linear("conformer.layers.#.feed_forward2.ffw_layer_1", "a.blk.#.ffn_up_1"),
    linear("conformer.layers.#.feed_forward2.ffw_layer_2", "a.blk.#.ffn_down_1"),
    name("conformer.layers.#.feed_forward2.pre_layer_norm", "a.blk.#.ffn_norm_1"),
    name("conformer.layers.#.feed_forward2.post_layer_norm", "a.blk.#.ffn_post_norm_1"),
    name("conformer.layers.#.norm_pre_attn", "a.blk.#.attn_pre_norm"),
    name("conformer.layers.#.norm_post_attn", "a.blk.#.attn_post_norm"),
    name("conformer.layers.#.norm_out", "a.blk.#.ln2"),
    name("conformer.layers.#.lconv1d.pre_layer_norm", "a.blk.#.conv_norm"),
    linear("conformer.layers.#.lconv1d.linear_start", "a.blk.#.conv_pw1"),
    whole("conformer.layers.#.lconv1d.depthwise_conv1d.weight", "a.blk.#.conv_dw.weight")
        .with(Change::Custom(depthwise)),
    name("conformer.layers.#.lconv1d.conv_norm", "a.blk.#.norm_conv"),
    linear("conformer.layers.#.lconv1d.linear_end", "a.blk.#.conv_pw2"),
    linear("conformer.layers.#.self_attn.q_proj", "a.blk.#.attn_q"),
    linear("conformer.layers.#.self_attn.k_proj", "a.blk.#.attn_k"),
    linear("conformer.layers.#.self_attn.v_proj", "a.blk.#.attn_v"),
    linear("conformer.layers.#.self_attn.post", "a.blk.#.attn_out"),
    linear("conformer.layers.#.self_attn.relative_k_proj", "a.blk.#.attn_k_rel"),
    whole("conformer.layers.#.self_attn.per_dim_scale", "a.blk.#.per_dim_scale.weight").with(Change::Custom(scale)),
];

/// From the encoders to the text.
const TO_TEXT: Rules = rules![
    name("model.embed_vision.embedding_projection", "mm.input_projection"),
    name("model.embed_vision.embedding", "mm.embedding"),
    name("model.embed_vision.hard_embedding_norm", "mm.hard_emb_norm"),
    name("model.embed_vision.soft_embedding_norm", "mm.soft_emb_norm"),
    name("model.embed_audio.embedding_projection", "mm.a.input_projection"),
    name("model.embed_audio.embedding", "mm.a.embedding"),
    name("model.embed_audio.hard_embedding_norm", "mm.a.hard_emb_norm"),
    name("model.embed_audio.soft_embedding_norm", "mm.a.soft_emb_norm"),
];

const VISION_KEYS: &[Key] = &[
    Key::FixedText("vision.projector_type", "gemma4v"),
    Key::RequiredFloat("vision.attention.layer_norm_epsilon", &["layer_norm_eps"]),
];

const AUDIO_KEYS: &[Key] = &[
    Key::FixedText("audio.projector_type", "gemma4a"),
    Key::RequiredUnsigned("audio.num_mel_bins", &["input_feat_size"]),
    Key::RequiredFloat("audio.attention.layer_norm_epsilon", &["layer_norm_eps"]),
];

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Gemma4ForConditionalGeneration"],
    reads: &[as_it_is("gemma4")],
    has_audio: Audio::Maybe,
    adjust,
    keys: &[(Kind::Vision, VISION_KEYS), (Kind::Audio, AUDIO_KEYS)],
    family: Family { rename, rules: &[IMAGES, SOUND, TO_TEXT], ..ENCODER },
    fixed_type,
    ..VISION
}];

fn rename(_: &Config, name: &str) -> Option<String> {
    if name.contains("language_model.") {
        return None;
    }
    if is_sound(name) {
        return Some(name.replace("model.audio_tower.", "conformer.").replace(".linear.", "."));
    }
    let own = name.strip_prefix("model.vision_tower.").map(|rest| rest.strip_prefix("encoder.").unwrap_or(rest));
    Some(own.unwrap_or(name).replace(".linear.weight", ".weight"))
}

fn is_sound(name: &str) -> bool {
    name.contains("audio_tower") || name.contains("embed_audio")
}

fn fixed_type(stored: &str, _: &str) -> Option<GgmlType> {
    let is_convolution = stored.contains(".conv") || stored.contains("_conv") && stored.contains(".weight");
    let is_fixed = is_sound(stored) && is_convolution || stored.contains("position_embedding_table");
    is_fixed.then_some(GgmlType::F32)
}

fn adjust(encoders: &mut Encoders, _: &SmallFiles) -> Result<()> {
    let vision = encoders.vision_mut()?;
    vision.set("image_size", 224.into());
    set_missing(vision, "layer_norm_eps", 1e-6.into());
    let Some(audio) = encoders.audio.as_mut() else { return Ok(()) };
    set_missing(audio, "layer_norm_eps", 1e-6.into());
    set_missing(audio, "input_feat_size", 128.into());
    if let Some(value) = audio.get("hidden_size") {
        let width = value.as_u64().and_then(|width| width.checked_mul(4));
        let width = width.ok_or_else(|| wrong_type("hidden_size", value, "a whole number"))?;
        audio.set("intermediate_size", width.into());
    }
    Ok(())
}

fn set_missing(config: &mut Config, name: &str, value: serde_json::Value) {
    if config.get(name).is_none() {
        config.set(name, value);
    }
}

/// A tensor that can be a number without dimensions.
fn limit(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone();
    Ok(vec![found.piece(if view.axes.is_empty() { view.with_last_axis() } else { view })])
}

/// A kernel for each channel.
fn depthwise(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone().with_rank(3)?;
    match view.axes[1].length {
        1 => Ok(vec![found.piece(view.picked(1, 0)?)]),
        _ => Err(error!(UnsupportedModel: "its shape is {:?}: expected 1 in the second dimension", view.shape())),
    }
}

fn scale(found: &Found<'_>) -> Result<Vec<Piece>> {
    Ok(vec![Piece { operation: Operation::Softplus, ..found.piece(found.view.clone()) }])
}
