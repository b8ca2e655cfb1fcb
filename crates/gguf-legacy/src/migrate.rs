//! Planning a migration: why it may not be possible, and the header of the new file.

use alloc::{string::String, vec::Vec};

use super::adapter;
use super::answers::{Answers, CompleteAnswers, REPLACEMENTS};
use super::entries::{add_adapter, add_for_inspection, add_llama, add_own, has_file_type};
use super::family::Family;
use super::llama;
use super::migrated_file::{MigratedFile, TensorData};
use super::migrated_tensor::{Method, MigratedTensor};
use super::migration::Migration;
use super::model::LegacyModel;
use super::notes::{Note, NoteKind, notes_of_file};
use super::type_numbers::type_in_gguf;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::version::Format;
use gguf_format::io::Source;
use gguf_format::write::writer::Writer;

/// What the new file is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// llama.cpp runs it.
    Running,
    /// Other tools read it. Its entries say that it cannot be run.
    Inspection,
    /// It shows the old file: it has the entries of the old file, and no others.
    View,
}

impl<S: Source> LegacyModel<S> {
    /// Why llama.cpp could not run the migrated model: a sentence for each reason. Empty if it can be migrated.
    pub fn obstacles(&self) -> Vec<String> {
        const NO_MERGES: &str = "The file has no merges, so a model that runs also needs the tokenizer of the original model. \
             Convert the original model instead.";
        let family = self.header().family;
        let reason = match family {
            Family::Llama => return llama::sizes(self.header(), self.tensors()).err().unwrap_or_default(),
            Family::Lora => return adapter::obstacles(self.header(), self.tensors()),
            Family::Gptj => "llama.cpp cannot run GPT-J models.",
            Family::Rwkv => "llama.cpp cannot run RWKV models of version 4.",
            Family::Whisper => "whisper.cpp still reads this format. GGUF has no form for Whisper models.",
            Family::Sam => "GGUF has no form for Segment Anything models.",
            Family::Replit => "llama.cpp cannot run Replit models, whose vocabulary is a unigram model.",
            _ => NO_MERGES,
        };
        vec![reason.into()]
    }

    /// Plans a GGUF file that shows the model as it is: the names of the file, and all values exactly. Blocks that cannot be copied or
    /// rearranged become F32. It is for inspection only; everything that reads GGUF can read it without writing it.
    ///
    /// # Errors
    ///
    /// `bad-name` or `name-taken` if GGUF cannot have the names of the tensors.
    pub fn as_gguf(&self) -> Result<Migration<S>> {
        let answers = Answers { exact_scales: Some(true), removed_types: Some(GgmlType::F32), ..Answers::default() };
        self.plan(&answers, Purpose::View)
    }

    /// Plans the migration. Reads no data.
    ///
    /// # Errors
    ///
    /// `unsupported` if there are [obstacles](Self::obstacles), unless `answers.for_inspection` is set; `invalid-argument` if an
    /// answer is not valid; the errors of a [`Writer`], for example `name-taken` if two tensors have one name.
    pub fn migrate(&self, answers: &Answers) -> Result<Migration<S>> {
        let obstacles = self.obstacles();
        if !answers.for_inspection && !obstacles.is_empty() {
            return Err(error!(Unsupported:
                "the model cannot be migrated to a file that llama.cpp runs: {} It can be exported for inspection only",
                obstacles.join(" ")));
        }
        self.plan(answers, if answers.for_inspection { Purpose::Inspection } else { Purpose::Running })
    }

