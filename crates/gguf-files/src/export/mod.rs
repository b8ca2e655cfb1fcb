//! The contents of a file in the formats of other tools: JSON, Markdown, CSV, NumPy's `.npy`.
//!
//! JSON and Markdown have the contents that gguf-dump of llama.cpp prints: see `dump`.
//!
//! Examples: [`write_markdown`], [`write_tensors_csv`], [`NpyArray`].

#[doc(hidden)]
pub mod chat_template;
#[doc(hidden)]
pub mod csv;
#[doc(hidden)]
pub mod dump;
#[doc(hidden)]
pub mod markdown;
mod markdown_table;
pub(crate) mod npy;
#[doc(hidden)]
pub mod npy_file;
#[doc(hidden)]
pub mod original;
mod python_text;

pub use chat_template::{ChatTemplate, chat_templates};
pub use csv::{CsvCells, write_tensors_csv, write_tokens_csv};
pub use dump::{DumpField, DumpName, FlatElements, dump_fields};
pub use markdown::write_markdown;
pub use npy::{NpyArray, NpyElements};
pub use npy_file::{NpyChunks, NpyFile};
pub use original::OriginalTensor;
