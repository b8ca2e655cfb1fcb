//! Metadata entries: keys and values.

use super::audience::Audience;
use super::check::Check;
use super::findings::{Counted, Findings, Subject};
use super::fix::{self, Fix};
use super::{duplicates, known_keys, text};
use crate::image::tensor_of_key;
use crate::keys::key_info;
use gguf_format::edit::Change;
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::{ValueType, stored_type};
use gguf_format::format::version::LONGEST_KEY;

pub(super) fn check(header: &Header, audience: Audience, findings: &mut Findings) {
    let facts = known_keys::Facts::of(header, audience);
    duplicates::check_keys(header, findings);
    for entry in header.metadata() {
        check_key(header, &entry, findings);
        if let Some(info) = key_info(&entry.key().to_bytes()) {
            known_keys::check_value(header, &entry, &info, &facts, findings);
        }
        check_value(header, &entry, audience, findings);
    }
    // Other programs need neither the architecture nor the version of the quantization.
    if audience == Audience::LlamaCpp {
        known_keys::check_required(header, findings);
    }
}

fn check_key(header: &Header, entry: &MetadataKv<'_>, findings: &mut Findings) {
    let (subject, offset, key) = (Some(Subject::Entry(entry.index())), Some(entry.range().start), entry.key());
    text::check(header.bytes(), key.range(), "key", subject, findings);
    match key.byte_length() {
        0 => findings.report_with_fix(
            Check::EmptyKey,
            subject,
            offset,
            format_args!("the key is empty, and llama.cpp refuses the file. Rename or remove the entry."),
            &|| Some(Fix::to_confirm("Remove the entry", Change::Remove { entry: entry.index() })),
        ),
        length if length > LONGEST_KEY as u64 => findings.report(
            Check::LongKey,
            subject,
            offset,
            format_args!("the key has {length} bytes, at most {LONGEST_KEY} are allowed. Rename the entry."),
        ),
        _ if !is_usual(&key.to_bytes()) && tensor_of_key(&key.to_bytes()).is_none() => findings.report(
            Check::UnusualKey,
            subject,
            offset,
            format_args!(
                "the key has characters other than a to z, 0 to 9, _ and - between dots. \
                 Rename the entry, unless a program needs this key."
            ),
        ),
        _ => {}
    }
}

/// Whether a key consists of segments of `a` to `z`, digits, `_` and `-`, with dots between them.
fn is_usual(key: &[u8]) -> bool {
    let is_segment_byte = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    key.split(|byte| *byte == b'.').all(|segment| !segment.is_empty() && segment.iter().all(is_segment_byte))
}

/// Checks the bytes of a value, and of the arrays in it.
///
/// Arrays in arrays lie one after another. So a count of the arrays that are left takes the place of recursion.
fn check_value(header: &Header, entry: &MetadataKv<'_>, audience: Audience, findings: &mut Findings) {
    let (storage, length_size) = (&header.storage, header.format().length_size());
    let (subject, start) = (Some(Subject::Entry(entry.index())), entry.value_range().start);
    let (mut value_type, mut count, mut position) = (entry.value_type(), 1, start);
    let mut arrays_left = 0;
    let mut is_element = false;
    let mut strings = ArrayStrings::default();
    loop {
        // Version 1 has the types up to ARRAY.
        if header.format().version == 1 && value_type.id() > ValueType::Array.id() {
            findings.report_with_fix(
                Check::TypeOfLaterVersion,
                subject,
                Some(start - 4),
                format_args!("the type is {value_type}, which version 1 does not have. Save the file as version 3."),
                &|| Some(Fix::safe("Convert to version 3", Change::Version(3))),
            );
        }
        match value_type {
            ValueType::String => {
                position = storage.visit_strings(position, count, |range, text| {
                    if is_element {
                        strings.add(text::scan_string(header.bytes(), range, text).invalid);
                    } else {
                        text::check(header.bytes(), range, "text", subject, findings);
                    }
                });
            }
            ValueType::Array => {
                let is_array_of_arrays = position == start + 4 + length_size;
                if is_array_of_arrays && audience == Audience::LlamaCpp {
                    findings.report(
                        Check::NestedArray,
                        subject,
                        Some(start),
                        format_args!("the value is an array of arrays, and llama.cpp refuses the file. Use one array."),
                    );
                }
                arrays_left += count;
            }
            _ => {
                let end = position + count * value_type.size().unwrap_or_default();
                if value_type == ValueType::Bool {
                    check_bools(header, position, end, entry, findings);
                }
                position = end;
            }
        }
        if arrays_left == 0 {
            break;
        }
        arrays_left -= 1;
        is_element = true;
        value_type = stored_type(storage, position);
        count = storage.length(position + 4);
        position += 4 + length_size;
    }
    strings.report(subject, findings);
}

/// The strings in the arrays of a value, counted so that a vocabulary has one finding and not thousands.
#[derive(Default)]
struct ArrayStrings {
    count: u64,
    invalid: u64,
    first_invalid: Option<u64>,
}

impl ArrayStrings {
    /// Adds a string, with the offset of its first byte that is not UTF-8.
    fn add(&mut self, invalid: Option<u64>) {
        self.count += 1;
        if invalid.is_some() {
            self.invalid += 1;
            self.first_invalid = self.first_invalid.or(invalid);
        }
    }

    fn report(&self, subject: Option<Subject>, findings: &mut Findings) {
        if self.invalid > 0 {
            let (invalid, strings) = (self.invalid, Counted(self.count, "string"));
            findings.report(
                Check::InvalidUtf8,
                subject,
                self.first_invalid,
                format_args!("{invalid} of {strings} in the array are not UTF-8. Readers may change them."),
            );
        }
    }
}

/// Reports the first byte in `start..end` that is neither 0 nor 1.
fn check_bools(header: &Header, start: u64, end: u64, entry: &MetadataKv<'_>, findings: &mut Findings) {
    let mut position = start;
    for bytes in header.bytes().pieces(start..end) {
        if let Some(index) = bytes.iter().position(|byte| *byte > 1) {
            let (byte, offset) = (bytes[index], position + index as u64);
            return findings.report_with_fix(
                Check::OddBool,
                Some(Subject::Entry(entry.index())),
                Some(offset),
                format_args!("a BOOL has the byte {byte}, expected 0 or 1. Set it to true: readers treat it as true."),
                &|| Some(Fix::safe("Set to true", fix::normalise_bools(entry)?)),
            );
        }
        position += bytes.len() as u64;
    }
}
