//! What the crate knows of architectures and tensor names: the tables, against upstream's lists and against real headers.

#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/gguf_bytes.rs"]
mod gguf_bytes;

mod architectures;
mod generated_headers;
mod gguf_py;
mod header_parts;
mod real_headers;
mod tensor_names;
