//! Models in the layout of Hugging Face, and their conversion to GGUF.
//!
//! 1. [`SmallFiles`](files::SmallFiles) has the configuration, the tokenizer and the model card of a folder, and a
//!    [`SafetensorsModel`](crate::safetensors::SafetensorsModel) has its tensors. Both are a [`HubModel`].
//! 2. The class in `config.json` names the family: its rules for tensors, and its keys.
//! 3. A [`ModelPlan`] is the new file before its data is read. Every range of it can be read, so it can be looked at, written, and
//!    converted to other types.

mod check;
pub(crate) mod config;
pub mod entries;
mod equal_output;
mod factors;
mod families;
mod file;
pub mod files;
pub(crate) mod json_members;
mod keys;
pub(super) mod mapping;
pub mod metadata;
mod next_token_layers;
mod next_tokens;
pub mod open;
mod options;
#[doc(hidden)]
pub mod plan;
mod planned_part;
mod pooling;
mod projectors;
pub(super) mod quantization;
pub(super) mod queue;
mod rules;
mod session;
pub(super) mod several_models;
mod summary;
#[doc(hidden)]
pub mod tensors;
mod types;
mod view;
pub mod vocabulary;
mod windows;

pub use families::classes;
pub use file::ConvertedFile;
pub use next_token_layers::NextTokenLayers;
pub use open::{ModelFolder, OpenedModel};
pub use options::ModelOptions;
pub use plan::{HubModel, ModelPlan, NewModelTensor};
pub use projectors::{ProjectorSummary, projector_classes, projector_of};
pub use summary::{DataTypeSummary, PartSummary, TensorSummary, VocabularySummary};
pub use types::OutputType;
