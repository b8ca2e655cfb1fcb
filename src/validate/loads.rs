//! Whether llama.cpp loads a file, in one answer.

use alloc::{format, string::String};

use super::all_checks::validate;
use super::check::{Check, Severity};
use super::findings::{Finding, Subject};
use crate::declare::names;
use crate::format::header::Header;
use crate::know::architectures::{RULES_VERSION, architecture_info};
use crate::know::file_kinds::FileKind;
use crate::know::kind::classify;

names! {
    /// Whether llama.cpp loads a file.
    pub enum LoadAnswer {
        /// llama.cpp loads the file as a model.
        Yes = "yes",
        /// llama.cpp refuses the file, or does not take it as a model.
        No = "no",
        /// The header does not decide it: it is not complete, it is that of one shard, or llama.cpp crashes.
        Unknown = "unknown",
    }
}

/// Whether llama.cpp loads a file, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loads {
    /// Whether llama.cpp loads the file.
    pub answer: LoadAnswer,
    /// The first reason, as llama.cpp would meet it. `None` if it loads the file.
    pub reason: Option<Finding>,
    /// The llama.cpp whose rules these are.
    pub rules: &'static str,
}

/// Says whether llama.cpp loads a file as a model, on a CPU.
///
/// The answer is that of [`validate`]: the first of its errors that stops llama.cpp. Checks of the end of the file need its size
/// in bytes, `file_size`.
///
/// # Examples
///
/// ```
#[doc = include_str!("../doc_example.txt")]
/// use gguf_wasm::validate::{LoadAnswer, loads};
///
/// let header = gguf_wasm::parse(&file)?;
/// let loads = loads(&header, None);
/// assert_eq!(loads.answer, LoadAnswer::No);
/// println!("{}", loads.reason.unwrap().message);
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn loads(header: &Header, file_size: Option<u64>) -> Loads {
    let (answer, reason) = answer(header, file_size);
    Loads { answer, reason, rules: RULES_VERSION }
}

fn answer(header: &Header, file_size: Option<u64>) -> (LoadAnswer, Option<Finding>) {
    if !header.is_complete() {
        return (LoadAnswer::Unknown, Some(other("the header is not complete. Read the whole header.".into())));
    }
    let findings = validate(header, file_size);
    let first = |is_it: &dyn Fn(&Finding) -> bool| {
        let stopping = findings.iter().filter(|finding| is_it(finding));
        stopping.min_by_key(|finding| stage(finding)).cloned()
    };
    let is_error =
        |finding: &Finding| finding.check.severity() == Severity::Error && !LOADED_ANYWAY.contains(&finding.check);
    let of_file = |finding: &Finding| is_error(finding) && stage(finding) == 0;
    if let Some(broken) = first(&of_file) {
        return (LoadAnswer::No, Some(broken));
    }
    let classification = classify(header);
    if classification.shard.is_some() {
        let text = "the file is one shard of a model, and the others decide, too. Open the whole set.";
        return (LoadAnswer::Unknown, Some(other(text.into())));
    }
    let info = header.architecture().and_then(|name| architecture_info(&name.to_bytes()));
    if let Some(info) =
        info.filter(|info| info.is_in_llama_cpp && !info.is_loaded && classification.kind == FileKind::Model)
    {
        let text = format!(
            "llama.cpp names the architecture {}, and has no code that loads it. Use another program.",
            info.name
        );
        return (LoadAnswer::No, Some(other(text)));
    }
    if let Some(reason) = reason_of_kind(classification.kind) {
        return (LoadAnswer::No, Some(other(reason)));
    }
    if let Some(reason) = first(&is_error) {
        return (LoadAnswer::No, Some(reason));
    }
    match first(&|finding| finding.check == Check::Undecided) {
        Some(reason) => (LoadAnswer::Unknown, Some(reason)),
        None => (LoadAnswer::Yes, None),
    }
}

/// Errors of files that llama.cpp loads all the same.
const LOADED_ANYWAY: &[Check] = &[Check::NoSpecialToken];

/// The stages of loading: the file, its architecture, the keys, the tokenizer, the tensors, and their number.
fn stage(finding: &Finding) -> u8 {
    match finding.check {
        Check::NoArchitecture | Check::UnknownArchitecture => 1,
        Check::WrongType if matches!(finding.subject, Some(Subject::Entry(_))) => 2,
        Check::MissingKey
        | Check::BlockCount
        | Check::BlockArrayLength
        | Check::HeadCount
        | Check::ExpertCount
        | Check::RopeDimensions
        | Check::RopeScaling => 2,
        Check::NoTokenizer
        | Check::UnknownTokenizer
        | Check::UnknownPreTokenizer
        | Check::NoTokens
        | Check::NoMerges
        | Check::DuplicateToken
        | Check::VocabularyLength
        | Check::BadCharacterMap => 3,
        Check::MissingTensor | Check::TensorShape | Check::UnmetCondition => 4,
        Check::UnknownTensor => 5,
        _ => 0,
    }
}

/// Why llama.cpp does not load a file of a kind as a model, and the option that takes it. `None` for a model.
fn reason_of_kind(kind: FileKind) -> Option<String> {
    let (what, advice) = match kind {
        FileKind::Adapter => ("an adapter", "Give it with --lora, together with its model"),
        FileKind::Projector => ("a multimodal projector", "Give it with --mmproj, together with its model"),
        FileKind::Imatrix => ("an importance matrix", "Give it to llama-quantize with --imatrix"),
        FileKind::ControlVector => ("a control vector", "Give it with --control-vector, together with its model"),
        FileKind::Vocabulary => ("a vocabulary without weights", "Use a model with its weights"),
        FileKind::ImageDiffusion => ("a model that draws images", "Use a program for such models"),
        _ => return None,
    };
    Some(format!("the file is {what}, and llama.cpp does not load it as a model. {advice}."))
}

fn other(message: String) -> Finding {
    Finding { check: Check::NotAModel, message, subject: None, offset: None, fix: None }
}
