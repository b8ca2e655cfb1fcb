//! The texts and the types of tokens.

use alloc::vec::Vec;
use core::fmt;

use super::checked_tokenizer::{Found, Tokenizer, array};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use gguf_format::format::header::{MetadataKv, hash};
use gguf_format::format::value::{Array, Str, Value, ValueType};
use gguf_format::order::{sort, sort_by};

pub(super) fn check(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    if let Some((entry, tokens)) = &tokenizer.tokens {
        check_texts(entry, tokens, findings);
    }
    if let Some((entry, types)) = array(tokenizer.header, "tokenizer.ggml.token_type") {
        check_types(&entry, &types, findings);
    }
}

/// Reports tokens that are empty, and tokens with the same text.
fn check_texts(entry: &MetadataKv<'_>, tokens: &Array<'_>, findings: &mut Findings) {
    let mut empty = Found::default();
    tokens.visit_strings(|id, text, bytes| {
        // llama.cpp gives each empty token a text of its own.
        if is_empty(bytes) {
            empty.add(id, text.range().start);
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
    if let Some(found) = duplicate_tokens(tokens) {
        findings.report(Check::DuplicateToken, subject, Some(found.offset), format_args!("{found}"));
    }
}

/// Whether a token has no text. For llama.cpp, a token ends at a NUL.
fn is_empty(bytes: &[u8]) -> bool {
    bytes.first().is_none_or(|byte| *byte == 0)
}

/// Tokens that have the text of an earlier token. It is displayed as the message of the finding.
pub(crate) struct DuplicateTokens {
    count: u64,
    token_count: u64,
    /// The ids of the first one, and of the earlier token.
    second: u64,
    earliest: u64,
    /// The file offset of the first one.
    offset: u64,
}

impl fmt::Display for DuplicateTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, token_count, second, earliest, .. } = self;
        write!(
            f,
            "{count} of {token_count} tokens have the text of an earlier token, and llama.cpp aborts. The first one is token {second}, \
             which is the same as token {earliest}. Give each token a text of its own."
        )
    }
}

/// Finds tokens with the same text.
///
/// Equal texts have equal hashes, so only tokens that share their hash with another token are compared. If memory for the
/// list cannot be allocated, no duplicates are reported. A module that sorts few numbers needs no fast `sorted`.
pub(crate) fn duplicate_tokens(tokens: &Array<'_>) -> Option<DuplicateTokens> {
    // The hash of a token in the high half, and its id in the low half.
    let mut by_hash: Vec<u64> = Vec::new();
    by_hash.try_reserve_exact(usize::try_from(tokens.len()).ok()?).ok()?;
    tokens.visit_strings(|id, _, bytes| {
        if !is_empty(bytes) {
            by_hash.push(u64::from(hash(bytes)) << 32 | id & 0xffff_ffff);
        }
    });
    let by_hash = sort(by_hash);
    let bytes = |offset: usize| bytes_up_to_nul(Str::at(tokens.storage(), offset as u64));
    let mut count = 0u64;
    // The file offsets of the first token whose text an earlier token has, and of that earlier token.
    let mut first = (usize::MAX, 0);
    let mut offsets = Vec::new();
    for group in by_hash.chunk_by(|a, b| a >> 32 == b >> 32).filter(|group| group.len() > 1) {
        offsets.clear();
        offsets.try_reserve_exact(group.len()).ok()?;
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
    let (offset, earliest) = (first.0 as u64, first.1 as u64);
    (count > 0).then(|| DuplicateTokens {
        count,
        token_count: tokens.len(),
        second: id_at(tokens, offset),
        earliest: id_at(tokens, earliest),
        offset,
    })
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
