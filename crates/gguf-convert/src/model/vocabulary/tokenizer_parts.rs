//! What tokenizers refuses of `tokenizer.json`: steps that it does not know, and merges of texts that are no tokens.
//!
//! Source: `tokenizers/src/` of tokenizers 0.22: the enums of each kind of step, and `BpeBuilder::build`.

use serde_json::Value;

use crate::model::json_members::{elements, member, text_member};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// A kind of step.
struct Part {
    /// The member of `tokenizer.json`.
    member: &'static str,
    /// The member of a `Sequence` with its steps.
    steps: &'static str,
    /// The known types, except `Sequence`.
    types: &'static [&'static str],
}

const PARTS: &[Part] = &[
    Part {
        member: "normalizer",
        steps: "normalizers",
        types: &[
            "BertNormalizer",
            "ByteLevel",
            "Lowercase",
            "NFC",
            "NFD",
            "NFKC",
            "NFKD",
            "Nmt",
            "Precompiled",
            "Prepend",
            "Replace",
            "Strip",
            "StripAccents",
        ],
    },
    Part {
        member: "pre_tokenizer",
        steps: "pretokenizers",
        types: &[
            "BertPreTokenizer",
            "ByteLevel",
            "CharDelimiterSplit",
            "Delimiter",
            "Digits",
            "FixedLength",
            "Metaspace",
            "Punctuation",
            "Split",
            "UnicodeScripts",
            "Whitespace",
            "WhitespaceSplit",
        ],
    },
    Part {
        member: "post_processor",
        steps: "processors",
        types: &["BertProcessing", "ByteLevel", "RobertaProcessing", "TemplateProcessing"],
    },
    Part {
        member: "decoder",
        steps: "decoders",
        types: &[
            "BPEDecoder",
            "ByteFallback",
            "ByteLevel",
            "CTC",
            "Fuse",
            "Metaspace",
            "Replace",
            "Strip",
            "WordPiece",
        ],
    },
];

/// Checks the parts of `tokenizer.json`.
///
/// # Errors
///
/// `bad-vocabulary` if tokenizers refuses the file.
pub(super) fn check(tokenizer: &Value) -> Result<()> {
    for part in PARTS {
        check_step(part, member(tokenizer, part.member))?;
    }
    check_merges(member(tokenizer, "model"))
}

fn check_step(part: &Part, step: &Value) -> Result<()> {
    if step.is_null() {
        return Ok(());
    }
    match text_member(step, "type") {
        Some("Sequence") => {
            let steps =
                member(step, part.steps).as_array().ok_or_else(|| bad_tokenizer(part.steps, "a list of steps"))?;
            steps.iter().try_for_each(|step| check_step(part, step))
        }
        Some(known) if part.types.contains(&known) => Ok(()),
        Some(other) => Err(error!(BadVocabulary:
            "{} in tokenizer.json has the type \"{}\": expected one of {}. Download the file again.",
            part.member, Shown(other.as_bytes()), part.types.join(", "))),
        // Old files have no types.
        None if step.is_object() => Ok(()),
        None => Err(bad_tokenizer(part.member, "an object with a type")),
    }
}

/// Byte-pair encoding merges two tokens into a third one.
fn check_merges(model: &Value) -> Result<()> {
    if text_member(model, "type").unwrap_or("BPE") != "BPE" {
        return Ok(());
    }
    let Some(tokens) = member(model, "vocab").as_object() else { return Ok(()) };
    let Some(merges) = member(model, "merges").as_array() else {
        // A vocabulary without a type can be one of words.
        return if model.get("type").is_some() {
            Err(bad_tokenizer("model.merges", "a list of merges"))
        } else {
            Ok(())
        };
    };
    let prefix = text_member(model, "continuing_subword_prefix").unwrap_or_default().len();
    for (index, merge) in merges.iter().enumerate() {
        let pair = match merge {
            Value::String(text) if text.starts_with("#version") => continue,
            Value::String(text) => text.split_once(' ').filter(|(_, right)| !right.contains(' ')),
            pair => match elements(pair) {
                [Value::String(left), Value::String(right)] => Some((left.as_str(), right.as_str())),
                _ => None,
            },
        };
        let (left, right) = pair.ok_or_else(|| bad_tokenizer(&format!("merge {index}"), "two texts"))?;
        let merged = [left, right.get(prefix..).unwrap_or_default()].concat();
        if let Some(missing) = [left, right, &merged].into_iter().find(|text| !tokens.contains_key(*text)) {
            return Err(no_token(index, missing));
        }
    }
    Ok(())
}

#[cold]
fn no_token(merge: usize, text: &str) -> Error {
    error!(BadVocabulary:
        "merge {merge} in tokenizer.json needs the token \"{}\", which model.vocab does not have. Download the file again.",
        Shown(text.as_bytes()))
}

/// The error of a member of `tokenizer.json` that has another value than expected.
#[cold]
pub(super) fn bad_tokenizer(name: &str, expected: &str) -> Error {
    error!(BadVocabulary: "{name} in tokenizer.json has another value than {expected}. Download the file again.")
}
