//! Byte-pair encoding: the words of a text are split into bytes or characters, and neighbours are merged by rank.

use alloc::{collections::BinaryHeap, string::String, vec::Vec};
use core::cmp::Reverse;
use core::ops::Range;

use super::error::{TokenizerError, bad};
use super::merges::Merges;
use super::output::Output;
use super::source::{Mapped, VISIBLE_SPACE, to_characters};
use super::split::{Splitter, characters};
use super::texts::NONE;
use super::unicode::length_in_utf8;
use super::vocabulary::Vocabulary;
use crate::pre_tokenizers::PreTokenizer;
use gguf_format::format::header::Header;

/// The first of the characters that stand for bytes which are no visible characters of Latin-1.
const FIRST_SUBSTITUTE: u32 = 0x100;

/// The longest text of a token that is repeated for each of its characters that stands for no byte, as llama.cpp does. For a
/// longer text, which only a hostile file has, the result could be larger than the memory.
const LONGEST_REPEATED: usize = 256;

/// The tokenizers `gpt2` and `gemma4`.
pub(super) struct BytePairs {
    splitter: Splitter,
    merges: Merges,
    ignores_merges: bool,
    /// Whether tokens are written with a visible character for each byte. Otherwise they are plain text with visible spaces.
    has_byte_characters: bool,
    /// Whether a word of line breaks that is a token stays whole.
    keeps_line_breaks: bool,
    /// Whether each line begins with a visible space.
    begins_lines: bool,
    /// The text of each byte in tokens: a character.
    characters: Vec<char>,
    /// The piece of the character of each byte.
    byte_pieces: Vec<u32>,
    /// The token for each byte of a text that is no token. [`NONE`] if the byte is left out.
    byte_tokens: Vec<u32>,
}

/// A part of a word.
struct Symbol {
    piece: u32,
    /// The range in the word. Empty once the symbol has been merged into the previous symbol.
    range: Range<u32>,
    previous: u32,
    next: u32,
}

/// Two neighbours that may be merged. The lowest rank comes first, then the leftmost pair.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u32,
    left: u32,
    right: u32,
    /// The end of the right one. It is another if one of them has been merged since.
    end: u32,
    piece: u32,
}

/// The memory that words share.
#[derive(Default)]
struct Workspace {
    symbols: Vec<Symbol>,
    queue: BinaryHeap<Reverse<Candidate>>,
}

impl BytePairs {
    pub fn new(header: &Header, vocabulary: &Vocabulary, pre: &PreTokenizer) -> Result<Self, TokenizerError> {
        let merges = match Merges::new(header, &vocabulary.texts)? {
            Some(merges) => merges,
            // The only pre-tokenizer whose models may have no merges.
            None if pre.name == "kimi-k2" => Merges::default(),
            None => {
                return Err(bad(
                    "the file has no merges: tokenizer.ggml.merges is missing, and llama.cpp refuses the file.",
                ));
            }
        };
        let splitter =
            Splitter::new(pre.rules).ok_or_else(|| TokenizerError::UnsupportedPreTokenizer(String::from(pre.name)))?;
        let has_byte_characters = !matches!(pre.rules, "gemma4" | "sarvam" | "mmbert");
        let characters = byte_characters();
        let texts = &vocabulary.texts;
        let byte_piece = |character: &char| merges.piece(texts, character.encode_utf8(&mut [0; 4]).as_bytes());
        let byte_token = |byte: u8| {
            if has_byte_characters { texts.find(&[byte]) } else { vocabulary.byte_token(byte) }
        };
        Ok(Self {
            byte_pieces: characters.iter().map(byte_piece).collect(),
            byte_tokens: (0..=255).map(|byte| byte_token(byte).unwrap_or(NONE)).collect(),
            ignores_merges: pre.ignores_merges,
            keeps_line_breaks: matches!(pre.rules, "gemma4" | "mmbert"),
            begins_lines: pre.rules == "mmbert",
            characters,
            has_byte_characters,
            splitter,
            merges,
        })
    }

    /// Whether tokens are plain text with visible spaces.
    pub fn has_visible_spaces(&self) -> bool {
        !self.has_byte_characters
    }

    /// Adds the tokens of a part of a text.
    pub fn encode(&self, vocabulary: &Vocabulary, text: &[u8], range: Range<usize>, output: &mut Output) {
        if !self.begins_lines {
            return self.encode_part(vocabulary, text, range, false, output);
        }
        let mut start = range.start;
        for run in text[range].chunk_by(|a, b| (*a == b'\n') == (*b == b'\n')) {
            let is_begun = run[0] == b'\n' || run[0] == b' ' || run.starts_with(VISIBLE_SPACE.as_bytes());
            self.encode_part(vocabulary, text, start..start + run.len(), !is_begun, output);
            start += run.len();
        }
    }

