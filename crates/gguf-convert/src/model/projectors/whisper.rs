//! Encoders of sound with the blocks of Whisper: Qwen 2 Audio, Voxtral and Ultravox.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::reading::{Kind, as_it_is, with_class};
use super::row::{AUDIO, ENCODER, Projector, kind_of_projector};
use crate::model::config::{Config, missing};
use crate::model::families::row::Family;
use crate::model::families::rule::{Change, Found, Piece, name};
use crate::model::families::rule_text::{Rules, rules};
use crate::model::keys::Key;
use gguf_format::error::Result;
use gguf_format::format::ggml_type::GgmlType;

const QWEN2: &str = r#"{"num_mel_bins":128,"d_model":1280,"encoder_layers":32,"num_hidden_layers":32,"encoder_attention_heads":20,"encoder_ffn_dim":5120}"#;

const VOXTRAL: &str = r#"{"hidden_size":1280,"intermediate_size":5120,"num_hidden_layers":32,"num_attention_heads":20,"num_mel_bins":128}"#;

/// The blocks, and what is before and after them.
const BLOCKS: Rules = rules![
    name("audio_tower.conv1", "a.conv1d.1").with(Change::Custom(convolution)),
    name("audio_tower.conv2", "a.conv1d.2").with(Change::Custom(convolution)),
    name("audio_tower.embed_positions", "a.position_embd"),
    name("audio_tower.layer_norm", "a.post_ln"),
    name("audio_tower.layers.#.self_attn_layer_norm", "a.blk.#.ln1"),
    name("audio_tower.layers.#.final_layer_norm", "a.blk.#.ln2"),
    name("audio_tower.layers.#.self_attn.q_proj", "a.blk.#.attn_q"),
    name("audio_tower.layers.#.self_attn.k_proj", "a.blk.#.attn_k"),
    name("audio_tower.layers.#.self_attn.v_proj", "a.blk.#.attn_v"),
    name("audio_tower.layers.#.self_attn.out_proj", "a.blk.#.attn_out"),
    name("audio_tower.layers.#.fc1", "a.blk.#.ffn_up"),
    name("audio_tower.layers.#.fc2", "a.blk.#.ffn_down"),
];

/// From the encoder to the text.
const TO_TEXT: Rules = rules![
    name("multi_modal_projector.linear", "mm.a.fc"),
    name("multi_modal_projector.linear_1", "mm.a.mlp.1"),
    name("multi_modal_projector.linear_2", "mm.a.mlp.2"),
    name("multi_modal_projector.ln_pre", "mm.a.norm_pre"),
    name("multi_modal_projector.ln_mid", "mm.a.norm_mid"),
];

/// The keys of every encoder of this kind.
const ENCODER_KEYS: &[Key] = &[
    Key::RequiredUnsigned("audio.num_mel_bins", &["num_mel_bins"]),
    Key::RequiredFloat("audio.attention.layer_norm_epsilon", &["layer_norm_eps"]),
];

const FAMILY: Family = Family { rename, rules: &[BLOCKS, TO_TEXT], ..ENCODER };

pub(super) const PROJECTORS: &[Projector] = &[
    Projector {
        classes: &["Qwen2AudioForConditionalGeneration"],
        reads: &[with_class("qwen2_audio", "{}", "qwen2").of_any_text().with_audio(QWEN2)],
        adjust: |encoders, _| {
            let audio = encoders.audio_mut()?;
            // The class counts the blocks by this member alone.
            if let Some(count) = audio.get("encoder_layers").cloned() {
                audio.set("num_hidden_layers", count);
            }
            own_names(audio)
        },
        keys: &[(Kind::Audio, &[kind_of_projector("qwen2a"), Key::List(ENCODER_KEYS)])],
        family: FAMILY,
        fixed_type,
        ..AUDIO
    },
    Projector {
        classes: &["VoxtralForConditionalGeneration"],
        reads: &[with_class("voxtral", "{}", "llama").of_any_text().with_audio(VOXTRAL)],
        adjust: |encoders, _| own_names(encoders.audio_mut()?),
        keys: &[(
            Kind::Audio,
            &[
                kind_of_projector("voxtral"),
                Key::List(ENCODER_KEYS),
                Key::FixedUnsigned("audio.projector.stack_factor", 4),
            ],
        )],
        family: FAMILY,
        fixed_type,
        ..AUDIO
    },
    Projector {
        classes: &["UltravoxModel"],
        reads: &[as_it_is("ultravox")],
        adjust: |encoders, _| {
            encoders.share(Kind::Audio, "stack_factor", Value::Null)?;
            own_names(encoders.audio_mut()?)
        },
        keys: &[(
            Kind::Audio,
            &[
                kind_of_projector("ultravox"),
                Key::List(ENCODER_KEYS),
                Key::RequiredUnsigned("audio.projector.stack_factor", &["stack_factor"]),
            ],
        )],
        family: FAMILY,
        fixed_type,
        ..AUDIO
    },
];

fn rename(_: &Config, name: &str) -> Option<String> {
    (!name.contains("language_model.")).then(|| name.into())
}

/// Convolutions are F16 in every file: llama.cpp computes them in no other type.
fn fixed_type(stored: &str, _: &str) -> Option<GgmlType> {
    (stored.contains(".conv") && stored.contains(".weight")).then_some(GgmlType::F16)
}

/// The members that Whisper names in its own way.
fn own_names(audio: &mut Config) -> Result<()> {
    const NAMES: &[(&str, &str)] = &[
        ("d_model", "hidden_size"),
        ("encoder_ffn_dim", "intermediate_size"),
        ("encoder_attention_heads", "num_attention_heads"),
    ];
    if audio.get("hidden_size").is_none() && audio.get("intermediate_size").is_none() {
        for (member, name) in NAMES {
            let value = audio.get(member).cloned().ok_or_else(|| missing(&[member]))?;
            audio.set(name, value);
        }
    }
    if audio.get("layer_norm_eps").is_none() {
        audio.set("layer_norm_eps", 1e-5.into());
    }
    Ok(())
}

/// A convolution. Its bias gets a dimension for the positions.
fn convolution(found: &Found<'_>) -> Result<Vec<Piece>> {
    let view = found.view.clone();
    Ok(vec![found.piece(if found.suffix == ".bias" { view.with_last_axis() } else { view })])
}