    fn plan(&self, answers: &Answers, purpose: Purpose) -> Result<Migration<S>> {
        let complete = self.complete(answers)?;
        let mut notes = self.notes(&complete);
        let for_inspection = purpose != Purpose::Running;
        if for_inspection {
            notes.push(Note {
                kind: NoteKind::NotRunnable,
                message: "The new file is for inspection only: llama.cpp cannot run it.".into(),
            });
        }
        let mut tensors = Vec::new();
        for (index, tensor) in self.tensors().iter().enumerate() {
            match self.migrated_tensor(index, tensor, &complete, for_inspection)? {
                Some(migrated) => tensors.push(migrated),
                None => notes.push(Note {
                    kind: NoteKind::DroppedTensor,
                    message: format!("The tensor \"{}\" is left out: llama.cpp computes it.", Shown(&tensor.name)),
                }),
            }
        }
        let writer = self.writer(&tensors, &complete, purpose, &mut notes)?;
        let data = writer.tensors().zip(&tensors).map(|(place, migrated)| {
            let tensor = &self.tensors()[migrated.0.from];
            TensorData {
                range: place.position()..place.position() + place.byte_length(),
                stored: tensor.offset..tensor.offset + tensor.byte_length,
                method: migrated.1.clone().into_method(tensor),
            }
        });
        let data = data.collect();
        let header = writer.header()?;
        if !for_inspection {
            let mut all = notes_of_file(&header)?;
            all.append(&mut notes);
            notes = all;
        }
        let file = MigratedFile::new(self.file().reader().source().clone(), header, data, writer.size());
        Ok(Migration { file, tensors: tensors.into_iter().map(|(tensor, _)| tensor).collect(), notes })
    }

    /// The new file with all entries and tensors.
    fn writer(
        &self,
        tensors: &[(MigratedTensor, Method)],
        answers: &CompleteAnswers,
        purpose: Purpose,
        notes: &mut Vec<Note>,
    ) -> Result<Writer> {
        let header = self.header();
        let is_quantized =
            tensors.iter().any(|(tensor, _)| tensor.ggml_type.info().is_some_and(|info| info.block_size > 1));
        let mut writer = Writer::new(Format::default())?;
        match (purpose, header.family, llama::sizes(header, self.tensors())) {
            (Purpose::Running, Family::Llama, Ok(sizes)) => {
                let file_type = self.new_file_type(tensors, answers, notes);
                add_llama(&mut writer, header, &sizes, answers, file_type, is_quantized)?;
            }
            (Purpose::Running, Family::Lora, _) => add_adapter(&mut writer, header)?,
            (Purpose::View, ..) => add_own(&mut writer, header, "")?,
            _ => add_for_inspection(&mut writer, header, is_quantized)?,
        }
        for (tensor, _) in tensors {
            writer.add_tensor(tensor.name.as_bytes(), &tensor.dimensions, tensor.ggml_type)?;
        }
        Ok(writer)
    }

    /// `general.file_type`: the old one, unless tensors get other types.
    fn new_file_type(
        &self,
        tensors: &[(MigratedTensor, Method)],
        answers: &CompleteAnswers,
        notes: &mut Vec<Note>,
    ) -> Option<u32> {
        let of_type = |wanted: GgmlType| {
            REPLACEMENTS.iter().find(|(ggml_type, _)| *ggml_type == wanted).map(|(_, file_type)| *file_type)
        };
        let stored = |tensor: &MigratedTensor| self.tensors()[tensor.from].ggml_type;
        let matrices = || tensors.iter().map(|(tensor, _)| tensor).filter(|tensor| tensor.dimensions.len() > 1);
        let changed = matrices().find(|tensor| type_in_gguf(stored(tensor)).is_none());
        if changed.is_some() {
            return of_type(answers.removed_types);
        }
        if answers.exact_scales && matrices().any(|tensor| Some(tensor.ggml_type) != type_in_gguf(stored(tensor))) {
            return of_type(GgmlType::F32);
        }
        let old = self.header().file_type().filter(|value| has_file_type(*value));
        if old.is_none() {
            notes.push(Note {
                kind: NoteKind::FileType,
                message: "The file type of the old file is unknown. The new one is that of its largest tensor.".into(),
            });
        }
        old.or_else(|| of_type(matrices().max_by_key(|tensor| tensor.byte_length)?.ggml_type))
    }
}
