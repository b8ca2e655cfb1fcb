//! Models of several models: text together with images or sound.
//!
//! llama.cpp has the model of the text in a file of its own. The names are facts of its converter (conversion/base.py).

use alloc::string::String;

/// How names of tensors of the other models begin.
const OTHER_STARTS: &[&str] = &[
    "mlp",
    "vit.",
    "vpm.",
    "siglip2.",
    "conformer.",
    "merger.",
    "resampler.",
    "sound_encoder.",
    "sound_projection.",
    "speech_embeddings.",
];

/// What only names of tensors of the other models contain.
const OTHER_PARTS: &[&str] = &[
    "visual.",
    "vision.",
    "audio.",
    "talker.",
    "vision_",
    "audio_",
    "token2wav.",
    "code2wav.",
    "projector.",
    "pre_mm_projector_norm",
    "image_newline",
    "view_seperator",
    "patch_embed",
    "patch_merger.",
    "patch_merge_mlp.",
    "model.connector.",
];

/// Whether a tensor belongs to a model of images or sound.
pub(crate) fn is_of_another_model(name: &str) -> bool {
    OTHER_STARTS.iter().any(|start| name.starts_with(start)) || OTHER_PARTS.iter().any(|part| name.contains(part))
}

/// The name of a tensor within the model of the text. `None` if it belongs to another model.
pub(super) fn text_name(name: &str) -> Option<String> {
    if is_of_another_model(name) { None } else { Some(name.replace("language_model.", "")) }
}
