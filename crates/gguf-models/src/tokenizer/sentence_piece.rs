//! The tokenizer `llama` of SentencePiece: characters are merged to tokens, the highest score first.

use alloc::{collections::BinaryHeap, vec::Vec};
use core::cmp::Ordering;
use core::ops::Range;

use super::error::{TokenizerError, bad};
use super::output::Output;
use super::source::Mapped;
use super::texts::NONE;
use super::unicode::length_in_utf8;
use super::vocabulary::Vocabulary;

/// A part of the text.
struct Symbol {
    /// The range in the text. Empty once the symbol has been merged into the previous symbol.
    range: Range<usize>,
    previous: u32,
    next: u32,
}

/// Two neighbours that are a token together. The highest score comes first, then the leftmost pair.
struct Candidate {
    score: f32,
    left: u32,
    right: u32,
    /// The end of the right symbol. If the end has changed since, one of the two symbols has been merged, and the candidate is stale.
    end: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // The order of NaN scores is not defined.
        self.score.partial_cmp(&other.score).unwrap_or(Ordering::Equal).then(other.left.cmp(&self.left))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

/// Adds the tokens of a part of a text.
pub(super) fn encode(vocabulary: &Vocabulary, text: &Mapped, output: &mut Output) -> Result<(), TokenizerError> {
    let bytes = &text.bytes;
    let mut symbols = Vec::new();
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        let end = bytes.len().min(at + length_in_utf8(*first));
        let index = symbols.len() as u32;
        let next = if end < bytes.len() { index + 1 } else { NONE };
        symbols.push(Symbol { range: at..end, previous: index.checked_sub(1).unwrap_or(NONE), next });
        at = end;
    }
    let mut queue = BinaryHeap::new();
    for right in 1..symbols.len() as u32 {
        add_candidate(vocabulary, bytes, &symbols, &mut queue, right - 1, right);
    }
    while let Some(candidate) = queue.pop() {
        let [left, right] = [candidate.left, candidate.right].map(|index| &symbols[index as usize]);
        if left.range.is_empty() || right.range.is_empty() || right.range.end != candidate.end {
            continue;
        }
        let next = right.next;
        symbols[candidate.right as usize].range = 0..0;
        let left = &mut symbols[candidate.left as usize];
        left.range.end = candidate.end;
        left.next = next;
        let previous = left.previous;
        if let Some(next) = symbols.get_mut(next as usize) {
            next.previous = candidate.left;
        }
        add_candidate(vocabulary, bytes, &symbols, &mut queue, previous, candidate.left);
        add_candidate(vocabulary, bytes, &symbols, &mut queue, candidate.left, next);
    }
    for Symbol { range, .. } in symbols.into_iter().filter(|symbol| !symbol.range.is_empty()) {
        match vocabulary.texts.find(&bytes[range.clone()]) {
            Some(id) => output.push(id, text.origin(range.end)),
            None => {
                for at in range {
                    output.push(byte_token(vocabulary, bytes[at])?, text.origin(at + 1));
                }
            }
        }
    }
    Ok(())
}

fn add_candidate(
    vocabulary: &Vocabulary,
    bytes: &[u8],
    symbols: &[Symbol],
    queue: &mut BinaryHeap<Candidate>,
    left: u32,
    right: u32,
) {
    let (Some(first), Some(second)) = (symbols.get(left as usize), symbols.get(right as usize)) else { return };
    let (start, end) = (first.range.start, second.range.end);
    if end - start > vocabulary.longest {
        return;
    }
    if let Some(id) = vocabulary.texts.find(&bytes[start..end]) {
        queue.push(Candidate { score: vocabulary.score(id), left, right, end });
    }
}

fn byte_token(vocabulary: &Vocabulary, byte: u8) -> Result<u32, TokenizerError> {
    vocabulary.byte_token(byte).or_else(|| vocabulary.texts.find(&[byte])).ok_or_else(|| {
        bad(format!("the vocabulary has no token for the byte 0x{byte:02X} of the text, and llama.cpp stops."))
    })
}
