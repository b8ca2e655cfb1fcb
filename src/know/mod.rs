//! Explains the names and numbers of the format: keys, architectures, file types, names of tensors and of files. Tells what a
//! file is, and which programs load it.

mod architectures;
mod chat;
mod file_name;
mod file_types;
mod gguf;
mod keys;
pub(crate) mod kind;
mod listing;
mod memory;
pub(crate) mod memory_options;
mod programs;
mod repository_name;
pub(crate) mod special_tokens;
mod tensor_role;
mod tokenizer;
