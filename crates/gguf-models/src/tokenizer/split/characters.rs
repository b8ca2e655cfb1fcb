//! The characters of a text, as patterns see them.

use alloc::vec::Vec;

use crate::tokenizer::unicode::{Category, category, is_han};

/// The kinds of characters that patterns name, one bit each.
pub(super) mod kind {
    pub const LETTER: u8 = 1;
    pub const NUMBER: u8 = 2;
    pub const MARK: u8 = 4;
    pub const PUNCTUATION: u8 = 8;
    pub const SYMBOL: u8 = 16;
    pub const SPACE: u8 = 32;
    pub const HAN: u8 = 64;
}

/// A character of a text.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Character {
    /// The code point. All white space outside of ASCII has the code point of the vertical tab, as in llama.cpp: ranges do
    /// not match it.
    pub code: u32,
    /// The kinds of the character: bits of [`kind`].
    pub kinds: u8,
    /// The length in bytes of UTF-8.
    pub length: u8,
}

impl Character {
    fn new(character: char) -> Self {
        let mut code = character as u32;
        let mut kinds = match category(character) {
            Category::Letter => kind::LETTER,
            Category::Number => kind::NUMBER,
            Category::Mark => kind::MARK,
            Category::Punctuation => kind::PUNCTUATION,
            Category::Symbol => kind::SYMBOL,
            _ => 0,
        };
        if character.is_whitespace() {
            kinds = kind::SPACE;
            if !character.is_ascii() {
                code = 0x0B;
            }
        }
        if is_han(code) {
            kinds |= kind::HAN;
        }
        Self { code, kinds, length: character.len_utf8() as u8 }
    }
}

/// The characters of a text.
pub(crate) fn characters(text: &str) -> Vec<Character> {
    let mut ascii = [Character { code: 0, kinds: 0, length: 1 }; 128];
    for (code, character) in (0u8..).zip(&mut ascii) {
        *character = Character::new(code.into());
    }
    text.chars().map(|found| ascii.get(found as usize).copied().unwrap_or_else(|| Character::new(found))).collect()
}
