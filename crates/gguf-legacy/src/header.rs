//! What a file before GGUF says: its hyperparameters, its vocabulary and its tensors.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;
use gguf_format::decimal::plain;

use super::container::{BlockRules, Container};
use super::family::Family;
use super::file_type::FileTypeNumbers;
use super::summary::{Hyperparameter, LegacyFileType, PartSummary, PartTensor, VocabularySummary};
use super::tensor::LegacyTensor;
use gguf_declare::result;
use gguf_format::tensor::block_types::block_type_info;

result! {
    /// What a file before GGUF says besides its tensors.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacySummary")]
    pub struct LegacyHeader {
        /// The container.
        pub container: Container,
        /// The version of the container. Not present for `ggml`, which has none.
        pub version: Option<u32>,
        /// The family of the model.
        pub family: Family,
        /// Other families that fit the file equally well. The caller can choose one.
        pub alternatives: Vec<Family>,
        /// What the header lacks, if other files of the family have it.
        pub variant: Option<&'static str>,
        /// The layout of quantized blocks.
        pub block_rules: BlockRules,
        /// The multiple in the file at which the data of a tensor begins, in bytes.
        pub alignment: u64,
        /// The position of the first hyperparameter.
        #[rust]
        pub fields_offset: u64,
        /// The position of the first hyperparameter.
        give hyperparameters_offset: u64 = |header| header.fields_offset,
        /// The hyperparameters, in file order, with the names that the period programs gave them.
        #[rust]
        pub fields: Vec<(&'static str, FieldValue)>,
        /// The hyperparameters, in the order of the file.
        give hyperparameters: Vec<Hyperparameter> = |header| header.hyperparameters(),
        /// The file type, if the family has one.
        give file_type: Option<LegacyFileType> = |header| header.file_type_summary(),
        /// The mel filters of a Whisper model.
        pub mel_filters: Option<MelFilters>,
        /// The vocabulary, if there is one.
        #[rust]
        pub vocabulary: Option<Vocabulary>,
        /// The vocabulary, if there is one.
        give vocabulary: Option<VocabularySummary> = |header| header.vocabulary.as_ref().map(Vocabulary::summary),
        /// The position of the first tensor's header.
        #[rust]
        pub tensors_offset: u64,
        /// The tensors, in file order.
        #[rust]
        pub tensors: Vec<LegacyTensor>,
        /// The size of the file.
        #[rust]
        pub end: u64,
    }
}

/// The value of a hyperparameter.
#[derive(Clone, Copy, Debug)]
pub enum FieldValue {
    /// An integer. Programs read most as i32; negative values do not occur.
    Integer(u32),
    /// A float.
    Float(f32),
}

impl PartialEq for FieldValue {
    /// Whether the bits are equal. So a NaN is equal to itself.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(own), Self::Integer(other)) => own == other,
            (Self::Float(own), Self::Float(other)) => own.to_bits() == other.to_bits(),
            _ => false,
        }
    }
}

impl Eq for FieldValue {}

impl fmt::Display for FieldValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => f.write_str(&plain((*value).into())),
        }
    }
}

result! {
    /// Where a Whisper model has the filters of its spectrogram: the first count times the second f32s.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[typescript("LegacyMelFilters")]
    pub struct MelFilters {
        /// The position of the two counts.
        pub offset: u64,
        /// The number of filters.
        pub mel_count: u32,
        /// The number of values in a filter.
        pub fft_count: u32,
        /// The position of the first filter.
        pub data_offset: u64,
    }
}

/// The vocabulary of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    pub(super) offset: u64,
    pub(super) count_field: Option<u32>,
    pub(super) has_scores: bool,
    /// The bytes from `offset` on.
    pub(super) bytes: Vec<u8>,
    /// The position in `bytes` of each token's length.
    pub(super) starts: Vec<u32>,
}

/// A token of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegacyToken<'a> {
    /// The bytes of the token, as SentencePiece or another tokenizer decoded it.
    pub text: &'a [u8],
    /// The score, if the container has scores.
    pub score: Option<f32>,
}

