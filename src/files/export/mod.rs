//! The contents of a file in the formats of other tools: JSON, Markdown, CSV, NumPy's `.npy`.
//!
//! JSON and Markdown have the contents that gguf-dump of llama.cpp prints: see `dump`.
//!
//! Examples: [`write_markdown`], [`write_tensors_csv`], [`NpyArray`].

pub(crate) mod chat_template;
pub(crate) mod csv;
pub(crate) mod dump;
pub(crate) mod markdown;
mod markdown_table;
pub(crate) mod npy;
pub(crate) mod npy_file;
pub(crate) mod original;
mod python_text;

pub use chat_template::{ChatTemplate, chat_templates};
pub use csv::{CsvCells, write_tensors_csv, write_tokens_csv};
pub use dump::{DumpField, DumpName, FlatElements, dump_fields};
pub use markdown::write_markdown;
pub use npy::{NpyArray, NpyElements};
pub use npy_file::{NpyChunks, NpyFile};
pub use original::OriginalTensor;
