//! The name of the file, compared with its metadata and its tensors.

use alloc::string::String;

use super::check::Check;
use super::findings::Findings;
use crate::file_kinds::FileKind;
use crate::file_name::{FileName, FileNameProblem, FileNameRule, parse_file_name, rounded, suggested_file_name};
use crate::file_types::{FILE_TYPES, FileTypeInfo, contradicts_file_type};
use crate::kind::{Classification, classify};
use gguf_format::error::shown::{Shown, ShownUpTo};
use gguf_format::format::header::Header;

/// The most bytes that a message repeats of a broken rule, and of a name.
const LONGEST_RULE: usize = 160;
const LONGEST_NAME: usize = 60;

/// The parameters of a file may differ from the size in its name by this factor. Names are rounded, and some count only a part.
const SIZE_TOLERANCE: f64 = 2.0;

pub(super) fn check(header: &Header, name: &str, findings: &mut Findings) {
    if !header.is_complete() {
        return;
    }
    let (parsed, classification) = (parse_file_name(name), classify(header));
    let before = findings.list.len();
    check_kind(&parsed, name, &classification, findings);
    if classification.kind.is_complete_model() {
        check_encoding(header, &parsed, findings);
        check_size(header, &parsed, findings);
    }
    check_shard(&parsed, &classification, findings);
    // One finding about a name is enough.
    if findings.list.len() == before {
        check_convention(header, &parsed, name, findings);
    }
}

fn check_kind(parsed: &FileName<'_>, name: &str, classification: &Classification, findings: &mut Findings) {
    let kind = classification.shard.map_or(classification.kind, |shard| shard.set_kind);
    let is_projector_name = name.as_bytes().windows(6).any(|part| part.eq_ignore_ascii_case(b"mmproj"));
    let expected = match parsed.r#type {
        _ if is_projector_name => FileKind::Projector,
        Some("LoRA") => FileKind::Adapter,
        Some("vocab") => FileKind::Vocabulary,
        _ => return,
    };
    if kind.is_complete_model() || is_projector_name && kind == FileKind::Adapter {
        let (named, found) = (expected.title(), kind.title());
        findings.report(
            Check::FileNameContradiction,
            None,
            None,
            format_args!(
                "the name says that the file is of the kind \"{named}\", but it is \"{found}\". Rename the file."
            ),
        );
    }
}

/// Compares the encoding in the name with the tensors.
fn check_encoding(header: &Header, parsed: &FileName<'_>, findings: &mut Findings) {
    let Some(named) = parsed.encoding.and_then(file_type_named) else { return };
    if named.is_removed || !contradicts_file_type(header, named.id) {
        return;
    }
    let name = named.name;
    findings.report(
        Check::FileNameContradiction,
        None,
        None,
        format_args!("the name says that the encoding is {name}, but the tensors have other types. Rename the file."),
    );
}

/// The file type that an encoding in a file name stands for. `None` if llama.cpp has no such file type.
fn file_type_named(encoding: &str) -> Option<&'static FileTypeInfo> {
    let plain = match encoding.len() {
        4 => encoding.strip_prefix("FP").or_else(|| encoding.strip_prefix("fp")),
        _ => None,
    };
    FILE_TYPES.iter().find(|info| {
        let is_float = plain.is_some_and(|bits| info.name.strip_prefix('F') == Some(bits));
        is_float || info.name.eq_ignore_ascii_case(encoding)
    })
}

/// Compares the size label in the name with the number of parameters.
fn check_size(header: &Header, parsed: &FileName<'_>, findings: &mut Findings) {
    let Some(label) = parsed.size_label else { return };
    // By the specification, `16E` after `17B` is a part of the fine-tune.
    let (size, attribute) = label
        .split_once('-')
        .unwrap_or_else(|| (label, parsed.fine_tune.and_then(|words| words.split('-').next()).unwrap_or_default()));
    let Some((least, most)) = parameters_named(size, attribute) else { return };
    let found = header.parameter_count() as f64;
    if found == 0.0 || found * SIZE_TOLERANCE >= least && found <= most * SIZE_TOLERANCE {
        return;
    }
    let (label, count) = (Shown(label.as_bytes()), rounded(header.parameter_count()));
    findings.report(
        Check::FileNameContradiction,
        None,
        None,
        format_args!(
            "the name says that the size is {label}, but the tensors have {count} parameters. Rename the file."
        ),
    );
}

