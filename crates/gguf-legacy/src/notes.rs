//! What a person should know before a migrated file is written.

use alloc::{string::String, string::ToString, vec::Vec};

use super::answers::CompleteAnswers;
use super::conversion::{Conversion, Relation};
use super::family::Family;
use super::migrated_tensor::new_type;
use super::model::LegacyModel;
use gguf_declare::{names, result};
use gguf_format::decode::decoder::parse;
use gguf_format::error::Result;
use gguf_format::io::Source;
use gguf_format::tensor::block_types::block_type_info;
use gguf_models::validate::Severity;
use gguf_models::validate::new_file::NewFileProblems;

names! {
    /// What a note is about.
    #[typescript("MigrationFindingKind")]
    pub enum NoteKind {
        /// The file has no scores of tokens, so texts are not split as the model expects.
        NoScores = "no-scores",
        /// Scales are rounded to 16 bits.
        RoundedScales = "rounded-scales",
        /// A type no longer exists; its values are stored in another one.
        RemovedType = "removed-type",
        /// A tensor is left out.
        DroppedTensor = "dropped-tensor",
        /// The file type is unknown, and is taken from the tensors.
        FileType = "file-type",
        /// llama.cpp cannot run the new file.
        NotRunnable = "not-runnable",
        /// llama.cpp refuses the new file, because its architecture requires a key that the file does not have.
        MissingKey = "missing-key",
        /// llama.cpp aborts when it loads the new file, because two tokens have the same text.
        DuplicateToken = "duplicate-token",
    }
}

result! {
    /// Something that a person should know before the new file is written.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("MigrationFinding")]
    pub struct Note {
        /// What it is about.
        pub kind: NoteKind,
        /// How serious it is: an error if llama.cpp refuses the new file, a warning if something is lost.
        fn severity(&self) -> Severity,
        /// One or two sentences.
        pub message: String,
    }
}

impl Note {
    /// How serious it is: an error if llama.cpp refuses the new file, a warning if something is lost.
    pub fn severity(&self) -> Severity {
        match self.kind {
            NoteKind::NoScores | NoteKind::RoundedScales | NoteKind::RemovedType | NoteKind::NotRunnable => {
                Severity::Warning
            }
            NoteKind::MissingKey | NoteKind::DuplicateToken => Severity::Error,
            NoteKind::DroppedTensor | NoteKind::FileType => Severity::Info,
        }
    }
}

/// The notes about what llama.cpp refuses of a new file with this header.
pub(super) fn notes_of_file(header: &[u8]) -> Result<Vec<Note>> {
    let NewFileProblems { missing_key, duplicate_tokens } = NewFileProblems::of(&parse(header)?, &|_| false);
    let mut notes = Vec::new();
    if let Some(error) = missing_key {
        notes.push(Note { kind: NoteKind::MissingKey, message: error.to_string() });
    }
    if let Some(message) = duplicate_tokens {
        notes.push(Note { kind: NoteKind::DuplicateToken, message });
    }
    Ok(notes)
}

impl<S: Source> LegacyModel<S> {
    pub(super) fn notes(&self, answers: &CompleteAnswers) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut note = |kind, message: String| notes.push(Note { kind, message });
        let header = self.header();
        if header.family == Family::Llama && header.vocabulary.as_ref().is_some_and(|tokens| !tokens.has_scores()) {
            note(
                NoteKind::NoScores,
                "The file has no scores of tokens, all are set to 0: texts will not be split as the model \
                 expects. Take tokenizer.ggml.scores from a GGUF file of the same model."
                    .into(),
            );
        }
        let types = |relation: Relation| {
            let mut names: Vec<&str> = Vec::new();
            for tensor in self.tensors() {
                let conversion = new_type(tensor, answers).and_then(|to| Conversion::new(tensor.ggml_type, to));
                let name = block_type_info(tensor.ggml_type).map_or("", |info| info.name);
                if conversion.is_ok_and(|conversion| conversion.relation() == relation) && !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(", ")
        };
        let rounded = types(Relation::ScalesRounded);
        if !rounded.is_empty() {
            note(NoteKind::RoundedScales, format!("The scales of {rounded} blocks are rounded from 32 to 16 bits."));
        }
        let removed: Vec<String> = [Relation::Dequantised, Relation::Requantised]
            .map(types)
            .into_iter()
            .filter(|names| !names.is_empty())
            .collect();
        if !removed.is_empty() {
            note(
                NoteKind::RemovedType,
                format!("The values of {} tensors are stored in another type.", removed.join(", ")),
            );
        }
        notes
    }
}
