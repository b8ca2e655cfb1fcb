//! Conversions of models. Each is a plan that knows its tensors and its size before it reads data.
//!
//! - [`requantize`]: GGUF files to other tensor types, as llama-quantize makes them
//! - [`safetensors`] and [`model`]: models of Hugging Face to GGUF
//! - [`lora`]: LoRA adapters to GGUF, and adapters merged into models

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

mod budget;
#[doc(hidden)]
pub mod computed;
#[doc(hidden)]
pub mod json;
pub mod lora;
pub mod model;
pub mod requantize;
pub mod safetensors;
pub(crate) mod web_page;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
