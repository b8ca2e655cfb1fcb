//! Requantizing: a model with other tensor types, as llama.cpp's `llama-quantize` of October 2026 makes it, bit for bit.
//!
//! 1. [`Options`] say what is wanted: the arguments of `llama-quantize`.
//! 2. [`Recipe`] says which type each tensor gets and how large the file becomes. It is computed from the headers alone, and
//!    its rows can be changed by hand. [`file_types`] compares all file types.
//! 3. [`Plan`] adds the files. It finds out everything that can be refused before any data is read.
//! 4. [`Conversion`] is the new file as [`Chunks`](gguf_format::io::Chunks). Rows become [`ConversionJob`]s, which a [`JobHost`] runs: on the
//!    calling thread ([`CallingThread`]), or elsewhere. Jobs are plain data.
//!
//! Where `llama-quantize` is wrong, this module differs:
//!
//! - In a pruned model, arrays with an element for each block lose the elements of pruned blocks. `llama-quantize`
//!   fails if all tensors of the first shard are pruned; here, that shard has only the entries.
//! - The alignment of the file is kept. `llama-quantize` pads to 32 bytes, whatever the header says.
//! - Copying a file without `general.file_type` adds none.
//! - Tensors that keep their type need no importance matrix.
//! - Types that cannot be quantized to, and rows that do not fit, are errors instead of aborted programs.
//! - A tensor with four dimensions is converted as a whole.
//!
//! Image models are quantized as ComfyUI-GGUF's `llama-quantize` of December 2025 does it, which has other rules.

mod category;
mod choice;
mod chunks;
mod describe;
mod entries;
mod fallback;
mod findings;
mod gguf_imatrix;
mod hyperparameters;
mod image;
mod imatrix;
mod job;
mod job_host;
mod layout;
mod legacy_imatrix;
mod mixture;
mod model;
mod open_imatrix;
mod options;
mod pattern;
mod piece_conversion;
mod pieces;
mod plan;
mod prune;
mod quality;
mod recipe;
mod row;
mod rows_check;
mod rules;
mod sample;
mod target;
mod target_type;
mod tensors;
#[cfg(feature = "std")]
mod threads;

pub use chunks::{Conversion, ConversionProgress};
pub use describe::{FileTypeEstimate, file_types, largest_file_type, types_of_tensors};
pub use findings::ConversionFinding;
pub use imatrix::{Imatrix, ImatrixEntry};
pub use job::{ConversionJob, ConvertedRows, InvalidRow, JobOutcome, Quantizers};
pub use job_host::{CallingThread, JobHost};
pub use layout::{OutputFile, PlannedTensor};
pub use options::{Options, TensorTypeRule, parse_override, parse_prune_layers, parse_tensor_types};
pub use pattern::{Pattern, PatternCount};
pub use plan::Plan;
pub use quality::{QuantizationError, TensorQuality};
pub use recipe::Recipe;
pub use row::{RecipeRow, RowProblem, TypeReason};
pub use sample::sample_rows;
pub use target::{Target, target_names};
pub use target_type::{parse_tensor_type, tensor_type_names};
#[cfg(feature = "std")]
pub use threads::Threads;
