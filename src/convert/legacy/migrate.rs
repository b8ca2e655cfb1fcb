//! Migrating a model to GGUF: the plan, what it changes, and why it may not be possible.

use alloc::{rc::Rc, string::String, sync::Arc, vec::Vec};

use super::adapter;
use super::answers::{Answers, CompleteAnswers, REPLACEMENTS};
use super::block_types::{block_type_info, type_in_gguf};
use super::conversion::{Conversion, Exactness, Relation};
use super::entries::{add_adapter, add_for_inspection, add_llama, has_file_type};
use super::family::Family;
use super::llama::{self, NewName, new_name};
use super::migrated_file::{DataMethod, MigratedFile, TensorData, copied};
use super::model::LegacyModel;
use super::parts::JoinedTensor;
use crate::declare::{names, result};
use crate::decode::decoder::parse;
use crate::error::shown::Shown;
use crate::error::{Result, error};
use crate::format::ggml_type::GgmlType;
use crate::format::version::Format;
use crate::io::{OnProgress, ReadProgress, Source, Turns};
use crate::tensor::opened_file::OpenedFile;
use crate::write::plan::{PlanBuilder, Segment};
use crate::write::planned_file::PlannedFile;
use crate::write::writer::Writer;

/// The plan of a model's migration to GGUF.
///
/// It knows the header, the tensors and the size of the new file before data is read. [`file`](Self::file) reads any range of
/// the new file, [`planned_file`](Self::planned_file) writes it, and [`exactness`](Self::exactness) says what will change.
pub struct Migration<S: Source> {
    file: MigratedFile<S>,
    tensors: Vec<MigratedTensor>,
    notes: Vec<Note>,
}

/// A tensor of the new file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MigratedTensor {
    /// The name in the new file.
    pub name: String,
    /// The position among the [tensors of the model](LegacyModel::tensors).
    pub from: usize,
    /// The number of elements in each dimension, fastest first.
    pub dimensions: Vec<u64>,
    /// The type in the new file.
    pub ggml_type: GgmlType,
    /// The size of the new data in bytes.
    pub byte_length: u64,
    /// What the conversion does to the values.
    pub relation: Relation,
}

impl MigratedTensor {
    /// Whether values can change.
    pub fn is_lossy(&self) -> bool {
        self.relation.is_lossy(self.ggml_type)
    }
}

names! {
    /// What a note is about.
    #[typescript("LegacyNoteKind")]
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
    }
}

result! {
    /// Something that a person should know before the new file is written.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacyNote")]
    pub struct Note {
        /// What it is about.
        pub kind: NoteKind,
        /// One or two sentences.
        pub message: String,
    }
}

/// What a whole migration does to the values.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ExactnessReport {
    /// The figures of each tensor of the new file. `None` if its values cannot change.
    pub tensors: Vec<Option<Exactness>>,
    /// The figures of all tensors whose values can change.
    pub total: Exactness,
}

