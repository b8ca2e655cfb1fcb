//! The GGUF format: byte order and version, tensor types, values, and the decoded header.

pub(crate) mod ggml_type;
pub(crate) mod header;
pub(crate) mod header_bytes;
pub(crate) mod storage;
pub(crate) mod tokenizer_model;
pub(crate) mod value;
pub(crate) mod version;
