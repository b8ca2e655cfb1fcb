//! Opens a file and shows its header: `Gguf`, metadata, arrays, tensors. Reads stored bytes.

pub(crate) mod array;
#[cfg(feature = "edit")]
pub(crate) mod array_receiver;
pub(crate) mod decoded_header;
pub(crate) mod elements;
pub(crate) mod gguf;
#[cfg(any(feature = "files", feature = "know"))]
pub(crate) mod given_file;
mod handover;
pub(crate) mod header_part;
pub(crate) mod listing;
mod model;
pub(crate) mod opened_file;
pub(crate) mod options;
pub(crate) mod progress;
mod shard_name;
pub(crate) mod shared_header;
pub(crate) mod tensor_info;
pub(crate) mod text;
mod typed_values;
