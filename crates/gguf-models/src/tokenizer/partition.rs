//! Finds special tokens in a text, before the rest is tokenised.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Reverse;
use core::ops::Range;

use super::error::TokenizerError;
use super::trie::{Subset, Trie};
use super::vocabulary::{Attributes, Vocabulary};
use gguf_format::order::sorted;

/// A part of a text.
pub(super) enum Fragment {
    Text(Range<usize>),
    Token { id: u32, end: usize },
}

/// The special tokens of a vocabulary.
pub(super) struct SpecialTokens {
    all: Subset,
    /// Without those that are no text.
    user_defined: Subset,
}

/// A place in a text where a special token stands. The longest token comes first, then the first start.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    len: Reverse<usize>,
    id: u32,
    start: usize,
    rank: u32,
}

impl SpecialTokens {
    /// `trie` has all special tokens.
    pub fn new(vocabulary: &Vocabulary, trie: &Trie) -> Result<Self, TokenizerError> {
        let is_special = |id| vocabulary.attributes(id).has(Attributes::SPECIAL);
        let is_text = |id| !vocabulary.attributes(id).has(Attributes::NO_TEXT);
        Ok(Self {
            all: Subset::new(trie, &is_special)?,
            user_defined: Subset::new(trie, &|id| is_special(id) && is_text(id))?,
        })
    }

    /// Splits a text at special tokens. Tokens that are no text are found only if `parse_special`.
    ///
    /// llama.cpp searches the whole text for the longest token, then what is left for the next one, and so on. This finds
    /// the same, but does not read the text once for each token.
    pub fn partition(&self, vocabulary: &Vocabulary, trie: &Trie, text: &[u8], parse_special: bool) -> Vec<Fragment> {
        let tokens = if parse_special { &self.all } else { &self.user_defined };
        let len = |rank| vocabulary.texts.get(trie.number(rank)).len();
        let occurrence =
            |start, rank| Reverse(Occurrence { len: Reverse(len(rank)), id: trie.number(rank), start, rank });
        let mut queue = BinaryHeap::new();
        for (start, longest) in trie.longest_from_each(&vocabulary.texts, text).into_iter().enumerate() {
            // Of the tokens with the same start, a shorter one counts only if the longer ones do not.
            queue.extend(tokens.beginnings(trie, longest).next().map(|rank| occurrence(start, rank)));
        }
        let mut is_taken = vec![false; text.len()];
        let mut found_tokens = Vec::new();
        while let Some(Reverse(found)) = queue.pop() {
            // Tokens that were found before are as long or longer, so they take the first or the last byte. Shorter tokens
            // with this start have the same first byte.
            if is_taken[found.start] {
                continue;
            }
            let is_last_taken = |rank: &u32| is_taken[found.start + len(*rank) - 1];
            if is_last_taken(&found.rank) {
                // Taken bytes stay taken. So tokens whose last byte is taken need not go through the queue.
                let free = tokens.beginnings(trie, found.rank).skip(1).find(|rank| !is_last_taken(rank));
                queue.extend(free.map(|rank| occurrence(found.start, rank)));
                continue;
            }
            let range = found.start..found.start + found.len.0;
            take(text, &range, vocabulary.attributes(found.id), &mut is_taken);
            found_tokens.push((range.start, range.end, found.id));
        }
        fragments(&sorted(&found_tokens), &is_taken)
    }
}

/// Marks the bytes of a token as taken, and the white space beside it that the token strips.
fn take(text: &[u8], token: &Range<usize>, attributes: Attributes, is_taken: &mut [bool]) {
    is_taken[token.clone()].fill(true);
    if attributes.has(Attributes::STRIPS_BEFORE) {
        for at in (0..token.start).rev() {
            if is_taken[at] || !is_space(text[at]) {
                break;
            }
            is_taken[at] = true;
        }
    }
    if attributes.has(Attributes::STRIPS_AFTER) {
        for at in token.end..text.len() {
            if is_taken[at] || !is_space(text[at]) {
                break;
            }
            is_taken[at] = true;
        }
    }
}

/// The tokens, and the parts of the text between them that are not taken.
fn fragments(tokens: &[(usize, usize, u32)], is_taken: &[bool]) -> Vec<Fragment> {
    let mut fragments = Vec::new();
    let add_text = |start: usize, end: usize, fragments: &mut Vec<Fragment>| {
        let taken = &is_taken[start..end];
        if let (Some(first), Some(last)) =
            (taken.iter().position(|taken| !taken), taken.iter().rposition(|taken| !taken))
        {
            fragments.push(Fragment::Text(start + first..start + last + 1));
        }
    };
    let mut at = 0;
    for (start, end, id) in tokens {
        add_text(at, *start, &mut fragments);
        fragments.push(Fragment::Token { id: *id, end: *end });
        at = *end;
    }
    add_text(at, is_taken.len(), &mut fragments);
    fragments
}

/// White space of C.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}
