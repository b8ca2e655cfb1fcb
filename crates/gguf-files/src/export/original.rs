//! The tensors of an original file, which a GGUF file shows: those of a model in a format before GGUF.

use alloc::borrow::Cow;
use alloc::string::String;

use gguf_format::format::header::TensorInfo;

/// A tensor as the original file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalTensor {
    /// The name of the type: `Q4_0_V1`.
    pub type_name: String,
    /// The size of the data in bytes, if it is known.
    pub byte_length: Option<u64>,
    /// The offset of the data in the original file. `None` if it is not known, or if the file has the data in several places.
    pub file_offset: Option<u64>,
}

/// The types, sizes and offsets of tensors in lists: from the original tensors if there are any, else from the header. Original
/// tensors are in the order of the header.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Listed<'a>(pub &'a [OriginalTensor]);

impl<'a> Listed<'a> {
    pub fn type_name(self, tensor: &TensorInfo<'_>) -> Cow<'a, str> {
        match self.0.get(tensor.index()) {
            Some(original) => original.type_name.as_str().into(),
            None => tensor.type_name(),
        }
    }

    pub fn byte_length(self, tensor: &TensorInfo<'_>) -> Option<u64> {
        self.0.get(tensor.index()).map_or_else(|| tensor.byte_length(), |original| original.byte_length)
    }

    pub fn file_offset(self, tensor: &TensorInfo<'_>) -> Option<u64> {
        self.0.get(tensor.index()).map_or_else(|| tensor.file_offset(), |original| original.file_offset)
    }
}
