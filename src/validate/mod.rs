//! What is wrong with a file, unusual or worth knowing, although it can be read.
//!
//! Reading stops only where the next byte's meaning is unknown; everything that can be read past is looked at here. [`CHECKS`]
//! says what is looked for, and what refuses such a file: ggml's reader (`gguf_init_from_reader` in gguf.cpp, August
//! 2026), with which llama.cpp reads, is the strictest.
//!
//! The work is linear in the size of the header, but for sorting what it lists, and the findings of each check are
//! limited in number, whatever the file says.

mod check;
mod duplicates;
mod findings;
mod metadata;
mod tensors;
mod text;

#[cfg(feature = "web")]
pub(crate) use check::line;
pub use check::{CHECKS, Check, CheckInfo, Severity};
pub use findings::{Finding, MAX_FINDINGS, validate};
#[cfg(feature = "web")]
pub(crate) use findings::{NONE, TENSORS, look};
