//! GGUF model files, opened and inspected where they are.
//!
//! GGUF is the format in which llama.cpp's models are shared: a header of metadata, vocabulary and
//! tensor infos, and then the tensors' data, up to hundreds of gigabytes. This crate reads the header
//! from bytes that arrive in pieces of any size, keeps them, and shows what they say as views.
//!
//! - [`parse`] reads a header that is in memory.
//! - [`Decoder`] takes it piece by piece, and says when it is complete.
//! - [`Header`] is the result: [`MetadataKv`]s with their [`Value`]s, and [`TensorInfo`]s.
//! - [`Edit`] changes it, and plans the changed file.
//! - [`Writer`] makes a new file from nothing.
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
//! Without features the crate is `no_std` with `alloc` and does no input or output. The features are the parts of the
//! JavaScript API of the npm package of the same name. They add no Rust API. They add the allocator and the panic handler
//! of the WebAssembly module.
//!
//! - `web`: opens files, and reads their headers and stored bytes.
//! - `values`: reads the values of tensors.
//! - `know`: explains and checks headers.
//! - `edit`: changes headers, and writes files.
//! - `files`, `convert`: several files, and conversions.

#![no_std]
#![cfg_attr(
    all(feature = "web", not(feature = "edit")),
    allow(
        dead_code,
        unused_imports,
        reason = "the smaller modules use a part; the largest is checked for unused code"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod allocation;
mod decode;
mod edit;
mod error;
mod format;
mod know;
mod limits;
mod tensor;
mod validate;
#[cfg(feature = "web")]
mod web;
mod write;

pub use decode::decoder::{Decoder, Progress, parse};
pub use edit::{
    Change, ChangeId, Edit, EditState, EditedKv, EditedTensor, EntryId, EntrySelector, HeaderPlan, HistoryStep,
    RecordedChange, RemovedKv, TensorId, TensorSelector,
};
pub use error::{ERROR_CODES, Error, ErrorCode, ErrorCodeInfo, ErrorKind, Result};
pub use format::ggml_type::{Field, GGML_TYPES, GgmlType, GgmlTypeInfo};
pub use format::header::{Dimensions, Header, MetadataKv, TensorInfo};
pub use format::header_bytes::HeaderBytes;
pub use format::value::{Array, Elements, Str, Value, ValueType};
pub use format::version::{DEFAULT_ALIGNMENT, Endian, Format, MAGIC};
pub use know::keys::{KEYS, KeyInfo, KeyType, KeyTypes, key_info};
pub use limits::{Limit, Limits};
pub use tensor::preview::{Grid, PreviewLimits, PreviewPlan};
pub use tensor::quant::{Kernel, Kernels, kernels};
pub use tensor::statistics::{Histogram, Statistics, Summary};
pub use validate::{CHECKS, Check, CheckInfo, Finding, MAX_FINDINGS, Severity, Subject, validate};
pub use write::encode;
pub use write::error::EditError;
pub use write::new_value::NewValue;
pub use write::plan::{Part, Parts, Segment, WritePlan};
pub use write::writer::{NewTensor, Writer};
