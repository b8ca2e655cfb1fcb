//! Opens, inspects, checks and edits GGUF model files, without reading the whole file.
//!
//! GGUF is the file format of llama.cpp models. A header holds metadata, the vocabulary and a list of tensors. The data of
//! the tensors follows, up to hundreds of gigabytes. This crate decodes the header from bytes that arrive in pieces of any
//! size. It keeps these bytes, and gives views of the values in them.
//!
//! - [`parse`] decodes a header that is in memory. [`Decoder`] decodes a header piece by piece.
//! - [`Header`] is the result: a list of [`MetadataKv`]s with their [`Value`]s, and a list of [`TensorInfo`]s.
//! - [`validate`] checks a header, and [`key_info`] explains a key.
//! - [`kernels`] converts the blocks of a tensor type to numbers. [`PreviewPlan`] chooses the part of a tensor that a preview
//!   reads, and [`Statistics`] summarises numbers.
//! - [`Edit`] changes a header, and plans the changed file. [`Writer`] plans a new file.
//! - [`ShardSet`] puts the shards of a model together. [`split`] and [`merge`] plan shards and whole files.
//! - [`OpenedFile`] reads the data of tensors, previews, statistics and hashes from any source. [`compare`] compares two opened
//!   files, and [`open_set`] opens the shards of a model.
//! - [`TensorDataHasher`] hashes the data of tensors, and [`DataHashes`] writes and checks manifests.
//! - [`write_markdown`], [`write_tensors_csv`], [`write_tokens_csv`] and [`NpyArray`] export what a file contains.
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
//! Without features the crate is `no_std` with `alloc`. It reads files from any [`io::Source`], and over HTTP with a client
//! of the program's own.
//!
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
//! - `files`, `convert`: several files, and conversions.

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
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

// Each module uses only modules before it: see `tests/layers.rs`.

mod declare;

mod limits;
pub use limits::{Limit, Limits};

mod error;
pub use error::{Cause, ERROR_CODES, Error, ErrorCode, ErrorCodeInfo, ErrorKind, HeaderError, HeaderResult, Result};

mod allocation;

mod order;

mod format;
pub use format::ggml_type::{Field, GGML_TYPES, GgmlType, GgmlTypeInfo};
pub use format::header::{Dimensions, Header, MetadataKv, TensorInfo};
pub use format::header_bytes::HeaderBytes;
pub use format::value::{Array, Elements, Str, Value, ValueType};
pub use format::version::{DEFAULT_ALIGNMENT, Endian, Format, MAGIC};

mod decode;
pub use decode::decoder::{Decoder, Progress, parse};

pub mod io;

mod tensor;
pub use tensor::converter::{Chunk, NumberFormat};
pub use tensor::extents::TensorExtent;
pub use tensor::opened_file::OpenedFile;
pub use tensor::preview::{Grid, PreviewLimits, PreviewPlan, TensorPreview};
pub use tensor::quant::{Kernel, Kernels, kernels};
pub use tensor::statistics::{Histogram, Statistics, Summary};

mod know;
pub use know::architectures::{
    ARCHITECTURES, ArchitectureInfo, Condition, ExpertBlocks, KeyNeed, MissingRequirement, Need, NextTokenBlocks,
    Place, RecurrentBlocks, RequiredKey, RequiredTensor, Requirements, TensorGroup, architecture_info,
    missing_requirements,
};
pub use know::file_name::{
    FileName, FileNameProblem, FileNameRule, FileShard, ShardName, parse_file_name, shard_name, size_label,
    suggested_file_name,
};
pub use know::file_types::{
    FILE_TYPES, FileTypeInfo, GUESSED_FILE_TYPE, ModelFileType, contradicts_file_type, declared_file_type, file_type,
    file_type_info, file_types_of_tensors, guessed_file_type, main_tensor_type,
};
pub use know::keys::{
    EnumValue, KEY_SECTIONS, KeyInfo, KeySection, KeySource, KeyType, KeyTypes, KeyValue, KeyValues, RequiredBy,
    key_info, keys,
};
pub use know::kind::{Classification, FILE_KINDS, FileKind, FileKindInfo, Modality, Shard, classify};
pub use know::memory::{
    ByteRange, Cache, CacheKind, Device, DeviceKind, Formula, MemoryEstimate, MemoryOptions, MemoryRefusal, State,
    Weights, largest_context, memory,
};
pub use know::pre_tokenizers::{PreTokenizer, pre_tokenizer, pre_tokenizers};
pub use know::special_tokens::{SpecialToken, special_tokens};
pub use know::tensor_names::{
    TENSOR_SECTIONS, TensorNameInfo, TensorPart, TensorRole, TensorSection, tensor_names, tensor_role,
};
pub use know::tokenizer::{EncodeOptions, TextToken, Token, TokenType, Tokenizer, TokenizerError};

