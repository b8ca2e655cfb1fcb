//! The rules of llama.cpp's loader: for each architecture, the keys that it reads, and the tensors that it creates, with
//! their dimensions as expressions of the keys.
//!
//! They are written in the texts of `families`, and `docs/architectures.md` explains the language. The build script makes a table of
//! the texts.
//!
//! The facts come from `load_hparams` and `load_tensors` of llama.cpp, October 2026.

// - `grammar`: the parts of a rule; `row_rules`: the rules of an architecture; `decode`: from the table to the parts
// - `evaluate`: values of expressions; `describe`: expressions in words
// - `loading`: what llama.cpp does with a model; `count`: the number of tensors that it creates
// - `window`: the blocks that see only the last tokens
// - `summary`: what a rule says of all models; `required_keys`: the keys of all models

mod count;
mod decode;
mod describe;
mod evaluate;
mod grammar;
mod loading;
mod required_keys;
mod row_rules;
mod summary;
mod version;
mod window;

pub(crate) use decode::key_named;
pub(crate) use evaluate::write_name;
pub(crate) use grammar::TensorName;
pub(crate) use loading::{Extent, Loading, Problem, Shape};
pub(crate) use required_keys::required_keys;
pub(crate) use row_rules::Rules;
pub(crate) use summary::{Summary, place_of};
pub use version::RULES_VERSION;
pub(crate) use version::UNKNOWN;
pub(crate) use window::{WINDOW_PATTERN, Window};
