//! What the crate knows of the format: metadata keys and file types.

#[path = "../support/corpus.rs"]
mod corpus;

mod file_name;
mod file_name_gguf_py;
mod file_name_table;
mod file_types;
mod gguf_py;
mod lookup;
mod specification;
mod table;