mod write;
pub use write::encode;
pub use write::new_value::NewValue;
pub use write::plan::{Part, Parts, Segment, WritePlan};
pub use write::planned_chunks::PlannedChunks;
pub use write::planned_file::PlannedFile;
pub use write::writer::{NewTensor, Writer};

mod edit;
pub use edit::{
    Change, ChangeId, ChangeKind, Edit, EditState, EditedKv, EditedTensor, EntryId, EntrySelector, HeaderPlan,
    HistoryStep, RecordedChange, RemovedKv, TensorId, TensorSelector,
};

mod validate;
pub use validate::{
    CHECKS, ChangedTo, Check, CheckInfo, DescribedFinding, DescribedFix, Finding, Fix, FixChange, MAX_FINDINGS,
    MAX_TENSOR_FINDINGS, Severity, Subject, described_findings, validate, validate_named,
};

mod files;
pub use files::compare::comparison::{
    Comparison, ComparisonCounts, DataCoverage, EntryCounts, FormatDifference, TensorCounts, compare_headers,
};
pub use files::compare::described::{ComparedEntry, ComparedTensor, DescribedEntry, DescribedTensor, ValueDifference};
pub use files::compare::details::{Hunk, TokenDifference, TokenDifferences, ValueDetails, ValueUnit, text_hunks};
pub use files::compare::entries::{EntryChange, EntryDifference};
pub use files::compare::models::{CompareOptions, compare};
pub use files::compare::numbers::NumberDifference;
pub use files::compare::tensors::{DataComparison, TensorChange, TensorDifference};
pub use files::export::chat_template::{ChatTemplate, chat_templates};
pub use files::export::csv::{CsvCells, write_tensors_csv, write_tokens_csv};
pub use files::export::dump::{DumpField, DumpName, FlatElements, dump_fields};
pub use files::export::markdown::write_markdown;
pub use files::export::npy::{NpyArray, NpyElements};
pub use files::export::npy_file::{NpyChunks, NpyFile};
pub use files::hash::{
    DataHashTexts, DataHashes, FileHashes, HASH_ALGORITHMS, HashAlgorithm, HashRequest, Hasher, Hashes, HostHasher,
    TensorDataHasher, TensorHashTexts,
};
pub use files::manifest::{CheckResult, LineResult, ManifestCheck, ManifestError, ManifestLine, manifest_algorithms};
pub use files::merge::{MergedEntries, MergedShard, merge};
pub use files::open_set::{
    GivenSet, GivenShard, OnSetProgress, OpenShard, OpenedSet, OpenedShard, SetProgress, ShardLimits, open_set,
};
pub use files::repository::address::{HUB, RepositoryAddress, encode_address_part};
pub use files::repository::answers::ModelFacts;
pub use files::repository::hub::list_repository;
pub use files::repository::json::Json;
pub use files::repository::listing::{
    ListedFile, Repository, RepositoryFile, RepositoryPart, RepositoryShards, repository_files,
};
pub use files::repository::place::RepositoryPlace;
pub use files::repository::role::RepositoryRole;
pub use files::set_check::{SET_CHECKS, SetCheck, SetCheckInfo, SetFinding};
pub use files::shard_place::ShardPlace;
pub use files::shard_set::{MOST_SHARDS, ShardFile, ShardSet};
pub use files::split::{DEFAULT_MAX_TENSORS, PlannedShard, SplitLimit, split};
pub use files::validate_set::{CheckedShard, validate_set};

#[cfg(feature = "std")]
pub use files::PathShards;

#[cfg(feature = "web")]
mod web;
