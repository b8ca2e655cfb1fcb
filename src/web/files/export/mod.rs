//! The methods of `Gguf` that export what a file contains.

mod chat_templates;
pub(crate) mod json;
mod npy_file;
mod text;
mod text_pieces;
