//! Finds special tokens in a text, before the rest is tokenised.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use super::trie::Trie;
use super::vocabulary::{Attributes, Vocabulary};

/// A part of a text.
pub(super) enum Fragment {
    Text(Range<usize>),
    Token { id: u32, end: usize },
}

/// The special tokens of a vocabulary.
pub(super) struct SpecialTokens {
    /// Their ids: the longest texts first.
    ids: Vec<u32>,
    /// Their texts. Its numbers are places in `ids`.
    trie: Trie,
}

/// A place in a text where a special token stands. The longest token comes first, then the first place.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    place: u32,
    end: usize,
    node: u32,
}

impl SpecialTokens {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let is_special = |id: &u32| vocabulary.attributes(*id).has(Attributes::SPECIAL);
        let mut ids: Vec<_> = (0..vocabulary.len()).filter(is_special).collect();
        ids.sort_by_key(|id| Reverse(vocabulary.texts.get(*id).len()));
        let texts = (0..).zip(&ids).map(|(place, id)| (vocabulary.texts.get(*id), place));
        Self { trie: Trie::new(texts.collect()), ids }
    }

    /// Splits a text at special tokens. Tokens that are no text are found only if `parse_special`.
    ///
    /// llama.cpp searches the whole text for the longest token, then what is left for the next one, and so on. This finds
    /// the same, but does not read the text once for each token.
    pub fn partition(&self, vocabulary: &Vocabulary, text: &[u8], parse_special: bool) -> Vec<Fragment> {
        // Of the tokens that end at a place, a shorter one is only of use if the longer ones are not.
        let mut queue = BinaryHeap::new();
        let mut node = Trie::ROOT;
        for (index, byte) in text.iter().enumerate() {
            node = self.trie.step(node, *byte);
            self.add(&mut queue, self.trie.longest(node), index + 1);
        }
        let mut is_taken = vec![false; text.len()];
        let mut tokens = Vec::new();
        while let Some(Reverse(found)) = queue.pop() {
            let id = self.ids[found.place as usize];
            let attributes = vocabulary.attributes(id);
            let range = found.end - vocabulary.texts.get(id).len()..found.end;
            // Tokens that were found before are as long or longer, so they take the first or the last byte.
            let is_free = !is_taken[range.start] && !is_taken[range.end - 1];
            if is_free && (parse_special || !attributes.has(Attributes::NO_TEXT)) {
                take(text, &range, attributes, &mut is_taken);
                tokens.push((range.start, range.end, id));
            } else {
                self.add(&mut queue, self.trie.shorter(found.node), found.end);
            }
        }
        tokens.sort_unstable();
        fragments(&tokens, &is_taken)
    }

    fn add(&self, queue: &mut BinaryHeap<Reverse<Occurrence>>, node: Option<u32>, end: usize) {
        if let Some(node) = node {
            queue.push(Reverse(Occurrence { place: self.trie.number(node), end, node }));
        }
    }
}

/// Takes the bytes of a token, and the white space that it takes from the text beside it.
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

/// The tokens, and what is not taken between them.
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
