//! Finds special tokens in a text, before the rest is tokenised.

use alloc::vec::Vec;
use core::ops::Range;

use super::trie::Trie;
use super::vocabulary::{Attributes, Vocabulary};

/// A part of a text.
#[derive(Clone, Debug)]
pub(super) enum Fragment {
    Text(Range<usize>),
    Token { id: u32, end: usize },
}

/// The special tokens of a vocabulary.
pub(super) struct SpecialTokens {
    /// Their ids: the longest texts first.
    ids: Vec<u32>,
    /// Their texts. Its tokens are positions in `ids`.
    trie: Trie,
}

impl SpecialTokens {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let is_special = |id: &u32| vocabulary.attributes(*id).has(Attributes::SPECIAL);
        let mut ids: Vec<_> = (0..vocabulary.len()).filter(is_special).collect();
        ids.sort_by_key(|id| core::cmp::Reverse(vocabulary.texts.get(*id).len()));
        let texts = (0..).zip(&ids).map(|(place, id)| (vocabulary.texts.get(*id), place));
        Self { trie: Trie::new(texts.collect()), ids }
    }

    /// Splits a text at special tokens. Tokens that are no text are found only if `parse_special`.
    pub fn partition(&self, vocabulary: &Vocabulary, text: &[u8], parse_special: bool) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        if !text.is_empty() {
            fragments.push(Fragment::Text(0..text.len()));
        }
        for (id, is_found) in self.ids.iter().zip(self.trie.occurring(text, self.ids.len())) {
            let attributes = vocabulary.attributes(*id);
            if !is_found || (!parse_special && attributes.has(Attributes::NO_TEXT)) {
                continue;
            }
            let token = vocabulary.texts.get(*id);
            let mut split = Vec::with_capacity(fragments.len());
            for fragment in fragments {
                match fragment {
                    Fragment::Text(range) => split_at(text, range, token, *id, attributes, &mut split),
                    found => split.push(found),
                }
            }
            fragments = split;
        }
        fragments
    }
}

/// Splits a part of a text at a token.
fn split_at(
    text: &[u8],
    mut range: Range<usize>,
    token: &[u8],
    id: u32,
    attributes: Attributes,
    fragments: &mut Vec<Fragment>,
) {
    while let Some(start) = find(text, &range, token) {
        let end = start + token.len();
        let mut before = range.start..start;
        if attributes.has(Attributes::STRIPS_BEFORE) {
            while !before.is_empty() && is_space(text[before.end - 1]) {
                before.end -= 1;
            }
        }
        if !before.is_empty() {
            fragments.push(Fragment::Text(before));
        }
        fragments.push(Fragment::Token { id, end });
        range.start = end;
        if attributes.has(Attributes::STRIPS_AFTER) {
            while !range.is_empty() && is_space(text[range.start]) {
                range.start += 1;
            }
        }
    }
    if !range.is_empty() {
        fragments.push(Fragment::Text(range));
    }
}

/// The first position of a token in a part of a text.
fn find(text: &[u8], range: &Range<usize>, token: &[u8]) -> Option<usize> {
    let first = *token.first()?;
    let last = range.end.checked_sub(token.len())?;
    let mut at = range.start;
    while at <= last {
        at += text[at..=last].iter().position(|byte| *byte == first)?;
        if text[at..].starts_with(token) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// White space of C.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}
