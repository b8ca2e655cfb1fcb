//! The tokenizer `bert`: words are simplified, and then split into the longest tokens from their beginning.

use alloc::vec::Vec;
use core::ops::Range;

use super::error::{TokenizerError, no_unknown};
use super::output::Output;
use super::simplified::simplified;
use super::source::{Mapped, VISIBLE_SPACE};
use super::texts::NONE;
use super::trie::Trie;
use super::unicode::{Category, category};
use super::vocabulary::Vocabulary;

/// The tokenizer `bert`.
pub(super) struct WordPiece {
    /// The texts of all tokens, from their last byte to their first.
    reversed: Trie,
    /// The token for words that no tokens make up.
    unknown: Option<u32>,
}

impl WordPiece {
    pub fn new(vocabulary: &Vocabulary, unknown: Option<u32>) -> Self {
        let texts: Vec<Vec<u8>> =
            (0..vocabulary.len()).map(|id| vocabulary.texts.get(id).iter().rev().copied().collect()).collect();
        let reversed = Trie::new((0..).zip(&texts).map(|(id, text)| (text.as_slice(), id)).collect());
        Self { reversed, unknown }
    }

    /// Adds the tokens of a part of a text.
    pub fn encode(
        &self,
        vocabulary: &Vocabulary,
        text: &[u8],
        range: Range<usize>,
        output: &mut Output,
    ) -> Result<(), TokenizerError> {
        let mut word = Mapped::default();
        let mut at = range.start;
        // A character that is part of no character of UTF-8 is left out, as U+FFFD is.
        for chunk in text[range].utf8_chunks() {
            for character in chunk.valid().chars() {
                let end = at + character.len_utf8();
                let simple = simplified(character);
                match role(simple) {
                    Role::Space => self.finish(vocabulary, &mut word, output)?,
                    Role::Nothing => {}
                    Role::Word => {
                        self.finish(vocabulary, &mut word, output)?;
                        add(&mut word, simple, at, end);
                        self.finish(vocabulary, &mut word, output)?;
                    }
                    Role::PartOfWord => add(&mut word, simple, at, end),
                }
                at = end;
            }
            at += chunk.invalid().len();
        }
        self.finish(vocabulary, &mut word, output)
    }

    /// Adds the tokens of a word, if it is not empty, and begins the next one.
    fn finish(&self, vocabulary: &Vocabulary, word: &mut Mapped, output: &mut Output) -> Result<(), TokenizerError> {
        if word.bytes.is_empty() {
            return Ok(());
        }
        let mut longest: Vec<_> = Vec::with_capacity(word.bytes.len());
        let mut pass = self.reversed.pass();
        longest.extend(word.bytes.iter().rev().map(|byte| pass.next(*byte).next().unwrap_or(NONE)));
        longest.reverse();
        let first = output.ids.len();
        let mut at = 0;
        while let Some(id) = longest.get(at) {
            if *id == NONE {
                // The whole word is unknown.
                output.ids.truncate(first);
                output.ends.truncate(first);
                output.push(self.unknown.ok_or_else(no_unknown)?, word.end);
                break;
            }
            at += vocabulary.texts.get(*id).len();
            output.push(*id, word.origin(at));
        }
        *word = Mapped::default();
        Ok(())
    }
}

/// Adds a character to a word.
fn add(word: &mut Mapped, character: char, at: usize, end: usize) {
    if word.bytes.is_empty() {
        word.push(VISIBLE_SPACE.as_bytes(), at);
    }
    word.push(character.encode_utf8(&mut [0; 4]).as_bytes(), at);
    word.end = end;
}

/// What a character is for the words around it.
enum Role {
    Space,
    /// The character is left out.
    Nothing,
    /// The character is a word of its own.
    Word,
    PartOfWord,
}

fn role(character: char) -> Role {
    if character.is_whitespace() {
        return Role::Space;
    }
    let is_ascii_symbol = character.is_ascii() && character != '\x7F';
    match category(character) {
        Category::Control => Role::Nothing,
        _ if matches!(character, '\0' | char::REPLACEMENT_CHARACTER) => Role::Nothing,
        Category::Punctuation => Role::Word,
        Category::Symbol if is_ascii_symbol => Role::Word,
        _ if is_chinese(character) => Role::Word,
        _ => Role::PartOfWord,
    }
}

/// Chinese characters, as the tokenizer of BERT knows them.
fn is_chinese(character: char) -> bool {
    matches!(
        u32::from(character),
        0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0x2F800..=0x2FA1F
    )
}