impl Vocabulary {
    /// The position of the vocabulary in the file: that of the repeated count if there is one, else of the first token.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The position after the last token.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// The count that stands before the tokens, if the family has one.
    pub fn count_field(&self) -> Option<u32> {
        self.count_field
    }

    /// Whether each token has a score.
    pub fn has_scores(&self) -> bool {
        self.has_scores
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no tokens.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The tokens, by id.
    pub fn tokens(&self) -> impl ExactSizeIterator<Item = LegacyToken<'_>> + Clone {
        self.starts.iter().map(|start| {
            let bytes = &self.bytes[*start as usize..];
            let number = |at: usize| bytes[at..].first_chunk().copied().unwrap_or_default();
            let end = 4 + u32::from_le_bytes(number(0)) as usize;
            LegacyToken { text: &bytes[4..end], score: self.has_scores.then(|| f32::from_le_bytes(number(end))) }
        })
    }
}

impl LegacyHeader {
    /// The value of a hyperparameter.
    pub fn field(&self, name: &str) -> Option<FieldValue> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, value)| *value)
    }

    /// The value of a hyperparameter that is an integer; 0 if the family does not have it.
    pub(super) fn integer(&self, name: &str) -> u32 {
        match self.field(name) {
            Some(FieldValue::Integer(value)) => value,
            _ => 0,
        }
    }

    /// The number of the file type, if the family has one.
    pub fn file_type(&self) -> Option<u32> {
        match self.field("ftype").or(self.field("data_type"))? {
            FieldValue::Integer(value) => Some(value),
            FieldValue::Float(_) => None,
        }
    }

    /// The numbering of the file type.
    pub fn file_type_numbers(&self) -> FileTypeNumbers {
        FileTypeNumbers::of(self.family, self.container)
    }

    /// The name of the file type: `MOSTLY_Q4_0`. `None` if no program of the time had its number.
    pub fn file_type_name(&self) -> Option<Cow<'static, str>> {
        self.file_type_numbers().name_of(self.file_type()?)
    }

    /// The version of the quantization that the file type of a `ggml` example names.
    pub fn quantization_version(&self) -> Option<u32> {
        self.file_type_numbers().quantization_version(self.file_type()?)
    }

    /// The name of the container with its version, as llama.cpp's migration script writes it: `GGJTv3`.
    pub fn container_name(&self) -> String {
        let name = match self.container {
            Container::Ggml => "GGML",
            Container::Ggmf => "GGMF",
            Container::Ggjt => "GGJT",
            Container::Ggla => "GGLA",
        };
        format!("{name}v{}", self.version.unwrap_or(1))
    }
}

impl LegacyHeader {
    /// The hyperparameters, in the order of the file.
    pub fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let value = |value: &FieldValue| match value {
            FieldValue::Integer(value) => f64::from(*value),
            FieldValue::Float(value) => f64::from(*value),
        };
        self.fields.iter().map(|(name, field)| Hyperparameter { name, value: value(field) }).collect()
    }

    /// The file type with its name, if the family has one.
    pub fn file_type_summary(&self) -> Option<LegacyFileType> {
        self.file_type().map(|value| LegacyFileType {
            value,
            name: self.file_type_name(),
            numbering: self.file_type_numbers(),
            quantization_version: self.quantization_version(),
        })
    }

    /// The file as a part of a model.
    pub fn part(&self) -> PartSummary {
        let tensors = self.tensors.iter().map(|tensor| PartTensor {
            name: String::from_utf8_lossy(&tensor.name).into_owned(),
            dimensions: tensor.dimensions.clone(),
            r#type: block_type_info(tensor.ggml_type).map_or("", |info| info.name),
            type_id: tensor.type_id,
            header_offset: tensor.header_offset,
            offset: tensor.offset,
            byte_length: tensor.byte_length,
        });
        PartSummary { size: self.end, tensors_offset: self.tensors_offset, tensors: tensors.collect() }
    }
}

impl Vocabulary {
    /// Where the vocabulary lies, and what it has.
    pub fn summary(&self) -> VocabularySummary {
        VocabularySummary {
            offset: self.offset(),
            end: self.end(),
            count: self.len() as u64,
            count_field: self.count_field(),
            has_scores: self.has_scores(),
        }
    }
}
