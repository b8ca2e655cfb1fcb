//! Opens, inspects, edits and writes GGUF model files, without reading the whole file.
//!
//! GGUF is the file format of llama.cpp models. A header holds metadata, the vocabulary and a list of tensors. The data of
//! the tensors follows, up to hundreds of gigabytes. This crate decodes the header from bytes that arrive in pieces of any
//! size. It keeps these bytes, and gives views of the values in them.
//!
//! - [`File`] opens, reads, edits and writes a file of the file system.
//! - [`parse`] decodes a header that is in memory. [`Decoder`] decodes a header piece by piece.
//! - [`Header`] is the result: a list of [`MetadataKv`]s with their [`Value`]s, and a list of [`TensorInfo`]s.
//! - [`OpenedFile`] has a header, and reads the data of tensors from any [`io::Source`].
//!
//! These are at the root, with the types of values and errors. Everything else is in the module of its task:
//!
//! - [`tensor`]: previews, statistics and kernels of tensor data
//! - [`edit`] changes a header, [`mod@write`] plans and writes files
//! - details: [`io`] has sources of bytes, [`mod@format`] tables and constants, [`error`] all error codes
//!
//! What a model means is in `gguf-models`, work with several files in `gguf-files`, and conversions are in `gguf-convert`.
//!
//! # Examples
//!
//! ```
//! # let file = gguf_format::example_file();
//! let header = gguf_format::parse(&file)?;
//!
//! let architecture = header.get("general.architecture").unwrap().value();
//! assert_eq!(architecture.as_str().unwrap(), "llama");
//!
//! let tensor = header.tensor("output.weight").unwrap();
//! assert_eq!(tensor.ggml_type().to_string(), "Q4_0");
//! assert_eq!(tensor.byte_length(), Some(36));
//! # Ok::<(), gguf_format::Error>(())
//! ```
//!
//! # Features
//!
//! `std`, a default feature: files of the file system, and [`io`]'s `block_on`. Without it, the crate is `no_std` with `alloc`. It reads
//! files from any [`io::Source`], and over HTTP with an HTTP client that the program provides.
//!
//! `fork-types`, a default feature: the meaning of type ids that other programs than ggml use. Without it, they are unknown types.
//!
//! `fork-kernels`, a default feature: kernels of tensor types that other programs than ggml write.

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

// Each module uses only modules before it: see `tests/layers.rs`. A public name has one path: at the root if most programs need
// it, else in the module of its task.

#[doc(hidden)]
pub mod limits;
pub use limits::{Limit, Limits};

pub mod error;
pub use error::code::ErrorCode;
pub use error::error::{Error, Result};
pub use error::header_error::{ErrorKind, HeaderError, HeaderResult};

#[doc(hidden)]
pub mod allocation;
#[doc(hidden)]
pub mod decimal;
#[doc(hidden)]
pub mod distinct_names;
#[doc(hidden)]
pub mod order;

pub mod format;
pub use format::ggml_type::GgmlType;
pub use format::header::{Header, MetadataKv, TensorInfo};
pub use format::value::{Array, Str, Value, ValueType};
pub use format::version::{Endian, Format};

#[doc(hidden)]
pub mod decode;
pub use decode::decoder::{Decoder, Progress, parse};

pub mod io;

pub mod tensor;
pub use tensor::opened_file::OpenedFile;

pub mod write;

pub mod edit;

#[cfg(feature = "std")]
mod file;
#[cfg(feature = "std")]
pub use file::File;

/// A file for examples in documentation: three entries, and one tensor of type Q4_0.
#[doc(hidden)]
pub fn example_file() -> alloc::vec::Vec<u8> {
    use write::encode::{Encoder, OwnedValue};
    let tokens = OwnedValue::array(ValueType::String, ["<unk>", "<s>", "</s>"]);
    let mut file = Encoder::new(Format::default());
    file.header(1, 3)
        .kv(b"general.architecture", &"llama".into())
        .kv(b"llama.block_count", &32u32.into())
        .kv(b"tokenizer.ggml.tokens", &tokens)
        .tensor_info(b"output.weight", &[32, 2], 2, 0)
        .pad_to(32)
        .bytes(&[0; 36]);
    file.into_bytes()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
