//! Entries whose keys the format defines: their types, the alignment, the vocabulary, and the entries that are required.

use super::audience::Audience;
use super::check::Check;
use super::findings::{Counted, Findings, Subject};
use super::fix::{self, Fix};
use super::loader_keys::LoaderKeys;
use crate::keys::{KeyInfo, KeyType};
use gguf_format::edit::Change;
use gguf_format::format::header::{Header, MetadataKv, TensorInfo};
use gguf_format::format::value::{Value, ValueType, stored_type};
use gguf_format::format::version::{ALIGNMENT, DEFAULT_ALIGNMENT};

/// The table that Unigram tokenizers normalise text with.
const CHARACTER_MAP: &str = "tokenizer.ggml.precompiled_charsmap";

/// The number of tokens of the vocabulary, if the file has one.
pub(super) fn token_count(header: &Header) -> Option<u64> {
    let tokens = header.get("tokenizer.ggml.tokens")?.value().as_array()?;
    Some(tokens.len())
}

/// What the checks of known keys need to know about the file.
pub(super) struct Facts {
    token_count: Option<u64>,
    loader_keys: LoaderKeys,
}

impl Facts {
    pub fn of(header: &Header, audience: Audience) -> Self {
        // Other programs have lists of tokens of their own.
        let token_count = token_count(header).filter(|_| audience == Audience::LlamaCpp);
        Self { token_count, loader_keys: LoaderKeys::of(header) }
    }
}

/// Checks the value of a known key.
pub(super) fn check_value(
    header: &Header,
    entry: &MetadataKv<'_>,
    info: &KeyInfo,
    facts: &Facts,
    findings: &mut Findings,
) {
    let (subject, offset) = (Some(Subject::Entry(entry.index())), entry.value_range().start);
    let (found, number) = type_and_number(entry);
    if info.pattern == ALIGNMENT {
        return check_alignment(header, entry, found, number, findings);
    }
    // Tools do not agree on the element type of an array without elements.
    let is_empty_array = matches!(found, KeyType::Array(_)) && number == 0;
    if !info.types.accept(found) && !is_empty_array && !is_read_as_text(info, found) {
        report_type(entry, info, found, facts, findings);
    }
    let Some(token_count) = facts.token_count else { return };
    if info.is_per_token && matches!(found, KeyType::Array(_)) {
        check_length(entry, number, token_count, findings);
    }
    if info.is_token_id && found == KeyType::Single(ValueType::Uint32) && number >= token_count {
        let tokens = Counted(token_count, "token");
        findings.report_with_fix(
            Check::TokenIdOutOfRange,
            subject,
            Some(offset),
            format_args!("the token id is {number}, but the vocabulary has {tokens}. Set it to a smaller id."),
            &|| Some(Fix::to_confirm("Remove the entry", Change::Remove { entry: entry.index() })),
        );
    }
}

/// Reports a value of another type than a known key has.
fn report_type(entry: &MetadataKv<'_>, info: &KeyInfo, found: KeyType, facts: &Facts, findings: &mut Findings) {
    let expected = info.types;
    let is_read = facts.loader_keys.includes(entry, info);
    // Where the specification asks for 64 bits, llama.cpp and gguf-py have 32.
    let is_specified = found == KeyType::Single(ValueType::Uint64)
        && info.note.is_some_and(|note| note.starts_with("The specification says uint64"));
    let specified = if is_specified { ", as the specification says" } else { "" };
    let (subject, offset) = (Some(Subject::Entry(entry.index())), Some(entry.value_range().start - 4));
    let fix = || convert_to(entry, info);
    let is_too_large = found == KeyType::Single(ValueType::Uint64)
        && expected.iter().any(|wanted| wanted == KeyType::Single(ValueType::Uint32))
        && entry.value().as_u64().is_some_and(|number| number > u32::MAX.into());
    let advice = if is_too_large { "Set it to a number below 2^32" } else { "Change the type of the value" };
    if is_read {
        findings.report_with_fix(
            Check::WrongType,
            subject,
            offset,
            format_args!("the type is {found}{specified}, but llama.cpp reads only {expected}. {advice}."),
            &fix,
        );
    } else {
        findings.report_with_fix(
            Check::UnexpectedType,
            subject,
            offset,
            format_args!("the type is {found}{specified}, but readers expect {expected}. {advice}."),
            &fix,
        );
    }
}

