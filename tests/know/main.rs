//! What the crate knows of the format: metadata keys, file types, kinds of files and special tokens.

#[path = "../support/corpus.rs"]
mod corpus;

mod file_types;
mod gguf_py;
mod kind;
mod lookup;
mod special_tokens;
mod specification;
mod table;
mod tensor_types;
