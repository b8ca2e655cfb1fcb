//! How adapters are merged into a model, and which tensors the new file has.

use alloc::vec::Vec;

use gguf_declare::result;
use gguf_format::format::ggml_type::GgmlType;

/// The types of the tensors that adapters change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergedTypes {
    /// F32 stays F32, all others become F16, as `llama-export-lora` has it.
    #[default]
    F16,
    /// All become F32, to be converted further.
    F32,
    /// They keep their types: changed tensors are quantized again, without an importance matrix.
    Keep,
}

/// How adapters are merged into a model.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MergeOptions {
    /// The types of the tensors that adapters change.
    pub types: MergedTypes,
}

impl MergeOptions {
    /// The options with other types.
    #[must_use]
    pub fn with_types(self, types: MergedTypes) -> Self {
        Self { types }
    }
}

result! {
    /// A tensor of the new file.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("MergedModelTensor")]
    pub struct MergedTensor {
        /// The name.
        #[rust]
        pub name: Vec<u8>,
        /// The name.
        give name: alloc::string::String = |tensor| alloc::string::String::from_utf8_lossy(&tensor.name).into_owned(),
        /// The number of elements in each dimension, fastest first.
        pub dimensions: Vec<u64>,
        /// The type in the model.
        pub old_type: GgmlType,
        /// The type in the new file.
        pub new_type: GgmlType,
        /// The size of the data in the new file, in bytes.
        pub byte_length: u64,
        /// The number of adapters that change it.
        pub adapters: usize,
    }
}