    /// Adds the tokens of a part of a text. With `has_prefix`, a visible space is put before it.
    fn encode_part(
        &self,
        vocabulary: &Vocabulary,
        text: &[u8],
        range: Range<usize>,
        has_prefix: bool,
        output: &mut Output,
    ) {
        let bytes = &text[range.clone()];
        if self.has_byte_characters
            && let Ok(text) = core::str::from_utf8(bytes)
        {
            self.encode_text(vocabulary, text, &|position| range.start + position, output);
            return;
        }
        let mapped = if self.has_byte_characters {
            Mapped::ending_at(range.end).with_bytes(bytes, range.start)
        } else {
            Mapped::with_visible_spaces(text, &range, has_prefix)
        };
        let text = to_characters(&mapped.bytes);
        if text.len() == mapped.bytes.len() {
            self.encode_text(vocabulary, &text, &|position| mapped.origin(position), output);
            return;
        }
        // A token that was found before ends within a character. Its other bytes become U+FFFD.
        let mut replaced = Mapped::ending_at(mapped.end);
        let mut at = 0;
        for chunk in mapped.bytes.utf8_chunks() {
            for byte in chunk.valid().bytes() {
                replaced.push(&[byte], mapped.origin(at));
                at += 1;
            }
            for _ in chunk.invalid() {
                replaced.push("\u{FFFD}".as_bytes(), mapped.origin(at));
                at += 1;
            }
        }
        self.encode_text(vocabulary, &text, &|position| replaced.origin(position), output);
    }

    fn encode_text(&self, vocabulary: &Vocabulary, text: &str, origin: &dyn Fn(usize) -> usize, output: &mut Output) {
        let characters = characters(text);
        let mut start = 0;
        let mut first = 0;
        let end_in_bytes = |end: usize| {
            start += characters[first..end].iter().map(|found| usize::from(found.length)).sum::<usize>();
            first = end;
            start
        };
        let ends = self.splitter.word_ends(&characters).into_iter().map(end_in_bytes);
        self.encode_words(vocabulary, text, ends, origin, output);
    }

    /// Adds the tokens of a text that is split into words. `ends` are their ends, in bytes.
    pub fn encode_words(
        &self,
        vocabulary: &Vocabulary,
        text: &str,
        ends: impl Iterator<Item = usize>,
        origin: &dyn Fn(usize) -> usize,
        output: &mut Output,
    ) {
        let mut workspace = Workspace::default();
        let mut start = 0;
        for end in ends {
            let word = start..end;
            self.encode_word(vocabulary, &text.as_bytes()[word.clone()], &mut workspace);
            for symbol in workspace.symbols.iter().filter(|symbol| !symbol.range.is_empty()) {
                self.push(vocabulary, text.as_bytes(), symbol, start, origin, output);
            }
            start = end;
        }
    }

    /// Splits a word into symbols.
    fn encode_word(&self, vocabulary: &Vocabulary, word: &[u8], workspace: &mut Workspace) {
        let Workspace { symbols, queue } = workspace;
        symbols.clear();
        queue.clear();
        if self.ignores_merges || (self.keeps_line_breaks && word.iter().all(|byte| *byte == b'\n')) {
            let whole = if self.has_byte_characters {
                vocabulary.texts.find(self.spelled(word).as_bytes())
            } else {
                vocabulary.texts.find(word)
            };
            if let Some(piece) = whole {
                symbols.push(Symbol { piece, range: 0..word.len() as u32, previous: NONE, next: NONE });
                return;
            }
        }
        let mut at = 0;
        while let Some(first) = word.get(at) {
            let (piece, end) = if self.has_byte_characters {
                (self.byte_pieces[usize::from(*first)], at + 1)
            } else {
                let end = word.len().min(at + length_in_utf8(*first));
                (self.merges.piece(&vocabulary.texts, &word[at..end]), end)
            };
            let index = symbols.len() as u32;
            let next = if end < word.len() { index + 1 } else { NONE };
            symbols.push(Symbol {
                piece,
                range: at as u32..end as u32,
                previous: index.checked_sub(1).unwrap_or(NONE),
                next,
            });
            at = end;
        }
        for right in 1..symbols.len() as u32 {
            self.add_candidate(symbols, queue, right - 1, right);
        }
        while let Some(Reverse(candidate)) = queue.pop() {
            let [left, right] = [candidate.left, candidate.right].map(|index| &symbols[index as usize]);
            if left.range.is_empty() || right.range.is_empty() || right.range.end != candidate.end {
                continue;
            }
            let next = right.next;
            symbols[candidate.right as usize].range = 0..0;
            let left = &mut symbols[candidate.left as usize];
            left.range.end = candidate.end;
            left.piece = candidate.piece;
            left.next = next;
            let previous = left.previous;
            if let Some(next) = symbols.get_mut(next as usize) {
                next.previous = candidate.left;
            }
            self.add_candidate(symbols, queue, previous, candidate.left);
            self.add_candidate(symbols, queue, candidate.left, next);
        }
    }

