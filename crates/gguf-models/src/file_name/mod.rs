//! The names of GGUF files: what a name says, and the name that a file's metadata gives it.
//!
//! The naming convention of the specification (`docs/gguf.md` of ggml, August 2026):
//!
//! ```text
//! <Sidecar>-<BaseName>-<SizeLabel>-<FineTune>-<Version>-<Encoding>-<Type>-<Shard>.gguf
//! mmproj    Mixtral    8x7B        Instruct   v0.1      Q4_K_M     LoRA   00001-of-00003
//! ```
//!
//! Base name, size label and version are required, the other parts are optional. Most published names leave out the version,
//! or write parts in another way, so a name that does not conform is taken apart by what each word looks like.
//!
//! Examples: [`parse_file_name`], [`suggested_file_name`].

// Texts are cut with `get`: a slice can panic, and its message brings tables of Unicode into the module, 3 kB.

// - `parts`: where each part is in a name; `scan`: reads the form of a word
// - `strict`: takes a name apart by the specification, with `forms`, the form of each part
// - `lenient`: takes any other name apart, with `words`, the forms of words in published names, and `encoding`
// - `shard_name`: the names of shards
// - `rules`: which rules of the convention a name breaks; `parse`: the result
// - `safe_name`: names that every system accepts
// - `size_label`: the size label that a file's tensors give; `suggest`: the name that metadata and tensors give a file

mod encoding;
mod forms;
mod lenient;
mod parse;
mod parts;
mod rules;
mod safe_name;
mod scan;
mod shard_name;
mod size_label;
mod strict;
mod suggest;
mod words;

pub use parse::{FileName, FileShard, parse_file_name};
pub use rules::{FileNameProblem, FileNameRule};
pub use safe_name::safe_name;
pub use shard_name::{MOST_SHARDS, ShardName, shard_name};
pub(crate) use size_label::rounded;
pub use size_label::size_label;
pub use suggest::suggested_file_name;
