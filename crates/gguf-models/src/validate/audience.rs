//! Whose limits apply to a file: those of the programs that take files of its kind.

use crate::architectures::architecture_info;
use crate::file_kinds::FileKind;
use crate::kind::kind_and_shard;
use gguf_format::format::header::Header;

/// The programs that a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// llama.cpp, and programs that keep to its rules.
    LlamaCpp,
    /// Other programs only: image models and their parts, CLIP models, models of speech, and models without metadata.
    Others,
}

impl Audience {
    pub fn of(header: &Header) -> Self {
        let (kind, shard) = kind_and_shard(header);
        let kind = shard.map_or(kind, |shard| shard.set_kind);
        let architecture = header.get("general.architecture");
        let is_for_others = match kind {
            FileKind::ImageDiffusion
            | FileKind::Vae
            | FileKind::TextEncoder
            | FileKind::Clip
            | FileKind::SpeechRecognition => true,
            FileKind::TextToSpeech => {
                let name = architecture.and_then(|entry| entry.value().as_str());
                name.is_none_or(|name| architecture_info(&name.to_bytes()).is_none())
            }
            // Only its names of tensors say that it is one.
            FileKind::Model => architecture.is_none() && header.get("general.type").is_none(),
            _ => false,
        };
        if is_for_others { Self::Others } else { Self::LlamaCpp }
    }
}
