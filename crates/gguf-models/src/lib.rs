//! What a GGUF model file means, to llama.cpp of October 2026 and to other programs.
//!
//! - [`keys`], [`architectures`], [`tensor_names`], [`file_types`] and [`file_name`] explain names and numbers; [`kind`] says what a file is
//! - [`image`] knows the families and the parts of image models
//! - [`validate`] checks a file, and says whether llama.cpp loads it; [`programs`] says it of other programs
//! - [`projector_fit`] says whether a projector belongs to a model
//! - [`memory`] estimates what a model takes
//! - [`tokenizer`] is the tokenizer of a model

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod architectures;
pub mod categories;
mod decimal;
pub(crate) mod evidence;
#[doc(hidden)]
pub mod file_kinds;
pub mod file_name;
pub mod file_types;
pub mod image;
pub mod keys;
pub mod kind;
pub mod memory;
pub(crate) mod pre_tokenizers;
pub mod programs;
pub mod projector_fit;
#[doc(hidden)]
pub mod special_tokens;
pub mod tensor_names;
mod text_table;
pub mod tokenizer;
pub mod validate;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
