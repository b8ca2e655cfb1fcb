//! LoRA adapters: from PEFT to GGUF, as `convert_lora_to_gguf.py` of llama.cpp of August 2026 makes them, and merged into a model.
//!
//! An adapter changes matrices of a model. For each of them it has two small ones, A with `rank` rows and B with `rank` columns. The
//! changed matrix is W + scale · B · A.
//!
//! - [`open_adapter`] opens an adapter that PEFT has saved: `adapter_config.json` and `adapter_model.safetensors`. [`plan_adapter`] plans
//!   its GGUF file.
//! - [`LoraAdapter`] is an adapter in a GGUF file, and [`MergedFile`] a model with adapters merged into it.

// - `adapter_config`: what `adapter_config.json` says, and what it may not say
// - `stored`: the pairs of matrices, by the names that PEFT gives them
// - `open`: the folders of an adapter and of its base model
// - `mapping`: what the rules of the base model's family make of a pair
// - `plan`: the new file
// - `merge`: a model with adapters

mod adapter_config;
mod mapping;
pub mod merge;
mod open;
mod plan;
mod stored;

pub use adapter_config::ADAPTER_CONFIG;
pub use merge::{LoraAdapter, MergeOptions, MergedFile, MergedTensor, MergedTypes};
pub use open::{ADAPTER_WEIGHTS, BaseModel, open_adapter};
pub use plan::plan_adapter;
