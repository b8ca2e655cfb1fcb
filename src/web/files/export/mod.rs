//! The methods of `Gguf` that export what a file contains.

mod chat_templates;
pub(crate) mod json;
mod npy_chunks;
mod npy_file;
mod npy_tensor;
mod text;
mod text_pieces;
