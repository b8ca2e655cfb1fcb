//! The parts of an image model that a file has.

use alloc::vec::Vec;

use super::pattern::{Matches, any_matches, short_name};
use gguf_declare::names;
use gguf_format::format::header::Header;

names! {
    /// A part of a model that a file has. For an image model: the diffusion model itself, the image autoencoder (`vae`) and the text
    /// encoders. For a language model with encoders in the same file, and for a CLIP model: `text`, `vision` and `audio`.
    #[typescript("ModelPart")]
    pub enum ModelPart {
        /// The UNet or transformer that removes noise.
        Diffusion = "diffusion",
        /// The image autoencoder.
        Vae = "vae",
        /// CLIP ViT-L, a text encoder.
        ClipL = "clip_l",
        /// OpenCLIP ViT-bigG, a text encoder.
        ClipG = "clip_g",
        /// Another CLIP model, as a text encoder.
        Clip = "clip",
        /// T5, as a text encoder.
        T5xxl = "t5xxl",
        /// A language model, as a text encoder.
        Llm = "llm",
        /// The image encoder of a CLIP model, beside a diffusion model.
        ClipVision = "clip_vision",
        /// The language model, or the text encoder of a CLIP model.
        Text = "text",
        /// An encoder of images.
        Vision = "vision",
        /// An encoder of sound.
        Audio = "audio",
    }
}

impl ModelPart {
    /// Whether the part encodes text for a diffusion model.
    pub(crate) fn is_text_encoder(self) -> bool {
        matches!(self, Self::ClipL | Self::ClipG | Self::Clip | Self::T5xxl | Self::Llm)
    }
}

/// The forms of the names of each part. The first row with a form of a name is that of its part.
const PARTS: &[(ModelPart, &str)] = &[
    (ModelPart::Diffusion, "^model.diffusion_model. ^unet."),
    (
        ModelPart::Vae,
        "^first_stage_model. ^vae. ^tae. ^decoder.conv_in. ^encoder.conv_in. decoder.conv1.weight decoder.head.2.weight",
    ),
    (ModelPart::ClipG, "^text_encoders.clip_g. ^conditioner.embedders.1. ^cond_stage_model.1. ^te.1."),
    (ModelPart::ClipL, "^text_encoders.clip_l. ^conditioner.embedders.0. ^cond_stage_model. ^te."),
    (ModelPart::T5xxl, "^text_encoders.t5xxl. ~encoder.block.0.layer.0.SelfAttention.q.weight"),
    (ModelPart::Llm, "^text_encoders.llm. ^text_encoders.qwen"),
    (ModelPart::ClipVision, "^clip_vision. ~vision_model.encoder.layers.0.self_attn.q_proj.weight"),
    (ModelPart::Clip, "~text_model.encoder.layers.0.self_attn.q_proj.weight"),
];

/// The parts of a file, in the order of [`PARTS`], each with the position of its first tensor and the number of its tensors.
pub(crate) fn parts_of(header: &Header) -> Vec<(ModelPart, Matches)> {
    let mut found = [Matches::default(); PARTS.len()];
    for tensor in header.tensors() {
        let Some(name) = short_name(&tensor) else { continue };
        let row = PARTS.iter().zip(&mut found).find(|((_, forms), _)| any_matches(forms, &name));
        if let Some((_, matches)) = row {
            matches.add(tensor.index());
        }
    }
    let parts = PARTS.iter().zip(found).filter(|(_, matches)| matches.count > 0);
    parts.map(|((part, _), matches)| (*part, matches)).collect()
}
