//! The tokenizer `t5`: the tokens of a text are those with the highest sum of scores (Viterbi, 1967).

use alloc::vec::Vec;
use core::ops::Range;

use super::charsmap::Charsmap;
use super::error::{TokenizerError, collected, no_unknown};
use super::metadata;
use super::output::Output;
use super::source::{Mapped, VISIBLE_SPACE};
use super::texts::NONE;
use super::trie::{Subset, Trie};
use super::unicode::length_in_utf8;
use super::vocabulary::{Attributes, TokenType, Vocabulary};
use gguf_format::format::header::Header;
use gguf_format::order::sort_by;

/// How much lower than the lowest score the score of an unknown character is.
const UNKNOWN_PENALTY: f32 = 10.0;

/// The most tokens that are tried for each byte of a text, on average. In published vocabularies, at most about 60 tokens are
/// prefixes of each other: runs of spaces.
const STEPS_PER_BYTE: u32 = 256;

/// The tokenizer `t5`.
pub(super) struct Unigram {
    charsmap: Charsmap,
    /// The tokens of which texts are made.
    tokens: Subset,
    /// The user-defined tokens, sorted by their texts.
    user_defined: Vec<u32>,
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
    /// Whether texts can be made of a token.
    pub fn is_used(vocabulary: &Vocabulary, id: u32) -> bool {
        use TokenType::{Normal, Unused, UserDefined};
        matches!(vocabulary.types[id as usize], Normal | UserDefined | Unused)
    }

    /// `trie` has all tokens that texts can be made of. `unknown` is the token for unknown characters. `adds_prefix`: whether a space is
    /// put before the text.
    pub fn new(
        header: &Header,
        vocabulary: &Vocabulary,
        trie: &Trie,
        unknown: Option<u32>,
        adds_prefix: bool,
    ) -> Result<Self, TokenizerError> {
        let with_type = |wanted| (0..vocabulary.len()).filter(move |id| vocabulary.types[*id as usize] == wanted);
        let mut lowest = f32::MAX;
        for id in with_type(TokenType::Normal) {
            if vocabulary.score(id) < lowest {
                lowest = vocabulary.score(id);
            }
        }
        let user_defined = with_type(TokenType::UserDefined);
        let mut user_defined = collected(user_defined.clone().count(), user_defined)?;
        sort_by(&mut user_defined, &|a, b| vocabulary.texts.get(a).cmp(vocabulary.texts.get(b)));
        Ok(Self {
            charsmap: Charsmap::new(header)?,
            tokens: Subset::new(trie, &|id| Self::is_used(vocabulary, id))?,
            user_defined,
            unknown: unknown.unwrap_or(NONE),
            unknown_score: lowest - UNKNOWN_PENALTY,
            adds_prefix,
            merges_spaces: metadata::flag(header, "tokenizer.ggml.remove_extra_whitespaces")?.unwrap_or(false),
        })
    }

    /// Adds the tokens of a part of a text.
    pub fn encode(
        &self,
        vocabulary: &Vocabulary,
        trie: &Trie,
        text: &[u8],
        range: Range<usize>,
        output: &mut Output,
    ) -> Result<(), TokenizerError> {
        let text = self.normalized(vocabulary, text, range)?;
        let len = text.bytes.len();
        if len == 0 {
            return Ok(());
        }
        let best = self.best(vocabulary, trie, &text.bytes)?;
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
    fn best(&self, vocabulary: &Vocabulary, trie: &Trie, text: &[u8]) -> Result<Vec<Best>, TokenizerError> {
        const UNREACHED: Best = Best { score: f64::MIN, id: 0, start: usize::MAX };
        let mut best = vec![UNREACHED; text.len() + 1];
        best[0].score = 0.0;
        let longest = trie.longest_from_each(&vocabulary.texts, text);
        let mut steps = text.len().saturating_mul(STEPS_PER_BYTE as usize);
        let mut start = 0;
        while start < text.len() {
            let end = text.len().min(start + length_in_utf8(text[start]));
            let before = best[start];
            let mut is_known = false;
            for rank in self.tokens.beginnings(trie, longest[start]) {
                steps = steps.checked_sub(1).ok_or(TokenizerError::TooManySteps(STEPS_PER_BYTE))?;
                let id = trie.number(rank);
                let end_of_token = start + vocabulary.texts.get(id).len();
                is_known |= end_of_token == end;
                let is_user_defined = vocabulary.attributes(id).has(Attributes::USER_DEFINED);
                let score = if is_user_defined { 0.0 } else { f64::from(vocabulary.score(id)) };
                improve(&mut best[end_of_token], Best { score: before.score + score, id, start });
            }
            if !is_known {
                let score = before.score + f64::from(self.unknown_score);
                improve(&mut best[end], Best { score, id: self.unknown, start });
            }
            if best[end].start == usize::MAX {
                // Scores that are infinite or no numbers improve nothing. llama.cpp then forgets all tokens before.
                best[end] = Best { id: self.unknown, start: 0, ..UNREACHED };
            }
            start = end;
        }
        Ok(best)
    }

    /// A part of a text with its replacements and visible spaces.
    fn normalized(&self, vocabulary: &Vocabulary, text: &[u8], range: Range<usize>) -> Result<Mapped, TokenizerError> {
        let mut mapped = Mapped::ending_at(range.end);
        let (mut is_in_word, mut has_prefix) = (false, false);
        let mut at = range.start;
        while at < range.end {
            let (replacement, len) = self.replacement(vocabulary, &text[at..range.end])?;
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

    /// The replacement of a prefix of the text, and the length of this prefix.
    fn replacement<'a>(&'a self, vocabulary: &Vocabulary, text: &'a [u8]) -> Result<(&'a [u8], usize), TokenizerError> {
        let user_defined = self.in_user_defined(vocabulary, text);
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

    /// The length of the longest prefix that `text` shares with a user-defined token.
    fn in_user_defined(&self, vocabulary: &Vocabulary, text: &[u8]) -> usize {
        let token = |place: usize| self.user_defined.get(place).map(|id| vocabulary.texts.get(*id));
        let shared = |token: &[u8]| token.iter().zip(text).take_while(|(a, b)| a == b).count();
        // In the sorted list, the tokens that share the longest prefix with the text are next to the place of the text.
        let place = self.user_defined.partition_point(|id| vocabulary.texts.get(*id) < text);
        let [before, after] = [place.checked_sub(1).and_then(token), token(place)];
        before.map_or(0, shared).max(after.map_or(0, shared))
    }
}

/// Takes new tokens only if they are better.
fn improve(best: &mut Best, new: Best) {
    if new.score > best.score {
        *best = new;
    }
}
