//! Opens a file and shows its header: `Gguf`, metadata, arrays, tensors.

pub(crate) mod array;
pub(crate) mod array_receiver;
pub(crate) mod blocks;
pub(crate) mod extent;
pub(crate) mod file;
pub(crate) mod gguf;
pub(crate) mod listing;
pub(crate) mod opened;
pub(crate) mod options;
pub(crate) mod shared_file;
pub(crate) mod stored_bytes;
pub(crate) mod tensor;
pub(crate) mod value;