/// Checks the length of an array with one element for each token.
fn check_length(entry: &MetadataKv<'_>, length: u64, token_count: u64, findings: &mut Findings) {
    let (subject, offset) = (Some(Subject::Entry(entry.index())), Some(entry.value_range().start));
    let (elements, tokens) = (Counted(length, "element"), Counted(token_count, "token"));
    if length < token_count {
        findings.report(
            Check::VocabularyLength,
            subject,
            offset,
            format_args!(
                "the array has {elements}, but the vocabulary has {tokens}. \
                 Give it one element for each token."
            ),
        );
    } else if length > token_count {
        findings.report_with_fix(
            Check::ElementsWithoutTokens,
            subject,
            offset,
            format_args!(
                "the array has {elements}, but the vocabulary has {tokens}. llama.cpp ignores the rest. \
                 Remove the elements after the last token."
            ),
            &|| {
                let elements = token_count..length;
                let remove = Change::Splice { entry: entry.index(), elements, inserted: None };
                Some(Fix::safe("Remove the elements after the last token", remove))
            },
        );
    }
}

/// Whether llama.cpp reads a value of a wrong type as if the type were right. It prints the recommended settings of samplers as
/// text, and takes the number from the text (`common_init_sampler_from_model`).
fn is_read_as_text(info: &KeyInfo, found: KeyType) -> bool {
    let is_number = |key_type| {
        let KeyType::Single(value_type) = key_type else { return false };
        !matches!(value_type, ValueType::Array | ValueType::String | ValueType::Bool)
    };
    info.pattern.starts_with("general.sampling.") && info.types.iter().all(is_number) && is_number(found)
}

/// The fix that converts a value to the first of the key's types that can hold it.
fn convert_to(entry: &MetadataKv<'_>, info: &KeyInfo) -> Option<Fix> {
    let found = stored_types(entry);
    info.types.iter().find_map(|wanted| {
        let types: &[ValueType] = match wanted {
            KeyType::Single(value_type) => &[value_type],
            KeyType::Array(element_type) => &[ValueType::Array, element_type],
        };
        let (from, to) = (*found.last()?, *types.last()?);
        // A number is not turned into a text, and a BOOL not into a number: the value itself is wrong then.
        if from != to && (from == ValueType::Bool || to == ValueType::String) {
            return None;
        }
        let (title, change) = (format!("Convert to {wanted}"), fix::retype(entry, types)?);
        let is_same_value =
            is_integer(from) && is_integer(to) || is_float(from) && is_float(to) && is_exact_as(entry, to);
        // The content of the character map is checked only if its elements are bytes. So this conversion can uncover an error.
        let is_safe = is_same_value && info.pattern != CHARACTER_MAP;
        Some(if is_safe { Fix::safe(title, change) } else { Fix::to_confirm(title, change) })
    })
}

/// The type of a value, and for an array the type of its elements.
fn stored_types(entry: &MetadataKv<'_>) -> [ValueType; 2] {
    let own = entry.value_type();
    match own {
        ValueType::Array => [own, stored_type(entry.storage(), entry.value_range().start)],
        _ => [own, own],
    }
}

fn is_integer(value_type: ValueType) -> bool {
    !is_float(value_type) && !matches!(value_type, ValueType::Bool | ValueType::String | ValueType::Array)
}

fn is_float(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::Float32 | ValueType::Float64)
}

