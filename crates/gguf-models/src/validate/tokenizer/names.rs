//! The names of the tokenizer and of the pre-tokenizer, and the entries that they require.

use alloc::borrow::Cow;

use crate::architectures::UNKNOWN;
use crate::pre_tokenizers::{PreTokenizer, pre_tokenizer};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use gguf_format::error::shown::Shown;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::tokenizer_model::{TokenizerAlgorithm, TokenizerModel, tokenizer_model};

/// Checks the names. Returns the tokenizer and the pre-tokenizer if llama.cpp goes on to read the vocabulary.
pub(super) fn check(
    header: &Header,
    is_required: bool,
    findings: &mut Findings,
) -> Option<(&'static TokenizerModel, Option<PreTokenizer>)> {
    let Some(entry) = header.get("tokenizer.ggml.model") else {
        if is_required {
            report_missing(Check::NoTokenizer, "tokenizer.ggml.model", findings);
        }
        return None;
    };
    let name = text_up_to_nul(&entry)?;
    let model = tokenizer_model(&name).filter(|model| model.algorithm != TokenizerAlgorithm::Refused);
    let Some(model) = model else {
        report_unknown(Check::UnknownTokenizer, "tokenizer", &entry, &name, findings);
        return None;
    };
    if model.algorithm == TokenizerAlgorithm::NoVocabulary {
        return None;
    }
    if header.get("tokenizer.ggml.tokens").is_none() {
        report_missing(Check::NoTokens, "tokenizer.ggml.tokens", findings);
    }
    let rules = match model.algorithm {
        algorithm if algorithm.is_byte_pairs() => check_pre_tokenizer(header, findings)?,
        // The tokenizer implies the pre-tokenizer of the same name. llama.cpp ignores the entry.
        TokenizerAlgorithm::Gemma4 => pre_tokenizer(&name),
        _ => return Some((model, None)),
    };
    // The vocabulary of Kimi K2 needs no merges.
    let needs_merges = rules.is_none_or(|rules| rules.name != "kimi-k2");
    if needs_merges && header.get("tokenizer.ggml.merges").is_none() {
        report_missing(Check::NoMerges, "tokenizer.ggml.merges", findings);
    }
    Some((model, rules))
}

/// The pre-tokenizer that a file names. `Some(None)` if it names none. `None` if llama.cpp refuses the name.
fn check_pre_tokenizer(header: &Header, findings: &mut Findings) -> Option<Option<PreTokenizer>> {
    let entry = header.get("tokenizer.ggml.pre");
    let name = match &entry {
        Some(entry) => text_up_to_nul(entry)?,
        None => Cow::Borrowed(&[][..]),
    };
    if let (Some(entry), false) = (&entry, name.is_empty()) {
        let known = pre_tokenizer(&name);
        if known.is_none() {
            report_unknown(Check::UnknownPreTokenizer, "pre-tokenizer", entry, &name, findings);
        }
        return known.map(Some);
    }
    findings.report(
        Check::NoPreTokenizer,
        entry.as_ref().map(|entry| Subject::Entry(entry.index())),
        entry.map(|entry| entry.value_range().start),
        format_args!(
            "the entry tokenizer.ggml.pre is missing or empty. llama.cpp splits text by default rules, so answers may be \
             worse. Set it to the name that llama.cpp has for the model, or convert the model again."
        ),
    );
    Some(None)
}

/// The text of an entry up to a NUL, where it ends for llama.cpp. `None` if the value is no string.
fn text_up_to_nul<'a>(entry: &MetadataKv<'a>) -> Option<Cow<'a, [u8]>> {
    let mut text = entry.value().as_str()?.to_bytes();
    if let Some(end) = text.iter().position(|byte| *byte == 0) {
        text.to_mut().truncate(end);
    }
    Some(text)
}

fn report_missing(check: Check, key: &str, findings: &mut Findings) {
    findings.report(check, None, None, format_args!("the entry {key} is missing. Convert the model again."));
}

fn report_unknown(check: Check, noun: &str, entry: &MetadataKv<'_>, name: &[u8], findings: &mut Findings) {
    let name = Shown(name);
    findings.report(
        check,
        Some(Subject::Entry(entry.index())),
        Some(entry.value_range().start),
        format_args!(
            "the {noun} is \"{name}\", which is {UNKNOWN}. Correct the name, or use the program that the model was made for."
        ),
    );
}
