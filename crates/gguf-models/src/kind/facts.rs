//! The family, the blocks and the parts of a model.

use alloc::{string::String, vec::Vec};

use crate::file_kinds::FileKind;
use crate::image::{ImageModel, Matches, ModelPart, count_of_longest_list, parts_of};
use gguf_format::format::header::Header;

/// What a file of a kind is, more closely.
#[derive(Default)]
pub(super) struct Facts {
    pub family: Option<String>,
    pub variant: Option<&'static str>,
    pub blocks: Option<u64>,
    pub parts: Vec<ModelPart>,
}

/// Architectures that are called otherwise than the family: Ollama leaves out punctuation, and others add what the model does.
const FAMILIES: [(&str, &str); 4] =
    [("gptoss", "gpt-oss"), ("qwen25vl", "qwen2.5vl"), ("parler-tts", "parler"), ("bitnet-b1.58", "bitnet")];

/// The most bytes of the name of a family.
const LONGEST_FAMILY: u64 = 80;

/// The parts of a file with several encoders, and the forms of their tensors' names.
const ENCODERS: [(ModelPart, &str); 3] = [
    (ModelPart::Text, "^blk. ^t. ~text_model. token_embd.weight"),
    (ModelPart::Vision, "^v. ~vision_model."),
    (ModelPart::Audio, "^a."),
];

impl Facts {
    pub fn of(header: &Header, kind: FileKind) -> Self {
        let image = if kind == FileKind::ImageDiffusion { ImageModel::of(header) } else { None };
        if let Some(model) = image {
            let family = model.family.map(|family| family.name.into());
            return Self { family, variant: model.variant, blocks: model.blocks, parts: model.parts };
        }
        let architecture = header.architecture().map(|name| name.prefix(LONGEST_FAMILY));
        let count = header.architecture_value("block_count").and_then(|count| count.as_u64());
        let blocks = count.or_else(|| count_of_longest_list(header));
        let parts = || parts_of(header).into_iter().map(|(part, _)| part).collect::<Vec<_>>();
        match kind {
            FileKind::Vae => Self { parts: parts(), ..Self::default() },
            FileKind::TextEncoder => {
                let parts = parts();
                let family = match parts.first() {
                    Some(ModelPart::T5xxl) => Some("t5"),
                    Some(ModelPart::ClipL | ModelPart::ClipG | ModelPart::Clip) => Some("clip"),
                    Some(_) => None,
                    None => (Matches::of(header, "^enc.blk.").count > 0).then_some("t5"),
                };
                Self { family: family.map(String::from), blocks, parts, variant: None }
            }
            FileKind::Projector | FileKind::Imatrix | FileKind::ControlVector => Self { blocks, ..Self::default() },
            _ => {
                let family = architecture.map(|name| {
                    let known = FAMILIES.iter().find(|(own, _)| *own == name).map(|(_, family)| (*family).into());
                    // Ollama gives the embedding model of Gemma 3 the architecture of the language model.
                    let is_embedding = kind == FileKind::Embedding && name == "gemma3";
                    known.unwrap_or_else(|| if is_embedding { "embeddinggemma".into() } else { name })
                });
                let found = |(part, forms): &(ModelPart, &str)| (Matches::of(header, forms).count > 0).then_some(*part);
                let parts: Vec<_> = ENCODERS.iter().filter_map(found).collect();
                // A model of text alone has no parts.
                let parts = if parts.len() > 1 { parts } else { Vec::new() };
                Self { family, variant: None, blocks, parts }
            }
        }
    }
}
