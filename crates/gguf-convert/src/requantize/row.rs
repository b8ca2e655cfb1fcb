//! A row of a recipe: what becomes of a tensor.

use alloc::{string::String, vec::Vec};

use gguf_declare::{names, result};
use gguf_format::error::{Error, ErrorCode};
use gguf_format::format::ggml_type::GgmlType;

names! {
    /// Why a tensor gets its type.
    #[typescript("TypeReason")]
    pub enum TypeReason {
        /// The target is a copy.
        Copy = "copy",
        /// `llama-quantize` never changes such tensors: vectors, norms, routers and others that are small or sensitive.
        Kept = "kept",
        /// The output tensor is left as it is, as the options say.
        OutputLeft = "output-left",
        /// The type that the options give for token embeddings.
        TokenEmbeddingType = "token-embedding-type",
        /// The type that the options give for the output tensor.
        OutputTensorType = "output-tensor-type",
        /// The first rule of the options that matches the name.
        Rule = "rule",
        /// The type of most tensors of the file type.
        Default = "default",
        /// The file type gives this tensor another type than most others.
        Mixture = "mixture",
        /// Chosen by hand.
        Hand = "hand",
    }
}

result! {
    /// Why a tensor cannot be converted.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[typescript("ConversionProblem")]
    pub struct RowProblem {
        /// The code of the error that a plan fails with: `"needs-imatrix"`.
        #[rust]
        pub code: ErrorCode,
        /// What was found, what was expected, and what to do.
        pub message: String,
        /// The code of the error that a plan fails with: `"needs-imatrix"`.
        give code: &'static str = |problem| problem.code.name(),
    }
}

impl RowProblem {
    pub(super) fn new(error: &Error) -> Self {
        Self { code: error.code(), message: format!("{error}") }
    }

    pub(super) fn to_error(&self) -> Error {
        Error::new(self.code, self.message.clone())
    }
}

result! {
    /// What becomes of a tensor.
    #[derive(Clone, Debug)]
    #[typescript("ConversionTensor")]
    pub struct RecipeRow {
        /// The name in the new file.
        pub name: String,
        /// The name in the model, if it differs: blocks get new numbers if others are left out.
        pub original_name: Option<String>,
        /// The number of the file that has the tensor, from 0 on.
        pub shard: usize,
        /// The position of the tensor in that file.
        pub index: usize,
        /// The dimensions in elements, the fastest first. Trailing dimensions of 1 are left out, except in image models.
        pub dimensions: Vec<u64>,
        /// The type in the model.
        pub old_type: GgmlType,
        /// The type in the new file.
        pub new_type: GgmlType,
        /// Why it has this type.
        pub reason: TypeReason,
        /// The type that would have been chosen, but whose blocks do not fit into the rows. Not present if the chosen type fits.
        pub fallback_from: Option<GgmlType>,
        /// The size in the model, in bytes.
        pub old_byte_length: u64,
        /// The size in the new file, in bytes.
        pub new_byte_length: u64,
        /// Whether the importance matrix has data for the tensor, which are used.
        pub has_importance: bool,
        /// Whether the type cannot be used without importance.
        pub needs_importance: bool,
        /// Why the tensor cannot be converted. Not present if it can.
        pub problem: Option<RowProblem>,
    }
}

impl RecipeRow {
    /// Whether the data are copied as they are.
    pub fn is_copied(&self) -> bool {
        self.old_type == self.new_type
    }
}
