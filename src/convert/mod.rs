//! Conversions: to other tensor types, from the formats before GGUF, and from models of Hugging Face.

mod budget;
pub(crate) mod json;
pub mod legacy;
pub mod lora;
pub mod model;
pub mod requantize;
pub mod safetensors;
pub(crate) mod web_page;
