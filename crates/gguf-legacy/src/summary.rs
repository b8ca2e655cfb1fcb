//! Parts of what a file before GGUF says, as plain results for programs.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::file_type::FileTypeNumbers;
use gguf_declare::result;

result! {
    /// A hyperparameter of a file before GGUF.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacyHyperparameter")]
    pub struct Hyperparameter {
        /// The name that the period programs gave it.
        pub name: &'static str,
        /// The value.
        pub value: f64,
    }
}

result! {
    /// The file type of a file before GGUF: which type most tensors have.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LegacyFileType {
        /// The number in the file.
        pub value: u32,
        /// The name: `MOSTLY_Q4_0`. Not present if no program of the time had the number.
        pub name: Option<Cow<'static, str>>,
        /// Who numbered the file types.
        pub numbering: FileTypeNumbers,
        /// The version of the quantization that the number names.
        pub quantization_version: Option<u32>,
    }
}

result! {
    /// Where a file before GGUF has its vocabulary.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacyVocabulary")]
    pub struct VocabularySummary {
        /// The position of the vocabulary in the file.
        pub offset: u64,
        /// The position after the last token.
        pub end: u64,
        /// The number of tokens.
        pub count: u64,
        /// The count that stands before the tokens, in families that repeat it.
        pub count_field: Option<u32>,
        /// Whether tokens have scores.
        pub has_scores: bool,
    }
}

result! {
    /// A file of a model before GGUF.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacyPart")]
    pub struct PartSummary {
        /// The size of the file in bytes.
        pub size: u64,
        /// The position of the first tensor.
        pub tensors_offset: u64,
        /// The tensors, in the order of the file.
        pub tensors: Vec<PartTensor>,
    }
}

result! {
    /// A tensor in a file before GGUF. If the model has several files, it is a share of a tensor.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("LegacyTensor")]
    pub struct PartTensor {
        /// The name, with U+FFFD in place of bytes that are not UTF-8.
        pub name: String,
        /// The number of elements in each dimension, fastest first.
        pub dimensions: Vec<u64>,
        /// The name of the type: `"Q4_0_V1"`.
        pub r#type: &'static str,
        /// The number of the type in the file.
        pub type_id: u32,
        /// The position of the tensor's header in the file.
        pub header_offset: u64,
        /// The position of the data in the file.
        pub offset: u64,
        /// The size of the data in bytes.
        pub byte_length: u64,
    }
}
