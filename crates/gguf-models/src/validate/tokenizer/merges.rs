//! The merges of byte-pair tokenizers, and the character map of Unigram tokenizers.

use super::checked_tokenizer::{Found, Tokenizer, array};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use gguf_format::format::tokenizer_model::TokenizerAlgorithm;
use gguf_format::format::value::{Array, ValueType};
use gguf_format::format::version::Endian;

pub(super) fn check(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    match tokenizer.model.algorithm {
        algorithm if algorithm.has_merges() => check_merges(tokenizer, findings),
        TokenizerAlgorithm::Unigram => check_character_map(tokenizer, findings),
        _ => {}
    }
}

/// Reports merges that are not two texts with a space between them.
fn check_merges(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    let Some((entry, merges)) = array(tokenizer.header, "tokenizer.ggml.merges") else { return };
    let mut bad = Found::default();
    merges.visit_strings(|index, merge, bytes| {
        if !is_pair(bytes) {
            bad.add(index, merge.range().start);
        }
    });
    if bad.count > 0 {
        let Found { count, first, offset } = bad;
        findings.report(
            Check::BadMerge,
            Some(Subject::Entry(entry.index())),
            Some(offset),
            format_args!(
                "{count} of {} merges are not two tokens with one space between them. The first one is merge {first}. \
                 llama.cpp never applies them. Convert the model again.",
                merges.len()
            ),
        );
    }
}

/// Whether a merge has one space, which is not at its start or end. Tokens have other characters for spaces.
fn is_pair(merge: &[u8]) -> bool {
    let is_space = |byte: &u8| *byte == b' ';
    merge.iter().position(is_space).is_some_and(|space| {
        let second = &merge[space + 1..];
        space > 0 && !second.is_empty() && !second.iter().any(is_space)
    })
}

/// Reports a character map that is shorter than its first number says: the bytes of a table, after which texts follow.
fn check_character_map(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    let Some((entry, map)) = array(tokenizer.header, "tokenizer.ggml.precompiled_charsmap") else { return };
    let is_little_endian = tokenizer.header.format().endian == Endian::Little;
    if !is_little_endian || !matches!(map.element_type(), ValueType::Uint8 | ValueType::Int8) {
        return;
    }
    let needed = table_length(&map).map_or(4, |length| u64::from(length) + 5);
    if map.len() < needed {
        findings.report(
            Check::BadCharacterMap,
            Some(Subject::Entry(entry.index())),
            Some(entry.value_range().start),
            format_args!(
                "the character map has {} bytes, expected at least {needed}, and llama.cpp refuses the file. \
                 Download the file again, or convert the model again.",
                map.len()
            ),
        );
    }
}

/// The first four bytes as a number. `None` if the array has fewer.
fn table_length(map: &Array<'_>) -> Option<u32> {
    let mut bytes = map.pieces().flatten().copied();
    let mut next = || bytes.next();
    Some(u32::from_le_bytes([next()?, next()?, next()?, next()?]))
}
