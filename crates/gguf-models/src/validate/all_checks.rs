//! Runs the checks.

use alloc::vec::Vec;

use super::audience::Audience;
use super::findings::{Finding, Findings};
use super::{
    data, file_name, file_type, fix, key_names, metadata, model, original_shapes, shard, tensors, tokenizer, version,
};
use gguf_format::format::header::Header;

/// Runs all [`CHECKS`](super::CHECKS) on a header.
///
/// Checks of the end of the file need its size in bytes, `file_size`. If the header is not complete, the part that has
/// arrived is checked.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, write::encode::Encoder};
/// use gguf_models::validate::{Check, Severity, Subject, validate};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 1).kv(b"general.architecture", &"llama".into()).tensor_info(b"output.weight", &[32, 2], 2, 0);
/// file.pad_to(32).bytes(&[0; 30]);
///
/// let header = gguf_format::parse(file.as_bytes())?;
/// let findings = validate(&header, Some(file.len()));
/// let truncated = findings.iter().find(|finding| finding.check == Check::Truncated).unwrap();
/// assert_eq!(truncated.check.code(), "truncated");
/// assert_eq!(truncated.check.severity(), Severity::Error);
/// assert_eq!(truncated.message, "the file has 158 bytes, but its header and tensors need 164. Download the file again.");
/// assert_eq!(truncated.subject, Some(Subject::Tensor(0)));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn validate(header: &Header, file_size: Option<u64>) -> Vec<Finding> {
    run(header, file_size, Audience::of(header), model::check).list
}

/// Runs the checks of a complete model alone: whether its keys and tensors are those that llama.cpp needs. A program that makes such a file
/// itself needs no other checks, and contains less code without them. The findings have no fixes.
///
/// # Examples
///
/// ```
/// use gguf_models::validate::{Check, validate_model};
///
/// let header = gguf_format::parse(&gguf_format::example_file())?;
/// assert!(validate_model(&header).iter().any(|finding| finding.check == Check::MissingKey));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn validate_model(header: &Header) -> Vec<Finding> {
    let mut findings = Findings::default();
    model::check(header, &mut findings);
    // Fixes are only offered if they can be written, which other checks tell.
    for finding in &mut findings.list {
        finding.fix = None;
    }
    findings.list
}

/// Runs all checks. A file without a mark of a kind is checked as a model, which it is for llama.cpp.
pub(super) fn validate_as_model(header: &Header, file_size: Option<u64>) -> Vec<Finding> {
    run(header, file_size, Audience::LlamaCpp, model::check_as_model).list
}

/// Runs all [`CHECKS`](super::CHECKS) on a header, and compares the name of the file with it.
///
/// `file_name` is the last part of the path, with its extension. Names are checked once the header is complete. A finding about
/// the name has no fix, because the fix is not an edit:
/// [`suggested_file_name`](crate::file_name::suggested_file_name) is the name that llama.cpp's converter would give.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_models::validate::{Check, validate_named};
///
/// let header = gguf_format::parse(&file)?;
/// let has = |name, check| validate_named(&header, None, name).iter().any(|finding| finding.check == check);
/// assert!(has("model.gguf", Check::UnconventionalFileName));
/// assert!(has("Tiny-0.1M-v1.0-Q8_0-00001-of-00002.gguf", Check::FileNameContradiction));
/// assert!(!has("model.gguf", Check::FileNameContradiction));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn validate_named(header: &Header, file_size: Option<u64>, file_name: &str) -> Vec<Finding> {
    let audience = Audience::of(header);
    let mut findings = run(header, file_size, audience, model::check);
    // The convention is that of language models.
    if audience == Audience::LlamaCpp {
        file_name::check(header, file_name, &mut findings);
    }
    findings.list
}

/// The findings of the checks of a header. `check_model` are those of a complete model of llama.cpp.
fn run(
    header: &Header,
    file_size: Option<u64>,
    audience: Audience,
    check_model: fn(&Header, &mut Findings),
) -> Findings {
    let mut findings = Findings::default();
    version::check(header, &mut findings);
    metadata::check(header, audience, &mut findings);
    tensors::check(header, audience, &mut findings);
    data::check(header, file_size, audience, &mut findings);
    original_shapes::check(header, &mut findings);
    // Other programs have keys and names of tensors of their own, and so have programs with tensor types of their own.
    if audience == Audience::LlamaCpp && header.types_owner().is_none() {
        check_model(header, &mut findings);
        key_names::check(header, &mut findings);
        file_type::check(header, &mut findings);
    }
    shard::check(header, &mut findings);
    tokenizer::check(header, &mut findings);
    let can_be_written = fix::ARE_MADE && fix::can_be_written(header, file_size);
    for finding in &mut findings.list {
        finding.fix = finding.fix.take().filter(|fix| can_be_written && fix.is_accepted(header));
    }
    findings
}
