//! Checks of a file that can be read: what is wrong with it, what is unusual, and what is worth knowing.
//!
//! The decoder stops only where the position of the next item is unknown. Everything else is checked here. [`CHECKS`] is
//! the list of all checks. It says which of them make a reader refuse the file. The strictest reader is ggml's
//! (`gguf_init_from_reader` in gguf.cpp, October 2026), which llama.cpp uses. The work is linear in the size of the header,
//! except that lists are sorted. The number of findings of each check is limited. A hostile file changes neither.
//!
//! Not every file is for llama.cpp: what llama.cpp alone refuses is no fault of an image model, or of a file for another program.
//!
//! Examples: [`validate`], [`validate_named`], [`validate_model`].

// - `audience`: whose limits apply to a file
// - `version`: the version and the byte order
// - `metadata`: keys and values, with `known_keys` for the values of keys that the format defines, and `loader_keys` for the
//   keys that llama.cpp reads of every model
// - `key_names`: keys that have another name now, are misspelt (`similar_keys`, `spelling`), or are those of another architecture
// - `tensors`: tensor infos one by one
// - `data`: where the data of the tensors lies, and the end of the file
// - `duplicates` and `text`: names, and strings
// - `model`: whether a model is complete, and its numbers fit each other
// - `original_shapes`: the shapes that ComfyUI-GGUF notes
// - `loads`: whether llama.cpp loads the file
// - `file_type`, `shard` and `file_name`: what the file says about itself
// - `tokenizer`: the vocabulary and the other entries of the tokenizer

mod all_checks;
mod audience;
mod check;
mod data;
#[doc(hidden)]
pub mod described;
mod duplicates;
mod file_name;
mod file_type;
mod findings;
mod fix;
mod key_names;
mod known_keys;
mod loader_keys;
mod loads;
mod metadata;
mod model;
#[doc(hidden)]
pub mod new_file;
mod original_shapes;
mod shard;
mod similar_keys;
#[doc(hidden)]
pub mod spelling;
mod tensors;
mod text;
mod tokenizer;
mod version;

pub use all_checks::{validate, validate_model, validate_named};
pub use check::{CHECKS, Check, CheckInfo, Severity};
pub use described::{ChangedTo, DescribedFinding, DescribedFix, FixChange, described_findings};
pub use findings::{Finding, MAX_FINDINGS, MAX_TENSOR_FINDINGS, Subject};
pub use fix::Fix;
pub(crate) use loads::damage;
pub use loads::{DescribedLoads, LoadAnswer, Loads, described_loads, loads};
pub(crate) use tokenizer::duplicate_tokens;