    fn add_candidate(&self, symbols: &[Symbol], queue: &mut BinaryHeap<Reverse<Candidate>>, left: u32, right: u32) {
        let (Some(first), Some(second)) = (symbols.get(left as usize), symbols.get(right as usize)) else { return };
        if let Some(merge) = self.merges.find(first.piece, second.piece) {
            let end = second.range.end;
            queue.push(Reverse(Candidate { rank: merge.rank, left, right, end, piece: merge.piece }));
        }
    }

    /// Adds the token of a symbol of the word that begins at `start`. If there is no such token, adds the tokens of its bytes.
    fn push(
        &self,
        vocabulary: &Vocabulary,
        text: &[u8],
        symbol: &Symbol,
        start: usize,
        origin: &dyn Fn(usize) -> usize,
        output: &mut Output,
    ) {
        let range = start + symbol.range.start as usize..start + symbol.range.end as usize;
        if symbol.piece < vocabulary.len() {
            output.push(symbol.piece, origin(range.end));
            return;
        }
        let mut push_byte = |byte: u8, end| {
            let id = self.byte_tokens[usize::from(byte)];
            if id != NONE {
                output.push(id, origin(end));
            }
        };
        for at in range {
            if self.has_byte_characters {
                // llama.cpp looks for the bytes of the character that stands for the byte.
                let character = self.characters[usize::from(text[at])];
                character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_byte(byte, at + 1));
            } else {
                push_byte(text[at], at + 1);
            }
        }
    }

    /// A word as tokens write it: with a character for each byte.
    fn spelled(&self, word: &[u8]) -> String {
        word.iter().map(|byte| self.characters[usize::from(*byte)]).collect()
    }

    /// The bytes for which the text of a token stands.
    pub fn decoded(&self, text: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        for character in to_characters(text).chars() {
            match byte_of_character(character) {
                Some(byte) => bytes.push(byte),
                None => {
                    // This is what llama.cpp writes.
                    bytes.extend_from_slice(b"[UNK_BYTE_0x");
                    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                        bytes.extend_from_slice(alloc::format!("{byte:02x}").as_bytes());
                    }
                    if text.len() <= LONGEST_REPEATED {
                        bytes.extend_from_slice(text);
                    }
                    bytes.push(b']');
                }
            }
        }
        bytes
    }
}

/// The visible character that stands for each byte: the same one in Latin-1 if it is visible there, otherwise one of those
/// that follow after Latin-1.
fn byte_characters() -> Vec<char> {
    let mut substitutes = (FIRST_SUBSTITUTE..).filter_map(char::from_u32);
    let mut character = |byte: u8| match byte {
        0x21..=0x7E | 0xA1..=0xAC | 0xAE.. => char::from(byte),
        _ => substitutes.next().unwrap_or_default(),
    };
    (0..=255).map(&mut character).collect()
}

/// The byte that a character of [`byte_characters`] stands for.
#[doc(hidden)]
pub fn byte_of_character(character: char) -> Option<u8> {
    let code = u32::from(character);
    // The substitutes stand for the bytes that are not visible, in their order.
    let byte = match code {
        0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF => code,
        0x100..=0x120 => code - 0x100,
        0x121..=0x142 => code - 0x121 + 0x7F,
        0x143 => 0xAD,
        _ => return None,
    };
    Some(byte as u8)
}

#[cfg(test)]
mod tests {
    use super::{byte_characters, byte_of_character};

    #[test]
    fn a_character_stands_for_the_byte_that_it_was_made_of() {
        let characters = byte_characters();
        for code in 0..0x400 {
            let character = char::from_u32(code).unwrap();
            let byte = characters.iter().position(|known| *known == character).map(|byte| byte as u8);
            assert_eq!(byte_of_character(character), byte, "{code:x}");
        }
    }
}
