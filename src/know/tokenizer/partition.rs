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
    all: TokenSet,
    /// Without those that are no text.
    user_defined: TokenSet,
}

/// Tokens that are found by their texts.
struct TokenSet {
    /// Their ids: the longest texts first. A token's position is its rank.
    ids: Vec<u32>,
    /// Their texts, numbered by rank.
    trie: Trie,
}

/// A place in a text where a special token stands. The longest token comes first, then the first end.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    rank: u32,
    end: usize,
    node: u32,
}

impl SpecialTokens {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let with = |is_wanted: &dyn Fn(Attributes) -> bool| {
            TokenSet::new(
                vocabulary,
                (0..vocabulary.len()).filter(|id| is_wanted(vocabulary.attributes(*id))).collect(),
            )
        };
        Self {
            all: with(&|attributes| attributes.has(Attributes::SPECIAL)),
            user_defined: with(&|attributes| {
                attributes.has(Attributes::SPECIAL) && !attributes.has(Attributes::NO_TEXT)
            }),
        }
    }

    /// Splits a text at special tokens. Tokens that are no text are found only if `parse_special`.
    pub fn partition(&self, vocabulary: &Vocabulary, text: &[u8], parse_special: bool) -> Vec<Fragment> {
        if parse_special { &self.all } else { &self.user_defined }.partition(vocabulary, text)
    }
}

impl TokenSet {
    fn new(vocabulary: &Vocabulary, mut ids: Vec<u32>) -> Self {
        ids.sort_by_key(|id| Reverse(vocabulary.texts.get(*id).len()));
        let texts = (0..).zip(&ids).map(|(rank, id)| (vocabulary.texts.get(*id), rank));
        Self { trie: Trie::new(texts.collect()), ids }
    }

    /// Splits a text at the tokens.
    ///
    /// llama.cpp searches the whole text for the longest token, then what is left for the next one, and so on. This finds
    /// the same, but does not read the text once for each token.
    fn partition(&self, vocabulary: &Vocabulary, text: &[u8]) -> Vec<Fragment> {
        let mut queue = BinaryHeap::new();
        let mut node = Trie::ROOT;
        for (index, byte) in text.iter().enumerate() {
            node = self.trie.step(node, *byte);
            // Of the tokens with the same end, a shorter one counts only if the longer ones do not.
            if let Some(longest) = self.trie.longest(node) {
                queue.push(Reverse(self.occurrence(longest, index + 1)));
            }
        }
        let mut is_taken = vec![false; text.len()];
        let mut tokens = Vec::new();
        while let Some(Reverse(found)) = queue.pop() {
            // Tokens that were found before are as long or longer, so they take the first or the last byte. Shorter tokens
            // with this end have the same last byte.
            if is_taken[found.end - 1] {
                continue;
            }
            let start = |node| found.end - vocabulary.texts.get(self.id(node)).len();
            if is_taken[start(found.node)] {
                // A byte that is taken stays taken, so the tokens that begin with one need not go through the queue.
                let shorter = core::iter::successors(self.trie.shorter(found.node), |node| self.trie.shorter(*node));
                if let Some(free) = shorter.into_iter().find(|node| !is_taken[start(*node)]) {
                    queue.push(Reverse(self.occurrence(free, found.end)));
                }
                continue;
            }
            let (id, range) = (self.id(found.node), start(found.node)..found.end);
            take(text, &range, vocabulary.attributes(id), &mut is_taken);
            tokens.push((range.start, range.end, id));
        }
        tokens.sort_unstable();
        fragments(&tokens, &is_taken)
    }

    fn occurrence(&self, node: u32, end: usize) -> Occurrence {
        Occurrence { rank: self.trie.number(node), end, node }
    }

    /// The id of the token whose text ends at a node.
    fn id(&self, node: u32) -> u32 {
        self.ids[self.trie.number(node) as usize]
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
