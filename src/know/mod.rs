//! Knowledge of the format: the meaning of its names and numbers.

pub(crate) mod architectures;
mod decimal;
pub(crate) mod file_kinds;
pub(crate) mod file_name;
pub(crate) mod file_types;
pub(crate) mod keys;
pub(crate) mod kind;
pub(crate) mod memory;
mod model;
pub(crate) mod pre_tokenizers;
pub(crate) mod special_tokens;
pub(crate) mod tensor_names;
mod text_table;
pub(crate) mod tokenizer;