/// Whether a type of floating-point numbers has all numbers of a value, bit for bit.
fn is_exact_as(entry: &MetadataKv<'_>, wanted: ValueType) -> bool {
    let fits = |value: Value<'_>| match value {
        Value::Float64(number) if wanted == ValueType::Float32 => {
            f64::from(number as f32).to_bits() == number.to_bits()
        }
        _ => true,
    };
    match entry.value() {
        Value::Array(array) => array.iter().all(fits),
        value => fits(value),
    }
}

/// The type of a value, and the number that it holds: the value of a `UINT32`, or the length of an array. 1 for other types.
pub(super) fn type_and_number(entry: &MetadataKv<'_>) -> (KeyType, u64) {
    let (storage, start) = (entry.storage(), entry.value_range().start);
    match entry.value_type() {
        ValueType::Array => (KeyType::Array(stored_type(storage, start)), storage.length(start + 4)),
        ValueType::Uint32 => (KeyType::Single(ValueType::Uint32), storage.u32(start).into()),
        other => (KeyType::Single(other), 1),
    }
}

fn check_alignment(header: &Header, entry: &MetadataKv<'_>, found: KeyType, number: u64, findings: &mut Findings) {
    let (subject, offset) = (Some(Subject::Entry(entry.index())), entry.value_range().start);
    let set_to_32 = || {
        // A new alignment moves the data.
        let change = fix::set(entry.index(), DEFAULT_ALIGNMENT as u32).filter(|_| fix::can_move_data(header))?;
        Some(Fix::to_confirm("Set the alignment to 32", change))
    };
    if found != KeyType::Single(ValueType::Uint32) {
        findings.report_with_fix(
            Check::BadAlignment,
            subject,
            Some(offset),
            format_args!(
                "the alignment has the type {found}, expected a power of two as UINT32. Set it to 32 as UINT32."
            ),
            &set_to_32,
        );
    } else if !number.is_power_of_two() {
        findings.report_with_fix(
            Check::BadAlignment,
            subject,
            Some(offset),
            format_args!("the alignment is {number}, expected a power of two. Set it to 32."),
            &set_to_32,
        );
    } else if !number.is_multiple_of(8) {
        findings.report_with_fix(
            Check::UnusualAlignment,
            subject,
            Some(offset),
            format_args!("the alignment is {number}, expected a multiple of 8. Set it to 32."),
            &set_to_32,
        );
    }
}

/// Reports required entries that are missing.
pub(super) fn check_required(header: &Header, findings: &mut Findings) {
    // Only the first shard of a split model has the architecture. Adapters, importance matrices and the like have a type.
    let is_model =
        header.get("general.type").and_then(|entry| entry.value().as_str()).is_none_or(|text| text == "model");
    let is_later_shard = header.get("split.no").is_some_and(|entry| entry.value().as_u64() != Some(0));
    let has_architecture = header.get("general.architecture").is_some();
    if header.tensor_count() > 0 && header.has_all_metadata() && is_model && !is_later_shard && !has_architecture {
        report_no_architecture(findings);
    }
    let has_blocks = |tensor: TensorInfo<'_>| tensor.type_info().is_some_and(|info| info.block_size > 1);
    if header.tensors().any(has_blocks) && header.get("general.quantization_version").is_none() {
        findings.report_with_fix(
            Check::NoQuantizationVersion,
            Some(Subject::MissingEntry("general.quantization_version")),
            None,
            format_args!("the entry general.quantization_version is missing. Add it with the value 2 as UINT32."),
            &|| Some(Fix::safe("Add the entry", fix::add(header, b"general.quantization_version", 2u32)?)),
        );
    }
}

/// Reports that the file does not name its architecture.
pub(super) fn report_no_architecture(findings: &mut Findings) {
    findings.report(
        Check::NoArchitecture,
        Some(Subject::MissingEntry("general.architecture")),
        None,
        format_args!("the entry general.architecture is missing. Add it."),
    );
}
