//! What the crate knows of the format: metadata keys, file types, kinds of files and special tokens.

mod file_name;
mod file_name_gguf_py;
mod file_name_suggested;
mod file_name_table;
mod file_types;
mod gguf_py;
mod image_models;
mod kind;
mod lookup;
mod model;
mod special_tokens;
mod specification;
mod table;
mod tensor_types;
