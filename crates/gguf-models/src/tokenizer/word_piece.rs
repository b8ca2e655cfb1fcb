//! The tokenizer `bert`: words are normalised, and then split into the longest tokens from their beginning.

use core::ops::Range;

use super::decomposition::first_of_decomposition;
use super::error::{TokenizerError, no_unknown};
use super::lower_case::lower_case;
use super::metadata;
use super::output::Output;
use super::source::{Mapped, VISIBLE_SPACE};
use super::texts::NONE;
use super::trie::Trie;
use super::unicode::{Category, category};
use super::vocabulary::Vocabulary;
use gguf_format::format::header::Header;

/// The tokenizer `bert`.
pub(super) struct WordPiece {
    /// The token for words that no tokens make up.
    unknown: Option<u32>,
    normalizer: Normalizer,
}

/// What happens to the characters of a text.
pub(super) struct Normalizer {
    lowers_case: bool,
    /// Characters are decomposed, and combining marks are left out.
    strips_accents: bool,
}

impl Normalizer {
    pub fn new(header: &Header) -> Result<Self, TokenizerError> {
        let lowers_case = metadata::flag(header, "tokenizer.ggml.normalizer.lowercase")?.unwrap_or(true);
        let strips_accents = metadata::flag(header, "tokenizer.ggml.normalizer.strip_accents")?;
        Ok(Self { lowers_case, strips_accents: strips_accents.unwrap_or(lowers_case) })
    }

    /// The normal form of a character, and what it is for the words around it.
    fn normalized(&self, character: char) -> (char, Role) {
        let decomposed = if self.strips_accents { first_of_decomposition(character) } else { character };
        let role = match role(decomposed) {
            Role::Accent if self.strips_accents => Role::Nothing,
            Role::Accent => Role::PartOfWord,
            role => role,
        };
        (if self.lowers_case { lower_case(decomposed) } else { decomposed }, role)
    }
}

impl WordPiece {
    pub fn new(unknown: Option<u32>, normalizer: Normalizer) -> Self {
        Self { unknown, normalizer }
    }

    /// Adds the tokens of a part of a text. `trie` has all tokens.
    pub fn encode(
        &self,
        vocabulary: &Vocabulary,
        trie: &Trie,
        text: &[u8],
        range: Range<usize>,
        output: &mut Output,
    ) -> Result<(), TokenizerError> {
        let mut word = Mapped::default();
        let mut at = range.start;
        // Bytes that are not valid UTF-8 are dropped, and so is U+FFFD.
        for chunk in text[range].utf8_chunks() {
            for character in chunk.valid().chars() {
                let end = at + character.len_utf8();
                let (normal, role) = self.normalizer.normalized(character);
                match role {
                    Role::Space => self.finish(vocabulary, trie, &mut word, output)?,
                    Role::Nothing => {}
                    Role::Word => {
                        self.finish(vocabulary, trie, &mut word, output)?;
                        add(&mut word, normal, at, end);
                        self.finish(vocabulary, trie, &mut word, output)?;
                    }
                    Role::Accent | Role::PartOfWord => add(&mut word, normal, at, end),
                }
                at = end;
            }
            at += chunk.invalid().len();
        }
        self.finish(vocabulary, trie, &mut word, output)
    }

    /// Adds the tokens of a word, if it is not empty, and begins the next one.
    fn finish(
        &self,
        vocabulary: &Vocabulary,
        trie: &Trie,
        word: &mut Mapped,
        output: &mut Output,
    ) -> Result<(), TokenizerError> {
        if word.bytes.is_empty() {
            return Ok(());
        }
        let longest = trie.longest_from_each(&vocabulary.texts, &word.bytes);
        let first = output.ids.len();
        let mut at = 0;
        while let Some(rank) = longest.get(at) {
            if *rank == NONE {
                // The whole word is unknown.
                output.ids.truncate(first);
                output.ends.truncate(first);
                output.push(self.unknown.ok_or_else(no_unknown)?, word.end);
                break;
            }
            let id = trie.number(*rank);
            at += vocabulary.texts.get(id).len();
            output.push(id, word.origin(at));
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
    /// The character is a combining mark.
    Accent,
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
        Category::Mark => Role::Accent,
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
