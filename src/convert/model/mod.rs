//! Models in the layout of Hugging Face: what their small files say, as entries of a GGUF file.

pub mod entries;
pub mod files;
pub(crate) mod json_members;
pub mod metadata;
pub mod vocabulary;
