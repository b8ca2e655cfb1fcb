//! The tokenizer `t5`: the tokens of a text are those with the highest sum of scores (Viterbi, 1967).

use alloc::vec;
use core::ops::Range;

use super::charsmap::Charsmap;
use super::error::{TokenizerError, no_unknown};
use super::metadata;
use super::output::Output;
use super::source::{Mapped, VISIBLE_SPACE};
use super::texts::NONE;
use super::trie::Trie;
use super::unicode::length_in_utf8;
use super::vocabulary::{Attributes, Vocabulary};
use crate::format::header::Header;

/// How much lower than the lowest score the score of an unknown character is.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The tokenizer `t5`.
pub(super) struct Unigram {
    charsmap: Charsmap,
    /// The texts that tokens are made of.
    tokens: Trie,
    user_defined: Trie,
    /// The token for unknown characters. [`NONE`] if there is none.
    unknown: u32,
    unknown_score: f32,
    adds_prefix: bool,
    merges_spaces: bool,
}

/// The best tokens of a beginning of the text.
#[derive(Clone, Copy)]
struct Best {
    score: f64,
    /// The last token, and where it begins.
    id: u32,
    start: usize,
}

impl Unigram {
    /// `unknown` is the token for unknown characters. `adds_prefix`: whether a space is put before the text.
    pub fn new(
        header: &Header,
        vocabulary: &Vocabulary,
        unknown: Option<u32>,
        adds_prefix: bool,
    ) -> Result<Self, TokenizerError> {
        let with = |attributes| {
            let has = move |id: &u32| vocabulary.attributes(*id).has(attributes);
            Trie::new((0..vocabulary.len()).filter(has).map(|id| (vocabulary.texts.get(id), id)).collect())
        };
        let mut lowest = f32::MAX;
        for id in 0..vocabulary.len() {
            if vocabulary.attributes(id).has(Attributes::NORMAL) && vocabulary.score(id) < lowest {
                lowest = vocabulary.score(id);
            }
        }
        Ok(Self {
            charsmap: Charsmap::new(header)?,
            tokens: with(Attributes::NORMAL.and(Attributes::USER_DEFINED).and(Attributes::UNUSED)),
            user_defined: with(Attributes::USER_DEFINED),
            unknown: unknown.unwrap_or(NONE),
            unknown_score: lowest - UNKNOWN_PENALTY,
            adds_prefix,
            merges_spaces: metadata::flag(header, "tokenizer.ggml.remove_extra_whitespaces")?.unwrap_or(false),
        })
    }

    /// Whether a space is put before a text.
    pub fn adds_space(&self) -> bool {
        self.adds_prefix || self.merges_spaces
    }

    /// Adds the tokens of a part of a text.
    pub fn encode(
        &self,
        vocabulary: &Vocabulary,
        text: &[u8],
        range: Range<usize>,
        output: &mut Output,
    ) -> Result<(), TokenizerError> {
        let text = self.normalized(text, range)?;
        let len = text.bytes.len();
        if len == 0 {
            return Ok(());
        }
        let best = self.best(vocabulary, &text.bytes);
        let first = output.ids.len();
        let (mut at, mut is_unknown) = (len, false);
        while at > 0 {
            let Best { id, start, .. } = best[at];
            // Unknown characters that follow each other are one token.
            if !(is_unknown && id == self.unknown) {
                output.push(Some(id).filter(|id| *id != NONE).ok_or_else(no_unknown)?, text.origin(at));
            }
            is_unknown = id == self.unknown;
            at = start;
        }
        output.ids[first..].reverse();
        output.ends[first..].reverse();
        Ok(())
    }

    /// The best tokens up to each position of a text.
    fn best(&self, vocabulary: &Vocabulary, text: &[u8]) -> alloc::vec::Vec<Best> {
        const UNREACHED: Best = Best { score: f64::MIN, id: 0, start: usize::MAX };
        let mut best = vec![UNREACHED; text.len() + 1];
        best[0].score = 0.0;
        let mut pass = self.tokens.pass();
        let mut start = 0;
        while start < text.len() {
            let end = text.len().min(start + length_in_utf8(text[start]));
            let character = start..end;
            for at in character.clone() {
                let ids = pass.next(text[at]);
                // Tokens begin and end between characters.
                if at + 1 < end {
                    continue;
                }
                let mut is_known = false;
                for id in ids {
                    let start = end - vocabulary.texts.get(id).len();
                    let before = best[start];
                    if before.start == usize::MAX && start > 0 {
                        continue;
                    }
                    is_known |= start == character.start;
                    let is_user_defined = vocabulary.attributes(id).has(Attributes::USER_DEFINED);
                    let score = if is_user_defined { 0.0 } else { f64::from(vocabulary.score(id)) };
                    improve(&mut best[end], Best { score: before.score + score, id, start });
                }
                if !is_known {
                    let score = best[character.start].score + f64::from(self.unknown_score);
                    improve(&mut best[end], Best { score, id: self.unknown, start: character.start });
                }
            }
            if best[end].start == usize::MAX {
                // Scores that are infinite or no numbers improve nothing. llama.cpp then forgets all tokens before.
                best[end] = Best { id: self.unknown, start: 0, ..UNREACHED };
            }
            start = end;
        }
        best
    }

    /// A part of a text with its replacements and visible spaces.
    fn normalized(&self, text: &[u8], range: Range<usize>) -> Result<Mapped, TokenizerError> {
        let mut mapped = Mapped::ending_at(range.end);
        let (mut is_in_word, mut has_prefix) = (false, false);
        let mut at = range.start;
        while at < range.end {
            let (replacement, len) = self.replacement(&text[at..range.end])?;
            for byte in replacement {
                if *byte == b' ' {
                    is_in_word = false;
                    if !self.merges_spaces {
                        mapped.push(VISIBLE_SPACE.as_bytes(), at);
                    }
                    continue;
                }
                if !is_in_word {
                    is_in_word = true;
                    if self.merges_spaces || (self.adds_prefix && !has_prefix) {
                        mapped.push(VISIBLE_SPACE.as_bytes(), at);
                        has_prefix = true;
                    }
                }
                mapped.push(&[*byte], at);
            }
            at += len;
        }
        Ok(mapped)
    }

    /// What the beginning of a text becomes, and the length of this beginning.
    fn replacement<'a>(&'a self, text: &'a [u8]) -> Result<(&'a [u8], usize), TokenizerError> {
        let user_defined = self.user_defined.longest_beginning(text);
        if user_defined > 0 {
            return Ok((&text[..user_defined], user_defined));
        }
        if let Some(found) = self.charsmap.find(text)? {
            return Ok(found);
        }
        let len = length_in_utf8(text[0]).min(text.len());
        Ok(match core::str::from_utf8(&text[..len]) {
            Ok(character) => (character.as_bytes(), len),
            Err(_) => ("\u{FFFD}".as_bytes(), 1),
        })
    }
}

/// Takes new tokens only if they are better.
fn improve(best: &mut Best, new: Best) {
    if new.score > best.score {
        *best = new;
    }
}
