//! The merges of byte-pair encoding: which two neighbours become one, and in which order.

use alloc::vec::Vec;

use super::buckets::{Buckets, Entry, hash_of_pair};
use super::error::{TokenizerError, collected, list};
use super::metadata;
use super::texts::{NONE, Texts};
use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, ValueType};
use gguf_format::order::sort_by;

/// The merges of a vocabulary.
///
/// Texts that occur in merges have a number, their *piece*. The piece of a token is its id. The other pieces follow.
#[derive(Default)]
pub(super) struct Merges {
    token_count: u32,
    /// Parts of merges that are no tokens.
    others: Texts,
    /// The rank and the resulting piece of each pair of pieces.
    pairs: Buckets,
}

/// A merge of two neighbours.
#[derive(Clone, Copy)]
pub(super) struct Merge {
    /// The place in the list: lower ranks come first.
    pub rank: u32,
    /// The piece of both texts together. [`NONE`] if it is no token and no part of a merge.
    pub piece: u32,
}

impl Merges {
    /// The merges of a header. `None` if it has none.
    pub fn new(header: &Header, tokens: &Texts) -> Result<Option<Self>, TokenizerError> {
        let Some(merges) = metadata::array(header, "tokenizer.ggml.merges", &[ValueType::String])? else {
            return Ok(None);
        };
        let mut result = Self { token_count: tokens.len(), ..Self::default() };
        let mut entries = list(merges.len() as usize)?;
        if !result.read(merges, tokens, &mut entries) {
            // Some parts are no tokens. They are collected, and the merges are read again.
            result.others = other_parts(merges, tokens)?;
            entries.clear();
            result.read(merges, tokens, &mut entries);
        }
        result.pairs = Buckets::new(entries)?;
        Ok(Some(result))
    }

    /// Adds an entry for each merge whose parts are pieces. Returns whether all parts are.
    fn read(&self, merges: Array<'_>, tokens: &Texts, entries: &mut Vec<Entry>) -> bool {
        let mut is_complete = true;
        let mut joined = Vec::new();
        let mut last = 0;
        each_merge(merges, &mut |rank, left, right| {
            let [left_piece, right_piece] = [left, right].map(|part| self.piece(tokens, part));
            if left_piece == NONE || right_piece == NONE {
                is_complete = false;
                return;
            }
            // In most files, the results of merges that follow each other are tokens that follow each other. Comparing them is a
            // third faster than looking up each.
            let is_result = |id: &u32| tokens.get(*id).strip_prefix(left) == Some(right);
            let piece = match [last, last + 1].into_iter().find(is_result) {
                Some(id) => id,
                None => {
                    joined.clear();
                    joined.extend_from_slice(left);
                    joined.extend_from_slice(right);
                    self.piece(tokens, &joined)
                }
            };
            if piece < self.token_count {
                last = piece;
            }
            entries.push(Entry { hash: hash_of_pair(left_piece, right_piece), values: [rank, piece] });
        });
        is_complete
    }

    /// The piece of a text. [`NONE`] if it has none.
    pub fn piece(&self, tokens: &Texts, text: &[u8]) -> u32 {
        let other = |text| self.others.find(text).and_then(|number| number.checked_add(self.token_count));
        tokens.find(text).or_else(|| other(text)).unwrap_or(NONE)
    }

    /// The merge of two neighbours, if there is one.
    pub fn find(&self, left: u32, right: u32) -> Option<Merge> {
        if left == NONE || right == NONE {
            return None;
        }
        // If a pair is listed twice, its lower rank counts.
        let [rank, piece] = self.pairs.find(hash_of_pair(left, right)).first()?.values;
        Some(Merge { rank, piece })
    }
}

/// A function of the rank and the two parts of a merge.
type OfMerge<'a> = dyn FnMut(u32, &[u8], &[u8]) + 'a;

/// Calls a function for each merge.
fn each_merge(merges: Array<'_>, run: &mut OfMerge<'_>) {
    merges.visit_strings(|rank, _, bytes| {
        let text = metadata::before_nul(bytes);
        // The first character may be a space that belongs to the left part. A text without a space after it is no merge for llama.cpp.
        if let Some(space) = text.iter().skip(1).position(|byte| *byte == b' ')
            && let (left, [_, right @ ..]) = text.split_at(space + 1)
            && !right.is_empty()
        {
            // An array of more merges has more bytes than a vocabulary may have.
            run(rank as u32, left, right);
        }
    });
}

/// The parts of merges that are no tokens, each once.
fn other_parts(merges: Array<'_>, tokens: &Texts) -> Result<Texts, TokenizerError> {
    let each_part = |run: &mut dyn FnMut(&[u8])| {
        each_merge(merges, &mut |_, left, right| {
            [left, right].into_iter().filter(|part| tokens.find(part).is_none()).for_each(&mut *run);
        });
    };
    let (mut count, mut len) = (0, 0);
    each_part(&mut |part| (count, len) = (count + 1, len + part.len()));
    let mut parts = Texts::with_room(count, len)?;
    each_part(&mut |part| parts.push(part));
    let mut numbers = collected(count, 0..parts.len())?;
    sort_by(&mut numbers, &|a, b| parts.get(a).cmp(parts.get(b)));
    numbers.dedup_by(|a, b| parts.get(*a) == parts.get(*b));
    let mut texts = Texts::with_room(numbers.len(), numbers.iter().map(|number| parts.get(*number).len()).sum())?;
    numbers.iter().for_each(|number| texts.push(parts.get(*number)));
    drop((parts, numbers));
    texts.complete()?;
    Ok(texts)
}
