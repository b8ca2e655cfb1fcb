//! Metadata entries: keys, values, and what some of them must say.

use alloc::vec;
use core::fmt::{self, Display};

use super::check::Check;
use super::findings::{Findings, Place};
use super::{order, text};
use crate::header::{Header, MetadataKv};
use crate::keys::known_key;
use crate::value::{Array, Value, ValueType};

/// The longest key that the specification allows.
const MAX_KEY: u64 = 0xffff;

/// ggml's own caps: `GGUF_MAX_STRING_LENGTH` and `GGUF_MAX_ARRAY_ELEMENTS` in gguf.cpp.
const MAX_LENGTH: u64 = 1 << 30;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    let tokens = header.get("tokenizer.ggml.tokens").and_then(|kv| kv.value().as_array());
    let token_count = tokens.map(|tokens| tokens.len());
    for kv in header.metadata() {
        check_key(&kv, findings);
        if header.format().version == 1 {
            check_version_1(&kv, findings);
        }
        check_value(header, &kv, findings);
        // No known key is longer.
        if kv.key().byte_length() <= MAX_KEY {
            check_meaning(&kv, token_count, findings);
        }
    }
    order::check_keys(header, findings);
    check_architecture(header, findings);
}

fn check_key(kv: &MetadataKv<'_>, findings: &mut Findings) {
    let key = kv.key();
    let place = Place::entry(kv, kv.range().start);
    text::check(&key, place, findings);
    match key.byte_length() {
        0 => findings.report(Check::EmptyKey, place, &[]),
        1..=MAX_KEY => {
            let mut in_segment = false;
            let is_usual = key.pieces().flatten().all(|byte| {
                let was_in_segment = in_segment;
                in_segment = *byte != b'.';
                matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-') || !in_segment && was_in_segment
            });
            if !(is_usual && in_segment) {
                findings.report(Check::UnusualKey, place, &[]);
            }
        }
        len => findings.report(Check::LongKey, place, &[&len]),
    }
}

/// Version 1 ends with `ARRAY`.
fn check_version_1(kv: &MetadataKv<'_>, findings: &mut Findings) {
    let element_type = kv.value().as_array().map(|array| array.element_type());
    for value_type in [kv.value_type(), element_type.unwrap_or(ValueType::Uint8)] {
        if value_type.id() > ValueType::Array.id() {
            let place = Place::entry(kv, kv.key().range().end);
            findings.report(Check::TypeOfLaterVersion, place, &[&value_type.name()]);
        }
    }
}

fn check_value(header: &Header, kv: &MetadataKv<'_>, findings: &mut Findings) {
    let range = kv.value_range();
    let place = Place::entry(kv, range.start);
    match kv.value() {
        Value::String(string) => {
            check_length(Check::LongString, string.byte_length(), place, findings);
            text::check(&string, place, findings);
        }
        Value::Bool(_) => check_bools(header.bytes().pieces(range.clone()).flatten(), range.start, place, findings),
        Value::Array(array) => check_array(&array, place, findings),
        _ => {}
    }
}

fn check_length(check: Check, len: u64, place: Place, findings: &mut Findings) {
    if len > MAX_LENGTH {
        findings.report(check, place, &[&len]);
    }
}

/// Reports the first that is neither 0 nor 1.
fn check_bools<'a>(bytes: impl Iterator<Item = &'a u8>, start: u64, place: Place, findings: &mut Findings) {
    if let Some((at, byte)) = (0u64..).zip(bytes).find(|(_, byte)| **byte > 1) {
        findings.report(Check::OddBool, place.at(start + at), &[byte]);
    }
}

