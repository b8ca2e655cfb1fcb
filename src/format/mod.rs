//! The GGUF format: byte order and version, tensor types, metadata values, and the index of a header.

pub(crate) mod ggml_type;
pub(crate) mod header;
pub(crate) mod header_bytes;
pub(crate) mod storage;
pub(crate) mod value;
pub(crate) mod version;
