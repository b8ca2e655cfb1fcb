//! The texts and the types of tokens.

use alloc::vec::Vec;

use super::checked_tokenizer::{Found, Tokenizer, array};
use crate::format::header::{MetadataKv, hash};
use crate::format::value::{Array, Str, Value, ValueType};
use crate::order::{sort, sort_by};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};

pub(super) fn check(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    if let Some((entry, tokens)) = &tokenizer.tokens {
        check_texts(entry, tokens, findings);
    }
    if let Some((entry, types)) = array(tokenizer.header, "tokenizer.ggml.token_type") {
        check_types(&entry, &types, findings);
    }
}

/// Reports tokens that are empty, and tokens with the same text.
///
/// Equal texts have equal hashes, so only tokens that share their hash with another token are compared. If memory for the
/// list cannot be allocated, no duplicates are reported.
fn check_texts(entry: &MetadataKv<'_>, tokens: &Array<'_>, findings: &mut Findings) {
    let mut empty = Found::default();
    // The hash of a token in the high half, and its id in the low half.
    let mut by_hash: Vec<u64> = Vec::new();
    let is_indexed = usize::try_from(tokens.len()).is_ok_and(|len| by_hash.try_reserve_exact(len).is_ok());
    tokens.visit_strings(|id, text, bytes| {
        // For llama.cpp, a token ends at a NUL.
        if bytes.first().is_none_or(|byte| *byte == 0) {
            // llama.cpp gives each empty token a text of its own.
            empty.add(id, text.range().start);
        } else if is_indexed {
            by_hash.push(u64::from(hash(bytes)) << 32 | id & 0xffff_ffff);
        }
    });
    let subject = Some(Subject::Entry(entry.index()));
    if empty.count > 0 {
        let Found { count, first, offset } = empty;
        findings.report(
            Check::EmptyToken,
            subject,
            Some(offset),
            format_args!(
                "{count} of {} tokens are empty. The first one is token {first}. llama.cpp calls it [EMPTY_{first}].",
                tokens.len()
            ),
        );
    }
    sort(&mut by_hash);
    report_duplicates(entry, tokens, &by_hash, findings);
}

fn report_duplicates(entry: &MetadataKv<'_>, tokens: &Array<'_>, by_hash: &[u64], findings: &mut Findings) {
    let bytes = |offset: usize| bytes_up_to_nul(Str::at(entry.storage(), offset as u64));
    let mut count = 0u64;
    // The file offsets of the first token whose text an earlier token has, and of that earlier token.
    let mut first = (usize::MAX, 0);
    let mut offsets = Vec::new();
    for group in by_hash.chunk_by(|a, b| a >> 32 == b >> 32).filter(|group| group.len() > 1) {
        offsets.clear();
        if offsets.try_reserve_exact(group.len()).is_err() {
            return;
        }
        offsets.extend(group.iter().map(|item| tokens.iter_from(*item & 0xffff_ffff).offset() as usize));
        // A hostile file can give all tokens the same hash, so these tokens are sorted instead of compared pairwise.
        sort_by(&mut offsets, &|a, b| bytes(a).cmp(bytes(b)).then(a.cmp(&b)));
        for same in offsets.chunk_by(|a, b| bytes(*a).eq(bytes(*b))) {
            count += same.len() as u64 - 1;
            if let [earliest, second, ..] = *same {
                first = first.min((second, earliest));
            }
        }
    }
    if count > 0 {
        let (second, earliest) = (first.0 as u64, first.1 as u64);
        let (second_id, earliest_id) = (id_at(tokens, second), id_at(tokens, earliest));
        findings.report(
            Check::DuplicateToken,
            Some(Subject::Entry(entry.index())),
            Some(second),
            format_args!(
                "{count} of {} tokens have the text of an earlier token, and llama.cpp aborts. The first one is token \
                 {second_id}, which is the same as token {earliest_id}. Give each token a text of its own.",
                tokens.len()
            ),
        );
    }
}

/// The id of the token at a file offset.
fn id_at(tokens: &Array<'_>, offset: u64) -> u64 {
    let mut elements = tokens.iter();
    (0..tokens.len()).find(|_| elements.offset() == offset || elements.next().is_none()).unwrap_or_default()
}

/// The bytes of a token up to a NUL, where it ends for llama.cpp.
fn bytes_up_to_nul(text: Str<'_>) -> impl Iterator<Item = u8> {
    text.pieces().flatten().copied().take_while(|byte| *byte != 0)
}

/// Reports types that are not in the specification.
fn check_types(entry: &MetadataKv<'_>, types: &Array<'_>, findings: &mut Findings) {
    if types.element_type() != ValueType::Int32 {
        return;
    }
    let mut unknown = Found::default();
    let mut elements = types.iter();
    for id in 0.. {
        let offset = elements.offset();
        let Some(Value::Int32(token_type)) = elements.next() else { break };
        if !(1..=6).contains(&token_type) {
            unknown.add(id, offset);
        }
    }
    if unknown.count > 0 {
        let Found { count, first, offset } = unknown;
        findings.report(
            Check::UnknownTokenType,
            Some(Subject::Entry(entry.index())),
            Some(offset),
            format_args!(
                "{count} of {} types are not one of 1 to 6. The first one is that of token {first}. llama.cpp does not \
                 write the text of such tokens. Set them to 1 for normal text, or convert the model again.",
                types.len()
            ),
        );
    }
}
