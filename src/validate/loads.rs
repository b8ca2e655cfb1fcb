//! Whether llama.cpp loads a file, in one answer.

use alloc::{format, string::String, sync::Arc};

use super::all_checks::validate;
use super::check::{Check, Severity};
use super::described::DescribedFinding;
use super::findings::{Finding, Subject};
use crate::declare::{names, result};
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

result! {
    /// Whether llama.cpp loads a file or a set of shards as a model, in words.
    #[derive(Clone, Debug)]
    #[typescript("Loads")]
    pub struct DescribedLoads {
        /// `unknown`: the header does not decide it. It is that of one shard, or llama.cpp crashes.
        pub answer: LoadAnswer,
        /// The answer and the reason as a sentence for people: `llama.cpp loads the file.`
        pub sentence: String,
        /// The first reason, as llama.cpp would meet it. Not present if it loads the file. A file that is no whole model has the
        /// code `not-a-model`.
        pub reason: Option<DescribedFinding>,
        /// The llama.cpp whose rules these are: the result of `llamaCppRules`.
        pub rules: &'static str,
    }
}

impl DescribedLoads {
    /// An answer about `what`: a file, or a set of shards.
    pub(crate) fn new(answer: LoadAnswer, reason: Option<DescribedFinding>, what: &str) -> Self {
        let sentence = match &reason {
            None => format!("llama.cpp loads the {what}."),
            Some(reason) => {
                let claim = match answer {
                    LoadAnswer::Unknown => "It is not known whether llama.cpp loads",
                    _ => "llama.cpp does not load",
                };
                // A message names what the file lacks, and nothing else.
                let name = reason.tensor.as_ref().or(reason.key.as_ref());
                let name = name.filter(|name| reason.index.is_some() && name.len() <= LONGEST_NAME);
                let because = name.map(|name| format!(", because of {name}")).unwrap_or_default();
                format!("{claim} the {what}{because}: {}", reason.message)
            }
        };
        Self { answer, sentence, reason, rules: RULES_VERSION }
    }
}

/// Says in words whether llama.cpp loads a file: the result of [`loads`], with the names of what it is about.
///
/// # Examples
///
/// ```
#[doc = include_str!("../doc_example.txt")]
/// use gguf_wasm::validate::described_loads;
///
/// let header = gguf_wasm::parse(&file)?;
/// let loads = described_loads(&header.into(), None);
/// assert!(loads.sentence.starts_with("llama.cpp does not load the file: "));
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn described_loads(header: &Arc<Header>, file_size: Option<u64>) -> DescribedLoads {
    let Loads { answer, reason, .. } = loads(header, file_size);
    DescribedLoads::new(answer, reason.map(|reason| reason.described(header)), "file")
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
        return (LoadAnswer::Unknown, Some(other("its header is not complete. Read the whole header.".into())));
    }
    let findings = validate(header, file_size);
    let first = |is_it: &dyn Fn(&Finding) -> bool| {
        let stopping = findings.iter().filter(|finding| is_it(finding));
        stopping.min_by_key(|finding| stage(finding)).cloned()
    };
    if let Some(broken) = first(&breaks_file) {
        return (LoadAnswer::No, Some(broken));
    }
    let classification = classify(header);
    if classification.shard.is_some() {
        let text = "it is one shard of a set, and the other shards decide, too. Open the whole set.";
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
    if let Some(reason) = first(&stops_llama_cpp) {
        return (LoadAnswer::No, Some(reason));
    }
    match first(&|finding| finding.check == Check::Undecided) {
        Some(reason) => (LoadAnswer::Unknown, Some(reason)),
        None => (LoadAnswer::Yes, None),
    }
}

/// The longest name of an entry or tensor that a sentence contains, in bytes.
const LONGEST_NAME: usize = 256;

/// Errors of files that llama.cpp loads all the same.
const LOADED_ANYWAY: &[Check] = &[Check::NoSpecialToken];

fn stops_llama_cpp(finding: &Finding) -> bool {
    finding.check.severity() == Severity::Error && !LOADED_ANYWAY.contains(&finding.check)
}

/// Whether llama.cpp refuses a file for this before it looks at the model in it.
pub(crate) fn breaks_file(finding: &Finding) -> bool {
    stops_llama_cpp(finding) && stage(finding) == 0
}

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
        FileKind::Adapter => ("an adapter, not a model", "Give it to llama.cpp with --lora, together with its model"),
        FileKind::Projector => {
            ("a multimodal projector, not a model", "Give it to llama.cpp with --mmproj, together with its model")
        }
        FileKind::Imatrix => ("an importance matrix, not a model", "Give it to llama-quantize with --imatrix"),
        FileKind::ControlVector => {
            ("a control vector, not a model", "Give it to llama.cpp with --control-vector, together with its model")
        }
        FileKind::Vocabulary => ("a vocabulary without weights", "Use a model with its weights"),
        FileKind::ImageDiffusion => ("a model that draws images", "Use a program for such models"),
        _ => return None,
    };
    Some(format!("it is {what}. {advice}."))
}

fn other(message: String) -> Finding {
    Finding { check: Check::NotAModel, message, subject: None, offset: None, fix: None }
}
