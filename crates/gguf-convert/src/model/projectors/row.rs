//! The columns of the table of projectors.

use super::encoders::Encoders;
use super::reading::{Audio, BLOCKS, Forms, Kind, Reading};
use crate::model::entries::EntryValue;
use crate::model::families::row::{DECODER, Family};
use crate::model::files::SmallFiles;
use crate::model::keys::Key;
use gguf_format::error::Result;
use gguf_format::format::ggml_type::GgmlType;

/// A family of projectors: classes whose encoders are converted in the same way.
pub(super) struct Projector {
    /// The names of the classes in `config.json`.
    pub classes: &'static [&'static str],
    /// How `config.json` is read, by its `model_type`. Other values are refused.
    pub reads: &'static [Reading],
    /// Whether there is an encoder of images.
    pub has_vision: bool,
    /// Whether there is an encoder of sound.
    pub has_audio: Audio,
    /// Changes the configurations before they are used, or refuses them.
    pub adjust: fn(&mut Encoders, &SmallFiles) -> Result<()>,
    /// The entries after those of every projector, in order.
    pub keys: &'static [(Kind, &'static [Key])],
    /// The rules for the tensors. `family.rename` gives `None` to tensors that do not belong to the encoders.
    pub family: Family,
    /// The type of a matrix, from its stored and its new name, if it does not depend on the type of the file.
    pub fixed_type: fn(&str, &str) -> Option<GgmlType>,
}

impl Projector {
    /// Which encoders there are, and how their configurations are read.
    pub fn forms(&self) -> Forms {
        Forms { reads: self.reads, has_vision: self.has_vision, has_audio: self.has_audio }
    }
}

/// The rules of an encoder: those of a family, which the rows complete.
pub(super) const ENCODER: Family =
    Family { architecture: "clip", rename: |_, name| Some(name.into()), expert_count: &[], keys: &[], ..DECODER };

/// Most projectors: one encoder of images.
pub(super) const VISION: Projector = Projector {
    classes: &[],
    reads: &[],
    has_vision: true,
    has_audio: Audio::No,
    adjust: |_, _| Ok(()),
    keys: &[],
    family: ENCODER,
    fixed_type: |_, _| None,
};

/// Projectors of sound.
pub(super) const AUDIO: Projector = Projector { has_vision: false, has_audio: Audio::Yes, ..VISION };

/// The keys of every encoder of images.
pub(super) const VISION_KEYS: &[Key] = &[
    Key::RequiredUnsigned("vision.image_size", &["image_size"]),
    Key::RequiredUnsigned("vision.patch_size", &["patch_size"]),
    Key::RequiredUnsigned("vision.embedding_length", &["hidden_size", "width", "vt_hidden_size"]),
    Key::RequiredUnsigned("vision.feed_forward_length", &["intermediate_size", "vt_intermediate_size"]),
    Key::RequiredUnsigned("vision.block_count", BLOCKS),
    Key::RequiredUnsigned(
        "vision.attention.head_count",
        &["num_attention_heads", "num_heads", "heads", "vt_num_attention_heads"],
    ),
];

/// The keys of every encoder of sound.
pub(super) const AUDIO_KEYS: &[Key] = &[
    Key::RequiredUnsigned("audio.embedding_length", &["hidden_size"]),
    Key::RequiredUnsigned("audio.feed_forward_length", &["intermediate_size"]),
    Key::RequiredUnsigned("audio.block_count", BLOCKS),
    Key::RequiredUnsigned("audio.attention.head_count", &["num_attention_heads"]),
];

/// The kind of the projector, for a file with one encoder.
pub(super) const fn kind_of_projector(name: &'static str) -> Key {
    Key::FixedText("projector_type", name)
}

pub(super) const USE_GELU: Key = Key::FixedBool("use_gelu", true);
pub(super) const USE_SILU: Key = Key::FixedBool("use_silu", true);

/// `use_gelu` or `use_silu`, as the configuration says.
///
/// # Errors
///
/// `unsupported-model` if the function is another one.
pub(super) fn gelu_or_silu(keys: &mut crate::model::keys::Keys<'_>) -> Result<()> {
    let key = match keys.config.text(&["hidden_act"])? {
        Some("silu") => "use_silu",
        Some("gelu") => "use_gelu",
        found => {
            return Err(gguf_format::error::error!(UnsupportedModel:
                "the encoder has the activation function \"{}\": expected gelu or silu",
                gguf_format::error::shown::Shown(found.unwrap_or("null").as_bytes())));
        }
    };
    keys.put(key, EntryValue::Bool(true));
    Ok(())
}
