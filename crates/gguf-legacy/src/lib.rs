//! Models in the formats before GGUF: GGML, GGMF and GGJT files, and `ggla` adapters.
//!
//! ```text
//! magic             u32: "ggml", "ggmf", "ggjt", "ggla" as a little-endian number, so the letters are reversed in the file
//! version           u32, not in ggml
//! hyperparameters   4 bytes each; their number depends on the family
//! mel filters       Whisper only
//! token count       u32, in some families
//! tokens            length u32, bytes; in ggmf and ggjt a score f32
//! tensors           a header and the data each, up to the end of the file: see `tensor`
//! ```
//!
//! [`Decoder`] reads bytes that arrive in pieces, [`LegacyModel`] opens a model from any source, and
//! [`LegacyModel::migrate`] plans a GGUF file.
//!
//! # Examples
//!
//! ```
//! use gguf_format::io::{FileSource, block_on};
//! use gguf_legacy::{Answers, LegacyModel, Options};
//!
//! # let path = std::env::temp_dir().join("gguf-wasm-legacy.bin");
//! # let mut bytes = b"algg".to_vec();
//! # [1, 2, 4_u32].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
//! # for name in ["layers.0.attention.wq.weight.loraA", "layers.0.attention.wq.weight.loraB"] {
//! #     [2, name.len() as u32, 0, 2, 4].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
//! #     bytes.extend(name.bytes());
//! #     bytes.resize(bytes.len().next_multiple_of(32) + 32, 0);
//! # }
//! # std::fs::write(&path, &bytes).unwrap();
//! let model = block_on(LegacyModel::open(vec![FileSource::open(&path)?], Options::default()))?;
//! let mut answers = Answers::default();
//! for question in model.questions() {
//!     println!("{}? {} ({})", question.title, question.default, question.reason);
//!     answers.set(question.id, &question.default)?;
//! }
//! let migration = model.migrate(&answers)?;
//! assert!(migration.opened()?.header().tensor("blk.0.attn_q.weight.lora_a").is_some());
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), gguf_format::Error>(())
//! ```

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod adapter;
mod answers;
mod candidate;
mod choice;
mod container;
mod conversion;
mod decoder;
mod defaults;
mod draft;
mod entries;
mod family;
mod file_type;
mod header;
mod llama;
mod migrate;
mod migrated_file;
mod migrated_tensor;
mod migration;
mod model;
mod notes;
mod parts;
mod questions;
mod read;
mod shape;
mod summary;
mod tensor;
mod type_numbers;
mod view;

pub use answers::Answers;
pub use container::{BlockRules, Container, is_legacy_magic};
pub use conversion::{Exactness, Relation};
pub use decoder::{Decoder, Options};
pub use draft::open_draft;
pub use family::Family;
pub use file_type::FileTypeNumbers;
pub use header::{FieldValue, LegacyHeader, LegacyToken, MelFilters, Vocabulary};
pub use migrated_file::MigratedFile;
pub use migrated_tensor::MigratedTensor;
pub use migration::{ExactnessReport, Migration, TensorExactness};
pub use model::{LegacyModel, without_extension};
pub use notes::{Note, NoteKind};
pub use parts::{Join, JoinedTensor, PartsSource};
pub use questions::{Choice, Question, QuestionId};
pub use read::read_header;
pub use summary::{Hyperparameter, LegacyFileType, PartSummary, PartTensor, VocabularySummary};
pub use tensor::LegacyTensor;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
