//! Which rules of the naming convention a name breaks.

use alloc::{string::String, string::ToString, vec::Vec};

use super::forms::{is_encoding, is_plain, is_sidecar, is_size_label, is_type, is_version, wrong_base_word};
use super::parts::{Part, Parts, Span};
use super::shard_name::{is_possible, is_shard, shard_numbers};
use gguf_declare::{names, result};
use gguf_format::error::shown::bounded;

names! {
    /// The rules of the naming convention.
    #[typescript("FileNameRule")]
    pub enum FileNameRule {
        /// The name ends in `.gguf`.
        Extension = "extension",
        /// A sidecar is `mmproj` or `mtp`, in small letters.
        Sidecar = "sidecar",
        /// There is a base name.
        BaseNameMissing = "base-name-missing",
        /// A base name has only letters, digits and spaces, with dashes between the words. Only its first word begins with a
        /// digit and has letters.
        BaseName = "base-name",
        /// There is a size label.
        SizeLabelMissing = "size-label-missing",
        /// A size label is a number and a letter, with or without the number of experts before and an attribute after it:
        /// `8x7B`, `30B-A3B`.
        SizeLabel = "size-label",
        /// A fine-tune has only letters, digits, spaces and dashes.
        FineTune = "fine-tune",
        /// There is a version.
        VersionMissing = "version-missing",
        /// A version is `v` and whole numbers with points between them.
        Version = "version",
        /// An encoding is one word of letters, digits and underscores.
        Encoding = "encoding",
        /// A type is `LoRA` or `vocab`.
        Type = "type",
        /// The two numbers of a shard have five digits each: `00003-of-00009`.
        Shard = "shard",
        /// Shards are numbered from 1 to their count.
        ShardNumber = "shard-number",
        /// The parts are in the order of the convention.
        Order = "order",
        /// One dash separates two parts.
        Separator = "separator",
        /// Only the extension says the file format.
        FormatWord = "format-word",
    }
}

result! {
    /// A rule of the naming convention that a name breaks.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FileNameProblem {
        /// Stable, for programs; `message` is for people.
        pub rule: FileNameRule,
        /// What the name has, and what to change.
        pub message: String,
    }
}

/// The rules that a name breaks, in the order of [`FileNameRule`]. Without any, the name conforms to the specification.
pub(super) fn problems(name: &str, parts: &Parts) -> Vec<FileNameProblem> {
    let mut problems = Problems(Vec::new());
    problems.check_extension(name.get(parts.stem_end..).unwrap_or_default());
    problems.check_forms(name, parts);
    problems.check_shard_number(name, parts);
    problems.check_places(name, parts);
    problems.0
}

/// The rules about the form of a part.
struct Form {
    part: Part,
    /// The rule that the part is there, and the message if it is not. `None` for optional parts.
    missing: Option<(FileNameRule, &'static str)>,
    rule: FileNameRule,
    /// The text that breaks the rule: the part or a word of it.
    find_wrong: fn(&str) -> Option<&str>,
    /// The message after that text.
    message: &'static str,
}

const FORMS: &[Form] = &[
    Form {
        part: Part::Sidecar,
        missing: None,
        rule: FileNameRule::Sidecar,
        find_wrong: |text| Some(text).filter(|text| !is_sidecar(text)),
        message: " is not a sidecar of the convention. It has mmproj and mtp, in small letters.",
    },
    Form {
        part: Part::BaseName,
        missing: Some((
            FileNameRule::BaseNameMissing,
            "There is no base name. Begin with the name of the model, such as Mixtral.",
        )),
        rule: FileNameRule::BaseName,
        find_wrong: wrong_base_word,
        message: " cannot be a word of the base name. Use letters, digits and spaces; only the first word can begin with a \
                  digit and have letters.",
    },
    Form {
        part: Part::SizeLabel,
        missing: Some((
            FileNameRule::SizeLabelMissing,
            "There is no size label. Add the number of parameters after the base name, such as 7B or 8x7B.",
        )),
        rule: FileNameRule::SizeLabel,
        find_wrong: |text| Some(text).filter(|text| !is_size_label(text)),
        message: " is not a size label of the convention. Write it like 7B, 1.5B, 8x7B or 30B-A3B.",
    },
    Form {
        part: Part::FineTune,
        missing: None,
        rule: FileNameRule::FineTune,
        find_wrong: |text| Some(text).filter(|text| !text.split('-').all(is_plain)),
        message: " cannot be a fine-tune. Use letters, digits, spaces and dashes.",
    },
    Form {
        part: Part::Version,
        missing: Some((
            FileNameRule::VersionMissing,
            "There is no version. Readers then take v1.0; add the version before the encoding.",
        )),
        rule: FileNameRule::Version,
        find_wrong: |text| Some(text).filter(|text| !is_version(text)),
        message: " is not a version of the convention. Write v and numbers with points between them, such as v1.0.",
    },
    Form {
        part: Part::Encoding,
        missing: None,
        rule: FileNameRule::Encoding,
        find_wrong: |text| Some(text).filter(|text| !is_encoding(text)),
        message: " is more than one word. An encoding has only letters, digits and underscores.",
    },
    Form {
        part: Part::Type,
        missing: None,
        rule: FileNameRule::Type,
        find_wrong: |text| Some(text).filter(|text| !is_type(text)),
        message: " is not a type of the convention. It has LoRA and vocab, written like this.",
    },
    Form {
        part: Part::Shard,
        missing: None,
        rule: FileNameRule::Shard,
        find_wrong: |text| Some(text).filter(|text| !is_shard(text)),
        message: " is not a shard of the convention. Write both numbers with five digits, such as 00003-of-00009.",
    },
];

struct Problems(Vec<FileNameProblem>);

impl Problems {
    fn add(&mut self, rule: FileNameRule, message: &[&str]) {
        self.0.push(FileNameProblem { rule, message: bounded(message.concat()) });
    }

