//! Opens a file and shows its header: `Gguf`, metadata, arrays, tensors.

pub(crate) mod array;
pub(crate) mod extent;
pub(crate) mod file;
pub(crate) mod gguf;
pub(crate) mod listing;
pub(crate) mod opened;
pub(crate) mod options;
pub(crate) mod shared_file;
pub(crate) mod tensor;
pub(crate) mod value;
