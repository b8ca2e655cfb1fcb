//! Models in the formats before GGUF: GGML, GGMF and GGJT files, and `ggla` adapters.

mod adapter;
mod answers;
mod block_types;
mod candidate;
mod choice;
mod container;
mod conversion;
mod decoder;
mod entries;
mod family;
mod file_type;
mod header;
mod llama;
mod migrate;
mod migrated_file;
mod model;
mod parts;
mod read;
mod tensor;
mod view;

pub use answers::{Answers, Choice, Question, QuestionId};
pub use block_types::*;
pub use container::{BlockRules, Container, is_legacy_magic};
pub use conversion::{Exactness, Relation};
pub use decoder::{Decoder, Options};
pub use family::Family;
pub use file_type::FileTypeNumbers;
pub use header::{FieldValue, LegacyHeader, LegacyToken, MelFilters, Vocabulary};
pub use migrate::{ExactnessReport, MigratedTensor, Migration, Note, NoteKind};
pub use migrated_file::MigratedFile;
pub use model::LegacyModel;
pub use parts::{Join, JoinedTensor, PartsSource};
pub use read::read_header;
pub use tensor::LegacyTensor;
