//! The methods of `Gguf` that export what a file contains.

mod chat_templates;
pub(crate) mod json;
mod originals;
mod text;
mod text_pieces;
