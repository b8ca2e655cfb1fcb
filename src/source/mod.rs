//! Reads the bytes of a file: from memory, a `Blob`, a stream, a custom object, or over HTTP.

pub(crate) mod blob_source;
pub(crate) mod computed;
pub(crate) mod gguf_source;
pub(crate) mod http;
pub(crate) mod limits;
pub(crate) mod local_files;
pub(crate) mod receiver;
pub(crate) mod source_name;
