//! Whether llama.cpp loads a file, in one answer.

use alloc::{string::String, sync::Arc};

use super::all_checks::{validate, validate_as_model};
use super::audience::Audience;
use super::check::{Check, Severity};
use super::described::DescribedFinding;
use super::findings::{Finding, Subject};
use super::model::problem_count;
use crate::architectures::{RULES_VERSION, architecture_info};
use crate::file_kinds::FileKind;
use crate::kind::{Classification, classify};
use gguf_declare::{names, result};
use gguf_format::error::shown::bounded;
use gguf_format::format::header::Header;

names! {
    /// Whether llama.cpp loads a file.
    pub enum LoadAnswer {
        /// llama.cpp loads the file as a model.
        Yes = "yes",
        /// llama.cpp refuses the file, or does not take it as a model.
        No = "no",
        /// The header does not decide it: it is not complete, it is that of one shard, nothing says that it is a model, llama.cpp
        /// crashes, or the file has something that may be newer than the rules.
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
        /// `unknown`: the header does not decide it. It is that of one shard, llama.cpp crashes, or the file has something that may be
        /// newer than the rules.
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
    #[doc(hidden)]
    pub fn new(answer: LoadAnswer, reason: Option<DescribedFinding>, what: &str) -> Self {
        let sentence = match &reason {
            None => ["llama.cpp loads the ", what, "."].concat(),
            Some(reason) => {
                let claim = match answer {
                    LoadAnswer::Unknown => "It is not known whether llama.cpp loads the ",
                    _ => "llama.cpp does not load the ",
                };
                // A message names what the file lacks, and nothing else.
                let tensor = reason.tensor.as_ref().map(|name| (", because of the tensor \"", name));
                let subject = tensor.or(reason.key.as_ref().map(|name| (", because of the key \"", name)));
                let subject = subject.filter(|(_, name)| reason.index.is_some() && name.len() <= LONGEST_NAME);
                let [because, name, end] = subject.map_or([""; 3], |(because, name)| [because, name, "\""]);
                bounded([claim, what, because, name, end, ": ", &reason.message].concat())
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
/// # let file = gguf_format::example_file();
/// use gguf_models::validate::described_loads;
///
/// let header = gguf_format::parse(&file)?;
/// let loads = described_loads(&header.into(), None);
/// assert!(loads.sentence.starts_with("llama.cpp does not load the file: "));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn described_loads(header: &Arc<Header>, file_size: Option<u64>) -> DescribedLoads {
    loads(header, file_size).described(header, None, "file")
}

impl Loads {
    /// The answer in words. `header` is that of `what`, a file or a set of shards; `shard` is the number of the shard.
    #[doc(hidden)]
    pub fn described(self, header: &Arc<Header>, shard: Option<u32>, what: &str) -> DescribedLoads {
        let reason = self.reason.map(|reason| DescribedFinding { shard, ..reason.described(header) });
        DescribedLoads::new(self.answer, reason, what)
    }
}

/// Says whether llama.cpp loads a file as a model, on a little-endian CPU.
///
/// The answer follows from [`validate`](super::validate): its first error that stops llama.cpp. `file_size` is the size of the file in
/// bytes. Checks of the end of the file need it.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_models::validate::{LoadAnswer, loads};
///
/// let header = gguf_format::parse(&file)?;
/// let loads = loads(&header, None);
/// assert_eq!(loads.answer, LoadAnswer::No);
/// println!("{}", loads.reason.unwrap().message);
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn loads(header: &Header, file_size: Option<u64>) -> Loads {
    let (answer, reason) = answer(header, file_size);
    Loads { answer, reason, rules: RULES_VERSION }
}

fn answer(header: &Header, file_size: Option<u64>) -> (LoadAnswer, Option<Finding>) {
    if !header.is_complete() {
        return (LoadAnswer::Unknown, Some(other("its header is not complete. Read all of it.".into())));
    }
    let classification = classify(header);
    if Audience::of(header) == Audience::Others && classification.shard.is_none() {
        let reason = match classification.kind {
            FileKind::Model => "it has no metadata, and its tensors have other names than those of llama.cpp.".into(),
            _ => ["it is for other programs (kind: ", classification.title, ")."].concat(),
        };
        return (LoadAnswer::No, Some(other(reason)));
    }
    // The first reason comes before all others of its stage.
    let mut findings = validate_as_model(header, file_size);
    let mut earliest = Stage::Loaded;
    let mut place = 0;
    for (index, finding) in findings.iter().enumerate() {
        let stage = stage(finding);
        if stage < earliest {
            (earliest, place) = (stage, index);
        }
    }
    if earliest != Stage::File {
        if classification.shard.is_some() {
            return (LoadAnswer::Unknown, Some(other("it is one shard of a set. Open the whole set.".into())));
        }
        let info = header.architecture().and_then(|name| architecture_info(&name.to_bytes()));
        let has_no_loader = info.is_some_and(|info| info.is_in_llama_cpp && !info.is_loaded);
        // llama.cpp does not read `general.type`, so a whole model may say that it is something else.
        let is_model = || info.and_then(|info| problem_count(header, info)) == Some(0);
        if let Some(reason) = reason_of_kind(&classification, has_no_loader).filter(|_| !is_model()) {
            return (LoadAnswer::No, Some(other(reason)));
        }
        if earliest == Stage::Loaded && classification.kind == FileKind::Unknown {
            return (LoadAnswer::Unknown, Some(other("nothing in it says that it is a model.".into())));
        }
    }
    match earliest {
        Stage::Loaded => (LoadAnswer::Yes, None),
        Stage::Undecided => (LoadAnswer::Unknown, Some(findings.swap_remove(place))),
        _ => (LoadAnswer::No, Some(findings.swap_remove(place))),
    }
}

/// The first finding that makes a file useless for all programs: its structure is broken, or data is missing.
pub(crate) fn damage(header: &Header, file_size: Option<u64>) -> Option<Finding> {
    let is_damage = |finding: &Finding| {
        let is_of_llama_cpp =
            matches!(finding.check, Check::ForeignTensorType | Check::BigEndian | Check::BigEndianBeforeVersion3);
        finding.check == Check::OriginalShape
            || finding.check.severity() == Severity::Error && stage(finding) == Stage::File && !is_of_llama_cpp
    };
    validate(header, file_size).into_iter().find(is_damage)
}

/// The longest name of an entry or tensor that a sentence contains, in bytes.
const LONGEST_NAME: usize = 256;

/// The stages of loading, in order. What is undecided comes last, because any error stops llama.cpp: a number with which it crashes,
/// and what may be newer than the rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    File,
    Architecture,
    Keys,
    Tokenizer,
    Tensors,
    Count,
    Undecided,
    Loaded,
}

/// The stage in which a finding stops llama.cpp. `Loaded` if it does not.
fn stage(finding: &Finding) -> Stage {
    match finding.check {
        Check::NoArchitecture => Stage::Architecture,
        Check::WrongType if matches!(finding.subject, Some(Subject::Entry(_))) => Stage::Keys,
        Check::MissingKey
        | Check::BlockCount
        | Check::BlockArrayLength
        | Check::HeadCount
        | Check::ExpertCount
        | Check::RopeDimensions
        | Check::RopeScaling => Stage::Keys,
        Check::NoTokenizer
        | Check::NoTokens
        | Check::NoMerges
        | Check::DuplicateToken
        | Check::VocabularyLength
        | Check::BadCharacterMap => Stage::Tokenizer,
        Check::MissingTensor | Check::SeparateExperts | Check::TensorShape | Check::UnmetCondition => Stage::Tensors,
        Check::UnknownTensor | Check::OllamaLayout => Stage::Count,
        Check::Undecided
        | Check::UnknownArchitecture
        | Check::UnknownTokenizer
        | Check::UnknownPreTokenizer
        | Check::UnknownTensorType => Stage::Undecided,
        // llama.cpp does not know the type. The version of a file of the other byte order is too large for it.
        Check::ForeignTensorType | Check::BigEndian | Check::BigEndianBeforeVersion3 => Stage::File,
        // llama.cpp does not read the key.
        Check::OriginalShape => Stage::Loaded,
        // llama.cpp loads the file, and stops when it makes a context, or when it reads text.
        Check::NoGatingFunction | Check::NoSpecialToken => Stage::Loaded,
        check if check.severity() == Severity::Error => Stage::File,
        _ => Stage::Loaded,
    }
}

/// Why llama.cpp does not load a file of a kind as a model, and the option that takes it. `None` for a model or an unknown kind,
/// unless llama.cpp `has_no_loader` for its architecture.
fn reason_of_kind(file: &Classification, has_no_loader: bool) -> Option<String> {
    let option = match file.kind {
        FileKind::Adapter => "--lora",
        FileKind::Projector => "--mmproj",
        FileKind::ControlVector => "--control-vector",
        FileKind::Imatrix | FileKind::Vocabulary => "",
        _ if has_no_loader => return Some("llama.cpp has no code that loads its architecture.".into()),
        _ => return None,
    };
    let what = ["it is not a language model (kind: ", file.title, ")."].concat();
    Some(match option {
        "" => what,
        _ => [&what, " Give it to llama.cpp with ", option, ", together with its model."].concat(),
    })
}

fn other(message: String) -> Finding {
    Finding { check: Check::NotAModel, message, subject: None, offset: None, fix: None }
}