/// Bytes of old data that are compared at once.
const BYTES_AT_ONCE: u64 = 1 << 20;

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
        let complete = self.complete(answers)?;
        let mut notes = self.notes(&complete);
        if answers.for_inspection {
            notes.push(Note {
                kind: NoteKind::NotRunnable,
                message: "The new file is for inspection only: llama.cpp cannot run it.".into(),
            });
        }
        let mut tensors = Vec::new();
        for (index, tensor) in self.tensors().iter().enumerate() {
            match self.migrated_tensor(index, tensor, &complete, answers.for_inspection)? {
                Some(migrated) => tensors.push(migrated),
                None => notes.push(Note {
                    kind: NoteKind::DroppedTensor,
                    message: format!("The tensor \"{}\" is left out: llama.cpp computes it.", Shown(&tensor.name)),
                }),
            }
        }
        let writer = self.writer(&tensors, &complete, answers.for_inspection, &mut notes)?;
        let data = writer.tensors().zip(&tensors).map(|(place, migrated)| {
            let tensor = &self.tensors()[migrated.0.from];
            TensorData {
                range: place.position()..place.position() + place.byte_length(),
                stored: tensor.offset..tensor.offset + tensor.byte_length,
                method: migrated.1.clone().into_method(tensor),
            }
        });
        let data = data.collect();
        let file = MigratedFile::new(self.file().clone(), writer.header()?, data, writer.size());
        Ok(Migration { file, tensors: tensors.into_iter().map(|(tensor, _)| tensor).collect(), notes })
    }

    /// What becomes of a tensor. `None` if it is left out.
    fn migrated_tensor(
        &self,
        from: usize,
        tensor: &JoinedTensor,
        answers: &CompleteAnswers,
        for_inspection: bool,
    ) -> Result<Option<(MigratedTensor, Method)>> {
        let adapter = if self.header().family == Family::Lora { adapter::new_adapter_name(&tensor.name) } else { None };
        let (name, is_transposed) = match (for_inspection, adapter) {
            (false, Some((name, is_transposed))) => (name, is_transposed),
            (false, None) if self.header().family == Family::Llama => match new_name(&tensor.name) {
                Some(NewName::Name(name)) => (name, false),
                Some(NewName::Dropped) => return Ok(None),
                None => (own_name(tensor)?, false),
            },
            _ => (own_name(tensor)?, false),
        };
        let conversion = Conversion::new(tensor.ggml_type, new_type(tensor, answers)?)?;
        let ggml_type = conversion.to();
        let mut dimensions = tensor.dimensions.clone();
        let (relation, method) = match is_transposed {
            true => {
                dimensions.reverse();
                (Relation::Transposed, Method::Transpose)
            }
            false => (conversion.relation(), Method::Convert(conversion)),
        };
        let elements = dimensions.iter().product();
        let byte_length = ggml_type.byte_length(elements, dimensions[0]).unwrap_or(tensor.byte_length);
        Ok(Some((MigratedTensor { name, from, dimensions, ggml_type, byte_length, relation }, method)))
    }

    fn notes(&self, answers: &CompleteAnswers) -> Vec<Note> {
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

    /// The new file with all entries and tensors.
    fn writer(
        &self,
        tensors: &[(MigratedTensor, Method)],
        answers: &CompleteAnswers,
        for_inspection: bool,
        notes: &mut Vec<Note>,
    ) -> Result<Writer> {
        let header = self.header();
        let is_quantized =
            tensors.iter().any(|(tensor, _)| tensor.ggml_type.info().is_some_and(|info| info.block_size > 1));
        let mut writer = Writer::new(Format::default())?;
        match (for_inspection, header.family, llama::sizes(header, self.tensors())) {
            (false, Family::Llama, Ok(sizes)) => {
                let file_type = self.new_file_type(tensors, answers, notes);
                add_llama(&mut writer, header, &sizes, answers, file_type, is_quantized)?;
            }
            (false, Family::Lora, _) => add_adapter(&mut writer, header)?,
            _ => add_for_inspection(&mut writer, header, header.vocabulary.as_ref(), is_quantized)?,
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

/// How the data of a tensor is made.
#[derive(Clone)]
enum Method {
    Convert(Conversion),
    Transpose,
}

impl Method {
    fn into_method(self, tensor: &JoinedTensor) -> DataMethod {
        match self {
            Self::Convert(conversion) => DataMethod::Convert(conversion),
            Self::Transpose => DataMethod::Transpose {
                row_length: tensor.dimensions[0] as usize,
                width: tensor.ggml_type.info().map_or(1, |info| info.type_size as usize),
            },
        }
    }
}

fn own_name(tensor: &JoinedTensor) -> Result<String> {
    String::from_utf8(tensor.name.clone()).map_err(
        |_| error!(BadName: "the name of the tensor \"{}\" is not UTF-8, so it cannot be written", Shown(&tensor.name)),
    )
}

/// The type of a tensor in the new file.
fn new_type(tensor: &JoinedTensor, answers: &CompleteAnswers) -> Result<GgmlType> {
    let Some(same) = type_in_gguf(tensor.ggml_type) else {
        // Rows of Q4_2 and Q4_3 are multiples of 16 elements, blocks of other types have 32.
        let fits = answers.removed_types.byte_length(tensor.dimensions[0], tensor.dimensions[0]).is_some();
        return Ok(if fits { answers.removed_types } else { GgmlType::F16 });
    };
    let rounds_scales = Conversion::new(tensor.ggml_type, same)?.relation() == Relation::ScalesRounded;
    Ok(if rounds_scales && answers.exact_scales { GgmlType::F32 } else { same })
}

impl<S: Source> Migration<S> {
    /// The new file, every range of which can be read.
    pub fn file(&self) -> &MigratedFile<S> {
        &self.file
    }

    /// The size of the new file in bytes.
    pub fn size(&self) -> u64 {
        self.file.size().unwrap_or(0)
    }

    /// The tensors of the new file, in order.
    pub fn tensors(&self) -> &[MigratedTensor] {
        &self.tensors
    }

    /// What a person should know before the file is written.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The new file, opened: its header can be checked and its values can be seen without writing it.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn opened(&self) -> Result<OpenedFile<MigratedFile<S>>> {
        Ok(OpenedFile::new(Arc::new(parse(self.file.header_bytes())?), self.file.clone()))
    }

    /// The new file as a plan, which is written like that of an edited file: piece by piece, several reads in flight.
    ///
    /// # Errors
    ///
    /// `too-large` if the memory for the header cannot be allocated.
    pub fn planned_file(&self) -> Result<PlannedFile<MigratedFile<S>>> {
        let opened = self.opened()?;
        let (header_size, data_offset) = (opened.header().header_size(), opened.header().data_offset());
        let mut plan = PlanBuilder::default();
        plan.push(Segment::Copy { source: 0, range: 0..self.size() });
        Ok(PlannedFile::new(vec![Rc::new(opened)], plan.finish(header_size, data_offset, None)))
    }

    /// Computes how many values change, and by how much at most: reads the data of all tensors whose values can change.
    ///
    /// # Errors
    ///
    /// What reading the old file fails with.
    pub async fn exactness(&self, on_progress: Option<OnProgress<'_>>) -> Result<ExactnessReport> {
        let is_read = |index: &usize| self.tensors[*index].is_lossy();
        let lengths = (0..self.tensors.len()).filter(is_read).map(|index| {
            let stored = &self.file.tensors()[index].stored;
            stored.end - stored.start
        });
        let total_bytes = lengths.sum();
        let mut bytes_read = 0;
        let mut turns = Turns::<S::Host>::new();
        let mut report = ExactnessReport::default();
        for (migrated, data) in self.tensors.iter().zip(self.file.tensors()) {
            let DataMethod::Convert(conversion) = &data.method else {
                report.tensors.push(None);
                continue;
            };
            if !migrated.is_lossy() {
                report.tensors.push(None);
                continue;
            }
            let mut found = Exactness::default();
            let (old, new) = conversion.unit_bytes();
            let mut start = data.stored.start;
            while start < data.stored.end {
                let end = data.stored.end.min(start + BYTES_AT_ONCE.next_multiple_of(old));
                let blocks = copied(&self.file.read_stored(start..end).await?)?;
                let mut converted = vec![0; blocks.len() / old as usize * new as usize];
                conversion.convert(&blocks, &mut converted)?;
                conversion.compare(&blocks, &converted, &mut found)?;
                bytes_read += end - start;
                if let Some(on_progress) = on_progress {
                    on_progress(ReadProgress { bytes_read, total_bytes })?;
                }
                turns.count(8 * (end - start)).await;
                start = end;
            }
            report.total.extend(&found);
            report.tensors.push(Some(found));
        }
        Ok(report)
    }
}
