//! Models in the formats before GGUF: GGML, GGMF and GGJT files, and `ggla` adapters.

mod block_types;
mod candidate;
mod choice;
mod container;
mod decoder;
mod family;
mod file_type;
mod header;
mod model;
mod parts;
mod read;
mod tensor;
mod view;

pub use block_types::*;
pub use container::{BlockRules, Container, is_legacy_magic};
pub use decoder::{Decoder, Options};
pub use family::Family;
pub use file_type::FileTypeNumbers;
pub use header::{FieldValue, LegacyHeader, LegacyToken, MelFilters, Vocabulary};
pub use model::LegacyModel;
pub use parts::{Join, JoinedTensor, PartsSource};
pub use read::read_header;
pub use tensor::LegacyTensor;
