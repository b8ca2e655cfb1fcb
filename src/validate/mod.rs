//! Checks of a file that can be read: what is wrong with it, what is unusual, and what is worth knowing.
//!
//! The decoder stops only where the position of the next item is unknown. Everything else is checked here. [`CHECKS`] is
//! the list of all checks. It says which of them make a reader refuse the file. The strictest reader is ggml's
//! (`gguf_init_from_reader` in gguf.cpp, August 2026), which llama.cpp uses.
//!
//! A check is one row of [`CHECKS`], and one place that reports its findings:
//!
//! - `version`: the version and the byte order
//! - `metadata`: keys and values, with `known_keys` for the values of keys that the format defines, and `loader_keys` for the
//!   keys that llama.cpp reads of every model
//! - `key_names`: keys that have another name now, are misspelt (`spelling`), or are those of another architecture
//! - `tensors`: tensor infos one by one
//! - `data`: where the data of the tensors lies, and the end of the file
//! - `duplicates` and `text`: names, and strings
//! - `model`: whether a model is complete, and its numbers fit each other
//! - `file_type`, `shard` and `file_name`: what the file says about itself
//! - `tokenizer`: the vocabulary and the other entries of the tokenizer
//!
//! The work is linear in the size of the header, except that lists are sorted. The number of findings of each check is
//! limited. A hostile file changes neither.

mod check;
mod data;
pub(crate) mod described;
mod duplicates;
mod file_name;
mod file_type;
mod findings;
mod fix;
mod key_names;
mod known_keys;
mod loader_keys;
mod metadata;
mod model;
mod shard;
pub(crate) mod spelling;
mod tensors;
mod text;
mod tokenizer;
mod version;

use alloc::vec::Vec;

pub use check::{CHECKS, Check, CheckInfo, Severity};
pub use described::{ChangedTo, DescribedFinding, DescribedFix, FixChange, described_findings};
use findings::Findings;
pub use findings::{Finding, MAX_FINDINGS, MAX_TENSOR_FINDINGS, Subject};
pub use fix::Fix;

use crate::format::header::Header;

/// Runs all [`CHECKS`] on a header.
///
/// Checks of the end of the file need its size in bytes, `file_size`. If the header is not complete, the part that has
/// arrived is checked.
///
/// # Examples
///
/// ```
/// use gguf_wasm::encode::Encoder;
/// use gguf_wasm::{Check, Format, Severity, Subject, validate};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 1).kv(b"general.architecture", &"llama".into()).tensor_info(b"output.weight", &[32, 2], 2, 0);
/// file.pad_to(32).bytes(&[0; 30]);
///
/// let header = gguf_wasm::parse(file.as_bytes())?;
/// let findings = validate(&header, Some(file.len()));
/// let truncated = findings.iter().find(|finding| finding.check == Check::Truncated).unwrap();
/// assert_eq!(truncated.check.code(), "truncated");
/// assert_eq!(truncated.check.severity(), Severity::Error);
/// assert_eq!(truncated.message, "the file has 158 bytes, but its header and tensors need 164. Download the file again.");
/// assert_eq!(truncated.subject, Some(Subject::Tensor(0)));
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn validate(header: &Header, file_size: Option<u64>) -> Vec<Finding> {
    run(header, file_size).list
}

/// Runs all [`CHECKS`] on a header, and compares the name of the file with it.
///
/// `file_name` is the last part of the path, with its extension. Names are checked once the header is complete. A finding about
/// the name has no fix, because the fix is not an edit: [`suggested_file_name`](crate::suggested_file_name) is the name
/// that llama.cpp's converter would give.
///
/// # Examples
///
/// ```
#[doc = include_str!("../doc_example.txt")]
/// use gguf_wasm::{Check, validate_named};
///
/// let header = gguf_wasm::parse(&file)?;
/// let has = |name, check| validate_named(&header, None, name).iter().any(|finding| finding.check == check);
/// assert!(has("model.gguf", Check::UnconventionalFileName));
/// assert!(has("Tiny-0.1M-v1.0-Q8_0-00001-of-00002.gguf", Check::FileNameContradiction));
/// assert!(!has("model.gguf", Check::FileNameContradiction));
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn validate_named(header: &Header, file_size: Option<u64>, file_name: &str) -> Vec<Finding> {
    let mut findings = run(header, file_size);
    file_name::check(header, file_name, &mut findings);
    findings.list
}

/// The findings of the checks of a header.
fn run(header: &Header, file_size: Option<u64>) -> Findings {
    let mut findings = Findings::default();
    version::check(header, &mut findings);
    metadata::check(header, &mut findings);
    tensors::check(header, &mut findings);
    data::check(header, file_size, &mut findings);
    model::check(header, &mut findings);
    key_names::check(header, &mut findings);
    file_type::check(header, &mut findings);
    shard::check(header, &mut findings);
    tokenizer::check(header, &mut findings);
    let can_be_written = fix::can_be_written(header, file_size);
    for finding in &mut findings.list {
        finding.fix = finding.fix.take().filter(|fix| can_be_written && fix.is_accepted(header));
    }
    findings
}
