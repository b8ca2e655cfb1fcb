//! Metadata entries: keys, values, and what some of them must say.

use super::check::Check;
use super::findings::{Findings, NONE, TYPES};
use super::{duplicates, text};
use crate::format::header::{Header, MetadataKv};
use crate::format::value::{ValueType, stored_type};
use crate::format::version::LONGEST_KEY;
use crate::know::keys::{KeyTypes, known_types};

/// Returns what marks the keys that are there.
#[inline(never)]
pub(super) fn check(header: &Header, findings: &mut Findings<'_>) -> KeyTypes {
    let mut marks = KeyTypes(0);
    let tokens = header.get("tokenizer.ggml.tokens").filter(|tokens| tokens.value_type() == ValueType::Array);
    let token_count = tokens.map_or(NONE, |tokens| header.storage.length(tokens.value_range().start + 4));
    duplicates::check(header, false, findings);
    for kv in header.metadata() {
        findings.subject = kv.index() as u64;
        let (start, key) = (kv.range().start, kv.key());
        text::check(header.bytes(), key.range(), findings);
        let key = key.to_bytes();
        match key.len() {
            0 => findings.report(Check::EmptyKey, start, 0, 0),
            1..=LONGEST_KEY => {
                if !is_usual(&key) {
                    findings.report(Check::UnusualKey, start, 0, 0);
                }
                if let Some(known) = known_types(&key) {
                    marks.0 |= known.0;
                    check_meaning(header, &kv, known, token_count, findings);
                }
            }
            length => findings.report(Check::LongKey, start, length as u64, 0),
        }
        check_value(header, &kv, findings);
    }
    findings.subject = NONE;
    check_architecture(header, marks, findings);
    marks
}

fn is_usual(key: &[u8]) -> bool {
    let mut before = b'.';
    for byte in key {
        if !(matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-') || *byte == b'.' && before != b'.') {
            return false;
        }
        before = *byte;
    }
    before != b'.'
}

/// Looks into a value, and into the arrays in it, which lie one after another: it is enough to count those that are left.
fn check_value(header: &Header, kv: &MetadataKv<'_>, findings: &mut Findings<'_>) {
    let (bytes, storage) = (header.bytes(), &header.storage);
    let length_size = header.format().length_size();
    let start = kv.value_range().start;
    let (mut value_type, mut count, mut at) = (kv.value_type(), 1, start);
    let mut arrays = 0;
    // Of the strings in arrays: how many there are, how many are not UTF-8, and where the first of those is not.
    let (mut strings, mut invalid, mut first) = (0, 0, NONE);
    let mut is_element = false;
    loop {
        // Version 1 ends with `ARRAY`.
        if header.format().version == 1 && value_type.id() > ValueType::Array.id() {
            findings.report(Check::TypeOfLaterVersion, start - 4, types_of(KeyTypes::of(value_type, None)), 1);
        }
        match value_type {
            ValueType::String => {
                for _ in 0..count {
                    let range = at + length_size..storage.string_end(at);
                    at = range.end;
                    if !is_element {
                        text::check(bytes, range, findings);
                        continue;
                    }
                    let at = text::scan(bytes, range).invalid;
                    if at != NONE {
                        invalid += 1;
                        first = at.min(first);
                    }
                    strings += 1;
                }
            }
            ValueType::Array => {
                // The elements of the outermost array are arrays.
                if at == start + 4 + length_size {
                    findings.report(Check::NestedArray, start, 0, 0);
                }
                arrays += count;
            }
            _ => {
                let end = at + count * value_type.size().unwrap_or_default();
                if value_type == ValueType::Bool {
                    check_bools(header, at, end, findings);
                }
                at = end;
            }
        }
        if arrays == 0 {
            break;
        }
        arrays -= 1;
        is_element = true;
        value_type = stored_type(storage, at);
        count = storage.length(at + 4);
        at += 4 + length_size;
    }
    if invalid > 0 {
        findings.report(Check::InvalidUtf8, first, invalid, strings);
    }
}

/// Reports the first that is neither 0 nor 1.
fn check_bools(header: &Header, mut at: u64, end: u64, findings: &mut Findings<'_>) {
    while at < end {
        for byte in header.bytes().piece(at..end) {
            if *byte > 1 {
                return findings.report(Check::OddBool, at, u64::from(*byte), 0);
            }
            at += 1;
        }
    }
}

/// What a known key says, as far as it must fit what it is for.
fn check_meaning(header: &Header, kv: &MetadataKv<'_>, known: KeyTypes, token_count: u64, findings: &mut Findings<'_>) {
    let storage = &header.storage;
    let (value_type, start) = (kv.value_type(), kv.value_range().start);
    // The number that a `UINT32` is, or that of an array's elements.
    let (element_type, number) = match value_type {
        ValueType::Array => (Some(stored_type(storage, start)), storage.length(start + 4)),
        ValueType::Uint32 => (None, storage.u32(start).into()),
        _ => (None, 1),
    };
    let found = KeyTypes::of(value_type, element_type);
    if known.is_alignment() {
        match (value_type, number) {
            (ValueType::Uint32, 1 | 2 | 4) => findings.report(Check::UnusualAlignment, start, number, 0),
            (ValueType::Uint32, _) if number.is_power_of_two() => {}
            (ValueType::Uint32, _) => findings.report(Check::BadAlignment, start, number, 0),
            _ => findings.report(Check::BadAlignment, start, types_of(found), 0),
        }
        return;
    }
    // Tools do not agree on the element type of an array without elements.
    let is_empty = element_type.is_some() && number == 0;
    if !known.accept(value_type, element_type) && !is_empty {
        findings.report(Check::WrongType, start - 4, types_of(found), types_of(known));
    }
    if token_count == NONE {
        return;
    }
    if known.is_per_token() && element_type.is_some() && number != token_count {
        findings.report(Check::VocabularyLength, start, number, token_count);
    }
    if known.is_token_id() && value_type == ValueType::Uint32 && number >= token_count {
        findings.report(Check::TokenIdOutOfRange, start, number, token_count);
    }
}

/// Types as a number for a message.
fn types_of(types: KeyTypes) -> u64 {
    u64::from(types.0) * TYPES
}

/// Whether something that is to be run says what it is. Of shards, adapters, importance matrices and the like something else
/// says that.
fn check_architecture(header: &Header, marks: KeyTypes, findings: &mut Findings<'_>) {
    let other_type = header.get("general.type").and_then(|kv| kv.value().as_str()).filter(|text| *text != "model");
    let says_what_it_is = marks.says_what_it_is() || other_type.is_some();
    if header.tensor_count() > 0 && header.has_all_metadata() && !says_what_it_is {
        findings.report(Check::NoArchitecture, NONE, 0, 0);
    }
}