    fn check_extension(&mut self, extension: &str) {
        match extension {
            ".gguf" => {}
            "" => self.add(
                FileNameRule::Extension,
                &["The name has no extension. Programs find GGUF files by .gguf: add it."],
            ),
            _ => self.add(
                FileNameRule::Extension,
                &["The name ends in ", extension, ", not in .gguf. Programs find GGUF files by this ending."],
            ),
        }
    }

    fn check_forms(&mut self, name: &str, parts: &Parts) {
        for form in FORMS {
            match (parts.text(name, form.part).filter(|text| !text.is_empty()), form.missing) {
                (Some(text), _) => {
                    if let Some(wrong) = (form.find_wrong)(text) {
                        self.add(form.rule, &[wrong, form.message]);
                    }
                }
                (None, Some((rule, message))) => self.add(rule, &[message]),
                (None, None) => {}
            }
        }
    }

    fn check_shard_number(&mut self, name: &str, parts: &Parts) {
        let Some(text) = parts.text(name, Part::Shard) else { return };
        if shard_numbers(text).is_none_or(|(number, count)| !is_possible(number, count)) {
            self.add(
                FileNameRule::ShardNumber,
                &[text, " is not a possible shard. Shards are numbered from 1 to their count."],
            );
        }
    }

    fn check_places(&mut self, name: &str, parts: &Parts) {
        let is_ordered = parts.iter().is_sorted_by(|before, after| before.end <= after.start);
        if !is_ordered {
            let order = "The parts are not in the order base name, size label, fine-tune, version, encoding, type, shard. A sidecar comes first.";
            self.add(FileNameRule::Order, &[order]);
        }
        if let Some(separator) = wrong_separator(name, parts) {
            self.add(
                FileNameRule::Separator,
                &[
                    "\"",
                    &separator,
                    "\" separates parts or is at an end. Put one dash between two parts, and nothing else.",
                ],
            );
        }
        if let Some(word) = &parts.format_word {
            self.add(
                FileNameRule::FormatWord,
                &[name.get(word.clone()).unwrap_or_default(), " repeats the extension. Leave it out."],
            );
        }
    }
}

/// The first text that is at an end of the name or between two parts, and should not be.
fn wrong_separator(name: &str, parts: &Parts) -> Option<String> {
    let mut spans: Vec<&Span> = parts.iter().chain(&parts.format_word).collect();
    let mut end = 0;
    // There are nine spans at most.
    while let Some(first) = (0..spans.len()).min_by_key(|index| (spans[*index].start, spans[*index].end)) {
        let span = spans.swap_remove(first);
        // A part can be inside another one.
        let between = name.get(end..span.start).unwrap_or("");
        let expected = if end == 0 || span.start < end { "" } else { "-" };
        if between != expected {
            return Some(between.to_string());
        }
        end = end.max(span.end);
    }
    name.get(end..parts.stem_end).filter(|after| !after.is_empty()).map(ToString::to_string)
}