/// The least and the largest number of parameters that a size label can mean. `None` for labels that count something else, such
/// as `128k`.
///
/// `8x7B` has 7 to 56 billion. `17B-16E` has 17 billion that are used at once, and 16 experts. `1B-7B` has 1 billion that are
/// used at once, and 7 in all.
fn parameters_named(size: &str, attribute: &str) -> Option<(f64, f64)> {
    let (least, most) = parameters_of_size(size)?;
    let experts = attribute.strip_suffix(['E', 'e']).and_then(|experts| experts.parse::<u32>().ok());
    if let Some(experts) = experts {
        return Some((least, most * f64::from(experts.max(1))));
    }
    Some(parameters_of_size(attribute).map_or((least, most), |(all, _)| (least.min(all), most.max(all))))
}

/// The least and the largest number of parameters of a label without an attribute.
fn parameters_of_size(size: &str) -> Option<(f64, f64)> {
    let (experts, size) = match size.split_once('x') {
        Some((experts, size)) => (experts.parse::<u32>().ok()?, size),
        None => (1, size),
    };
    let unit = match size.as_bytes().last()? {
        b'M' | b'm' => 1e6,
        b'B' | b'b' => 1e9,
        b'T' | b't' => 1e12,
        _ => return None,
    };
    let (whole, decimals) = size.get(..size.len() - 1)?.split_once('.').unwrap_or((size.get(..size.len() - 1)?, "0"));
    let (whole, decimals) = (whole.parse::<u32>().ok()?, decimals.get(..1)?.parse::<u32>().ok()?);
    let least = (f64::from(whole) + f64::from(decimals) / 10.0) * unit;
    (least > 0.0).then_some((least, least * f64::from(experts.max(1))))
}

/// Compares the shard in the name with the metadata.
fn check_shard(parsed: &FileName<'_>, classification: &Classification, findings: &mut Findings) {
    match (parsed.shard, classification.shard) {
        (None, None) => {}
        (Some(named), None) => {
            let (number, count) = (named.number, named.count);
            findings.report(
                Check::FileNameContradiction,
                None,
                None,
                format_args!(
                    "the name says shard {number} of {count}, but the metadata says no shards. \
                     llama.cpp takes the file as a whole. Rename the file, or add the split entries."
                ),
            );
        }
        (None, Some(shard)) => {
            let count = shard.count;
            findings.report(
                Check::FileNameShard,
                None,
                None,
                format_args!(
                    "the file is one of {count} shards, but its name does not say it. llama.cpp finds shards by their names, \
                     such as NAME-00001-of-{count:05}.gguf, and refuses the set. Rename the file."
                ),
            );
        }
        (Some(named), Some(shard)) => {
            let is_number = shard.number.is_none_or(|number| number == u64::from(named.number));
            if !is_number || shard.count != u64::from(named.count) {
                let (number, count) = (named.number, named.count);
                let (own_number, own_count) = (shard.number.unwrap_or(0), shard.count);
                findings.report(
                    Check::FileNameShard,
                    None,
                    None,
                    format_args!(
                        "the name says shard {number} of {count}, but the metadata says shard {own_number} of {own_count}. \
                         llama.cpp finds shards by their names, and refuses the set. Rename the file."
                    ),
                );
            }
        }
    }
}

/// Reports a name that does not follow the convention. A missing version stands for v1.0, so it is no reason to rename a file.
fn check_convention(header: &Header, parsed: &FileName<'_>, name: &str, findings: &mut Findings) {
    let broken = |problem: &&FileNameProblem| problem.rule != FileNameRule::VersionMissing;
    let Some(problem) = parsed.problems.iter().find(broken) else { return };
    let suggested = suggested_file_name(header);
    if suggested == name {
        return;
    }
    let rule = ShownUpTo(LONGEST_RULE, problem.message.as_bytes());
    let follows = !parse_file_name(&suggested).problems.iter().any(|problem| broken(&problem));
    let suggestion = if follows && suggested.len() <= LONGEST_NAME {
        format!(" The metadata gives the name \"{}\".", Shown(suggested.as_bytes()))
    } else {
        String::new()
    };
    findings.report(
        Check::UnconventionalFileName,
        None,
        None,
        format_args!("the name does not follow the naming convention. {rule}{suggestion}"),
    );
}
