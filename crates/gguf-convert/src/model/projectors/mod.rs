//! Projectors: the encoders of images and sound of a model, in a file of their own beside the model of the text.
//!
//! A family of encoders is a row of `TABLE`: the names of its classes, its rules for tensors and its keys. A class without a row is
//! refused, and so is a tensor without a rule. Names, orders and values are facts of the converter of llama.cpp of October 2026 with
//! `--mmproj` (the folder `conversion`, and `gguf-py/gguf/tensor_mapping.py`).

mod blocks;
mod encoders;
mod gemma3;
mod gemma4;
mod glm4v;
mod internvl;
mod kimi;
mod lfm2;
mod llama4;
mod pixtral;
mod plan;
mod qwen2_vl;
mod qwen3_vl;
mod reading;
mod row;
mod siglip;
mod smolvlm;
mod table;
mod whisper;

pub(super) use plan::plan_projector;
pub use table::{ProjectorSummary, projector_classes, projector_of};