/// Looks into an array, and those in it, which lie on a stack of their own: files nest arrays deeper than the call stack
/// is. Reports once what is there many times.
fn check_array(array: &Array<'_>, place: Place, findings: &mut Findings) {
    check_length(Check::LongArray, array.len(), place, findings);
    if array.element_type() == ValueType::Array {
        findings.report(Check::NestedArray, place, &[]);
    }
    let (mut invalid, mut first_invalid) = (0u64, None);
    let mut unfinished = vec![array.iter()];
    let mut index = 0u64;
    check_bool_array(array, place, findings);
    while let Some(elements) = unfinished.last_mut() {
        let offset = elements.offset();
        // Other types hold nothing to look at.
        match elements.next() {
            Some(Value::String(string)) => {
                check_length(Check::LongString, string.byte_length(), place.at(offset), findings);
                if let Some(at) = text::scan(&string).invalid {
                    invalid += 1;
                    first_invalid = first_invalid.or(Some((index, string.range().start + at)));
                }
                index += 1;
            }
            Some(Value::Array(array)) => {
                check_length(Check::LongArray, array.len(), place.at(offset), findings);
                check_bool_array(&array, place, findings);
                unfinished.push(array.iter());
            }
            _ => {
                unfinished.pop();
            }
        }
    }
    if let Some((first, offset)) = first_invalid {
        let text = format_args!("{invalid} of {index} strings, the first is string {first}");
        findings.report(Check::InvalidUtf8, place.at(offset), &[&text]);
    }
}

fn check_bool_array(array: &Array<'_>, place: Place, findings: &mut Findings) {
    if array.element_type() == ValueType::Bool {
        check_bools(array.pieces().flatten(), array.range().start, place, findings);
    }
}

/// What a known key says, as far as it must fit what it is for.
fn check_meaning(kv: &MetadataKv<'_>, token_count: Option<u64>, findings: &mut Findings) {
    let (key, value) = (kv.key().to_bytes(), kv.value());
    let place = Place::entry(kv, kv.value_range().start);
    if *key == *b"general.alignment" {
        return check_alignment(value, place, findings);
    }
    let Some(known) = known_key(&key) else { return };
    let (value_type, array) = (kv.value_type(), value.as_array());
    let element_type = array.map(|array| array.element_type());
    // Tools do not agree on the element type of an array without elements.
    if !known.types.accept(value_type, element_type) && !array.is_some_and(|array| array.is_empty()) {
        let place = Place::entry(kv, kv.key().range().end);
        findings.report(Check::WrongType, place, &[&TypeName(value_type, element_type), &known.types]);
    }
    let Some(token_count) = token_count else { return };
    if let Some(name) = known.pattern.strip_prefix("tokenizer.ggml.") {
        match (name, array, value.as_u64()) {
            ("scores" | "token_type", Some(array), _) if array.len() != token_count => {
                findings.report(Check::VocabularyLength, place, &[&array.len(), &token_count]);
            }
            (name, _, Some(id)) if id >= token_count && name.ends_with("_token_id") => {
                findings.report(Check::TokenIdOutOfRange, place, &[&id, &token_count]);
            }
            _ => {}
        }
    }
}

fn check_alignment(value: Value<'_>, place: Place, findings: &mut Findings) {
    match value {
        Value::Uint32(alignment @ 8..) if alignment.is_power_of_two() => {}
        Value::Uint32(alignment @ (1 | 2 | 4)) => findings.report(Check::UnusualAlignment, place, &[&alignment]),
        Value::Uint32(alignment) => findings.report(Check::BadAlignment, place, &[&alignment]),
        other => findings.report(Check::BadAlignment, place, &[&other.value_type().name()]),
    }
}

/// Whether something that is to be run says what it is. What follows the first of several shards, adapters, importance
/// matrices and other files without a model need not.
fn check_architecture(header: &Header, findings: &mut Findings) {
    let is_model = header.get("general.type").is_none_or(|kv| kv.value().as_str().is_none_or(|kind| kind == "model"));
    let is_later_shard = header.get("split.no").is_some_and(|kv| kv.value().as_u64() != Some(0));
    let is_missing = header.has_all_metadata() && header.get("general.architecture").is_none();
    if is_missing && is_model && !is_later_shard && header.tensor_count() > 0 {
        findings.report(Check::NoArchitecture, Place::default(), &[]);
    }
}

/// The name of a type, and of the type of elements: `ARRAY of STRING`.
struct TypeName(ValueType, Option<ValueType>);

impl Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())?;
        match self.1 {
            None => Ok(()),
            Some(element_type) => {
                f.write_str(" of ")?;
                f.write_str(element_type.name())
            }
        }
    }
}
