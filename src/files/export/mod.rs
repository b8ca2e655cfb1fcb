//! The contents of a file in the formats of other tools: JSON, Markdown, CSV, NumPy's `.npy`.
//!
//! JSON and Markdown have the contents that gguf-dump of llama.cpp prints: see `dump`.

pub(crate) mod chat_template;
pub(crate) mod csv;
pub(crate) mod dump;
pub(crate) mod markdown;
mod markdown_table;
pub(crate) mod npy;
pub(crate) mod npy_file;
mod python_text;
