//! Qwen 2.5 Omni: images and sound.

use alloc::string::String;
use alloc::vec::Vec;

use super::encoders::Encoders;
use super::qwen2_vl::{RULES, adjust as adjust_images, fixed_type as fixed_image_type, qwen25_keys};
use super::row::{Audio, Computed, ENCODER, Kind, NO_NAME, Projector, VISION, with_class};
use super::whisper::{BLOCKS, ENCODER_KEYS, fixed_type as fixed_sound_type, rename_members};
use crate::model::config::Config;
use crate::model::families::row::{Family, Rule, name};
use crate::model::files::SmallFiles;
use gguf_format::error::{Result, error};

const IMAGES: &str = r#"{"depth":32,"hidden_size":3584,"intermediate_size":3420,"num_heads":16,"patch_size":14,"fullatt_block_indexes":[7,15,23,31]}"#;

const SOUND: &str = r#"{"num_mel_bins":128,"d_model":1280,"encoder_layers":32,"num_hidden_layers":32,"encoder_attention_heads":20,"encoder_ffn_dim":5120}"#;

const TO_TEXT: &[Rule] = &[name("audio_tower.ln_post", "a.post_ln"), name("audio_tower.proj", "mm.a.fc")];

/// The positions of the encoder of sound.
const POSITIONS: u32 = 1500;

pub(super) const PROJECTORS: &[Projector] = &[Projector {
    classes: &["Qwen2_5OmniModel"],
    reads: &[with_class("qwen2_5_omni", IMAGES, "qwen2_5_omni_text").with_audio(SOUND)],
    has_audio: Audio::Yes,
    adjust,
    keys: &[(Kind::Audio, ENCODER_KEYS), (Kind::Vision, &qwen25_keys("qwen2.5o"))],
    family: Family { rename, rules: &[RULES, BLOCKS, TO_TEXT], ..ENCODER },
    fixed_type: |stored, new_name| fixed_image_type(stored, new_name).or_else(|| fixed_sound_type(stored, new_name)),
    computed: |encoders| positions(encoders).map(Some),
    ..VISION
}];

fn rename(_: &Config, name: &str) -> String {
    let own = if name.starts_with("thinker.") { name.replace("thinker.", "") } else { name.into() };
    let is_used = own.starts_with("visual.") || own.starts_with("audio_tower.");
    if is_used && !own.contains("audio_bos_eos_token") && !own.contains("language_model.") {
        own
    } else {
        NO_NAME.into()
    }
}

fn adjust(encoders: &mut Encoders, files: &SmallFiles) -> Result<()> {
    adjust_images(encoders, files)?;
    let audio = encoders.audio_mut()?;
    if let Some(count) = audio.get("encoder_layers").cloned() {
        audio.set("num_hidden_layers", count);
    }
    rename_members(audio)?;
    if audio.get("layer_norm_eps").is_none() {
        audio.set("layer_norm_eps", 1e-5.into());
    }
    Ok(())
}

/// The sines and cosines of the positions, which the model does not store.
fn positions(encoders: &Encoders) -> Result<Computed> {
    /// The most channels: the largest known encoder has 1280.
    const MOST: u32 = 1 << 16;
    let channels = encoders.part(Kind::Audio)?.required(&["hidden_size"])?;
    if !(4..=MOST).contains(&channels) || channels % 2 != 0 {
        return Err(error!(BadJson:
            "the encoder of sound has {channels} channels: expected an even number from 4 to {MOST}; download config.json again"));
    }
    let half = channels / 2;
    let step = libm::log(10_000.0) / f64::from(half - 1);
    // Each step is rounded to 32 bits, as the reference computes.
    let scales: Vec<f32> = (0..half).map(|i| libm::exp(f64::from((-step) as f32 * i as f32)) as f32).collect();
    let mut numbers = Vec::new();
    numbers
        .try_reserve_exact((POSITIONS * channels) as usize)
        .map_err(|_| gguf_format::error::no_memory(u64::from(POSITIONS * channels) * 4))?;
    for position in 0..POSITIONS {
        let angle = |scale: &f32| f64::from(position as f32 * scale);
        numbers.extend(scales.iter().map(|scale| libm::sin(angle(scale)) as f32));
        numbers.extend(scales.iter().map(|scale| libm::cos(angle(scale)) as f32));
    }
    Ok(("a.position_embd.weight", [u64::from(POSITIONS), u64::from(channels)], numbers))
}
