//! What is known about a model before it is converted.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::config::{class_of, parse};
use super::entries::{Entries, EntryValue};
use super::next_token_layers::NextTokenLayers;
use super::plan::{HubModel, Recognized, recognize};
use super::view::view_type;
use super::vocabulary::{Vocabulary, VocabularyInput};
use crate::safetensors::{SafetensorsFile, StoredTensor};
use gguf_declare::result;
use gguf_format::error::{Error, Result};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::io::Source;

/// What the small files say about a model.
pub(super) struct Summary {
    pub class_name: Option<String>,
    pub architecture: Option<&'static str>,
    pub vocabulary: Option<VocabularySummary>,
    pub obstacles: Vec<Error>,
}

result! {
    /// The vocabulary of a model.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("HubModelVocabulary")]
    pub struct VocabularySummary {
        /// The value of `tokenizer.ggml.model`: `"llama"`, `"gpt2"`, `"bert"` or `"t5"`.
        pub kind: String,
        /// The number of tokens.
        pub token_count: u64,
        /// The value of `tokenizer.ggml.pre`. Not present if it is unknown, or if the vocabulary needs none.
        pub pre_tokenizer: Option<String>,
        /// The names of pre-tokenizers that split a text as this vocabulary does, the most probable ones first. Only present if the
        /// vocabulary needs a pre-tokenizer, and it is unknown: the user chooses.
        pub probable_pre_tokenizers: Option<Vec<&'static str>>,
    }
}

result! {
    /// A file with tensors.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("HubModelPart")]
    pub struct PartSummary {
        /// The name of the file.
        pub name: String,
        /// The size of the file in bytes, if it is known.
        pub size: Option<u64>,
        /// The number of tensors.
        pub tensor_count: usize,
        /// The size of all tensors in bytes.
        pub byte_length: u64,
    }
}

result! {
    /// A stored tensor.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("HubModelTensor")]
    pub struct TensorSummary {
        /// The name.
        pub name: String,
        /// The name of the type: `"BF16"`.
        pub data_type: &'static str,
        /// The number of elements in each dimension, slowest first.
        pub shape: Vec<u64>,
        /// The size of the data in bytes.
        pub byte_length: u64,
        /// The position of its file in `parts`.
        pub part: usize,
        /// The type that shows the tensor in `gguf`, with the same values. Not present if no type does.
        pub view_type: Option<GgmlType>,
    }
}

result! {
    /// The tensors of one type.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("HubModelDataType")]
    pub struct DataTypeSummary {
        /// The name of the type: `"BF16"`.
        pub data_type: &'static str,
        /// The number of tensors.
        pub tensor_count: usize,
        /// The size of all tensors in bytes.
        pub byte_length: u64,
    }
}

impl Summary {
    /// What the small files of a model say. `incomplete` is why its tensors are not those of a whole model.
    pub fn of<S: Source>(model: &HubModel<S>, incomplete: &[Error]) -> Self {
        let mut summary =
            Self { class_name: None, architecture: None, vocabulary: None, obstacles: incomplete.to_vec() };
        if let Err(error) = summary.fill(model) {
            summary.obstacles.push(error);
        }
        summary
    }

    /// Fills a summary, up to the first error.
    fn fill<S: Source>(&mut self, model: &HubModel<S>) -> Result<()> {
        let _session = model.files.session();
        let config = parse(&model.files)?;
        self.class_name = Some(class_of(&config)?.into());
        let Recognized { family, config, .. } = recognize(model, NextTokenLayers::Included)?;
        self.architecture = Some(family.architecture);
        let input = VocabularyInput { files: &model.files, config: config.members(), pre: None };
        self.vocabulary = vocabulary_of(family.vocabulary, input)?;
        Ok(())
    }
}

impl PartSummary {
    pub(super) fn of<S: Source>(file: &SafetensorsFile<S>) -> Self {
        let tensors = file.header().tensors();
        Self {
            name: file.name().into(),
            size: file.source().size(),
            tensor_count: tensors.len(),
            byte_length: tensors.iter().map(byte_length).sum(),
        }
    }
}

impl TensorSummary {
    pub(super) fn of(part: usize, tensor: &StoredTensor) -> Self {
        Self {
            name: tensor.name.clone(),
            data_type: tensor.data_type.name(),
            shape: tensor.shape.clone(),
            byte_length: byte_length(tensor),
            part,
            view_type: view_type(tensor),
        }
    }
}

impl DataTypeSummary {
    /// The types of tensors, sorted by their names.
    pub(super) fn of<'a>(tensors: impl Iterator<Item = &'a StoredTensor>) -> Vec<Self> {
        let mut types: BTreeMap<&'static str, (usize, u64)> = BTreeMap::new();
        for tensor in tensors {
            let (count, bytes) = types.entry(tensor.data_type.name()).or_default();
            *count += 1;
            *bytes += byte_length(tensor);
        }
        let summary = |(data_type, (tensor_count, byte_length))| Self { data_type, tensor_count, byte_length };
        types.into_iter().map(summary).collect()
    }
}

/// The size of a tensor in bytes.
#[doc(hidden)]
pub fn byte_length(tensor: &StoredTensor) -> u64 {
    tensor.range.end - tensor.range.start
}

/// The vocabulary that the files have. `None` if the model needs none.
fn vocabulary_of(vocabulary: Vocabulary, input: VocabularyInput<'_>) -> Result<Option<VocabularySummary>> {
    let mut entries = Entries::default();
    let probable = vocabulary.add_entries_or_ask(&input, &mut entries)?.map(|question| question.probable);
    let entry = |key: &str| entries.iter().find(|(other, _)| *other == key).map(|(_, value)| value);
    let text = |key| match entry(key) {
        Some(EntryValue::String(text)) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    };
    let Some(kind) = text("tokenizer.ggml.model") else { return Ok(None) };
    let token_count = match entry("tokenizer.ggml.tokens") {
        Some(EntryValue::Strings(tokens)) => tokens.len() as u64,
        _ => 0,
    };
    let pre_tokenizer = text("tokenizer.ggml.pre").filter(|_| probable.is_none());
    Ok(Some(VocabularySummary { kind, token_count, pre_tokenizer, probable_pre_tokenizers: probable }))
}
