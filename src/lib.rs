//! Opens, inspects, checks and edits GGUF model files, without reading the whole file.
//!
//! GGUF is the file format of llama.cpp models. A header holds metadata, the vocabulary and a list of tensors. The data of
//! the tensors follows, up to hundreds of gigabytes. This crate decodes the header from bytes that arrive in pieces of any
//! size. It keeps these bytes, and gives views of the values in them.
//!
//! - [`parse`] decodes a header that is in memory. [`Decoder`] decodes a header piece by piece.
//! - [`Header`] is the result: a list of [`MetadataKv`]s with their [`Value`]s, and a list of [`TensorInfo`]s.
//! - [`OpenedFile`] has a header, and reads the data of tensors from any [`io::Source`].
//!
//! These are at the root, with the types of values and errors. Everything else is in the module of its task:
//!
//! - what a header says: [`validate`] checks it, [`keys`], [`architectures`], [`tensor_names`], [`file_types`], [`file_name`] and
//!   [`kind`] explain it; [`memory`] estimates what the model takes, and [`tokenizer`] is its tokenizer
//! - the data of tensors: [`tensor`] has previews, statistics and kernels, [`hash`] and [`manifest`] hashes
//! - new files: [`edit`] changes a header, [`mod@write`] plans and writes files, [`export`] writes the formats of other tools
//! - several files: [`shards`] opens, splits and merges, [`compare`] finds differences, [`repository`] lists files of a hub
//! - conversions: [`requantize`] makes models with other tensor types, [`legacy`] reads models in the formats before GGUF, and
//!   migrates them
//! - details: [`io`] has sources of bytes, [`mod@format`] tables and constants, [`error`] all error codes
//!
//! # Examples
//!
//! ```
#![doc = include_str!("doc_example.txt")]
//! let header = gguf_wasm::parse(&file)?;
//!
//! let architecture = header.get("general.architecture").unwrap().value();
//! assert_eq!(architecture.as_str().unwrap(), "llama");
//!
//! let tensor = header.tensor("output.weight").unwrap();
//! assert_eq!(tensor.ggml_type().to_string(), "Q4_0");
//! assert_eq!(tensor.byte_length(), Some(36));
//! # Ok::<(), gguf_wasm::Error>(())
//! ```
//!
//! # Features
//!
//! Without `std` and the parts of the JavaScript API, the crate is `no_std` with `alloc`. It reads files from any [`io::Source`], and over
//! HTTP with an HTTP client that the program provides.
//!
//! - `full`, a default feature: the modules that explain, check, edit, hash, compare and convert models, and sets of shards. This
//!   documentation has it.
//! - `std`: files of the file system, and [`io`]'s `block_on`.
//!
//! All other features are the parts of the JavaScript API of the npm package of the same name. They add no Rust API. They add
//! the allocator and the panic handler of the WebAssembly module.
//!
//! - `web`: opens files, and reads their headers and stored bytes.
//! - `values`: reads the values of tensors.
//! - `know`: explains and checks headers.
//! - `write`: writes planned files.
//! - `edit`: changes headers, and writes new files.
//! - `hub`: asks model hubs.
//! - `files`, `convert`, `models`: several files, conversions of files, and conversions of models.

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
#![cfg_attr(
    not(feature = "full"),
    allow(dead_code, unused_imports, reason = "only the folders that are left out use it")
)]
#![cfg_attr(
    all(feature = "web", not(all(feature = "values", feature = "know", feature = "edit", feature = "files"))),
    allow(
        dead_code,
        unused_imports,
        reason = "the smaller modules use a part; the largest is checked for unused code"
    )
)]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "web", feature = "std", test))]
extern crate std;

// Each module uses only modules before it: see `tests/layers.rs`. A public name has one path: at the root if most programs need
// it, else in the module of its task.

mod declare;

mod limits;
pub use limits::{Limit, Limits};

pub mod error;
pub use error::code::ErrorCode;
pub use error::error::{Error, Result};
pub use error::header_error::{ErrorKind, HeaderError, HeaderResult};

mod allocation;
mod order;

pub mod format;
pub use format::ggml_type::GgmlType;
pub use format::header::{Header, MetadataKv, TensorInfo};
pub use format::value::{Array, Str, Value, ValueType};
pub use format::version::{Endian, Format};

mod decode;
pub use decode::decoder::{Decoder, Progress, parse};

pub mod io;

pub mod tensor;
pub use tensor::opened_file::OpenedFile;

#[cfg(feature = "full")]
mod know;
#[cfg(feature = "full")]
pub use know::{architectures, file_name, file_types, keys, kind, memory, tensor_names, tokenizer};

pub mod write;

#[cfg(feature = "full")]
pub mod edit;

#[cfg(feature = "full")]
pub mod validate;

#[cfg(feature = "full")]
mod files;
#[cfg(feature = "full")]
pub use files::{compare, export, hash, manifest, repository, shards};

#[cfg(feature = "full")]
mod convert;
#[cfg(feature = "full")]
pub use convert::{legacy, lora, model, requantize, safetensors};

#[cfg(feature = "web")]
mod web;
