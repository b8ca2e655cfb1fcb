//! Conversions: to other tensor types, from the formats before GGUF, and from models of Hugging Face.

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
