//! Knowledge of the format: the meaning of its names and numbers.

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod architectures;
mod decimal;
#[doc(hidden)]
pub mod file_kinds;
pub mod file_name;
pub mod file_types;
pub mod keys;
pub mod kind;
pub mod memory;
pub(crate) mod pre_tokenizers;
#[doc(hidden)]
pub mod special_tokens;
pub mod tensor_names;
mod text_table;
pub mod tokenizer;
pub mod validate;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
