//! Knowledge of the format: the meaning of its names and numbers.

pub mod architectures;
mod decimal;
pub(crate) mod file_kinds;
pub mod file_name;
pub mod file_types;
pub mod keys;
pub mod kind;
pub mod memory;
pub(crate) mod pre_tokenizers;
pub(crate) mod special_tokens;
pub mod tensor_names;
mod text_table;
pub mod tokenizer;
