//! Vocabularies of any size: tokens that are all different, and about as long as real tokens.

use gguf_format::ValueType;

use super::builder::Builder;
use crate::sample::words;

/// A syllable is one of the consonants and one of the vowels. So a word can be divided into syllables in one way only.
struct Script {
    consonants: &'static str,
    vowels: &'static str,
}

const LATIN: Script = Script {
    consonants: "t n s r l d m c p b g f v w h k j z st tr ch th pl gr br sh",
    vowels: "e a i o u y ea io ou ai ee oo",
};

const CYRILLIC: Script = Script {
    consonants: "т н с р л д м к п б г ф в з х ч ж ш ц щ ст тр пр ск гр кр",
    vowels: "е а и о у ы я ё ю э ей ой",
};

/// The spelling of spaces and of characters that are not ASCII.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spelling {
    /// SentencePiece: ▁ stands for a space, other text is unchanged.
    Pieces,
    /// The byte-level alphabet of GPT-2: one character for each byte, Ġ for a space.
    Bytes,
}

/// A numbered list of words.
struct Words {
    space: &'static str,
    /// The spelled syllables. The second script has fewer words.
    scripts: [Vec<String>; 2],
    /// The spelled syllables with a capital letter.
    capitalised: [Vec<String>; 2],
}

/// The forms of a word: with and without a space before it, with and without a capital letter.
const FORMS: usize = 4;

impl Words {
    fn new(spelling: Spelling) -> Self {
        let spelled = |text: String| match spelling {
            Spelling::Pieces => text,
            Spelling::Bytes => text.bytes().map(byte_level).collect(),
        };
        let scripts = [LATIN, CYRILLIC].map(|script| script.syllables());
        Self {
            space: if spelling == Spelling::Bytes { "Ġ" } else { "▁" },
            capitalised: scripts
                .clone()
                .map(|script| script.iter().map(|text| spelled(words::capitalised(text))).collect()),
            scripts: scripts.map(|script| script.into_iter().map(spelled).collect()),
        }
    }

    /// The number of words with one syllable, which come first.
    fn monosyllables(&self) -> usize {
        FORMS * self.scripts[0].len()
    }

    /// Appends word `number`: the number in a numeral system whose digits are syllables. It has no zero, so different numbers
    /// are different words.
    fn push(&self, number: usize, out: &mut Vec<u8>) {
        let (form, mut number) = (number % FORMS, number / FORMS);
        let script = usize::from(number % 32 == 31);
        if form & 1 == 0 {
            out.extend_from_slice(self.space.as_bytes());
        }
        let mut syllables = if form & 2 == 0 { &self.scripts[script] } else { &self.capitalised[script] };
        number += 1;
        while number > 0 {
            number -= 1;
            out.extend_from_slice(syllables[number % syllables.len()].as_bytes());
            number /= syllables.len();
            syllables = &self.scripts[script];
        }
    }
}

impl Script {
    fn syllables(&self) -> Vec<String> {
        let vowels = self.vowels.split(' ');
        vowels
            .flat_map(|vowel| self.consonants.split(' ').map(move |consonant| format!("{consonant}{vowel}")))
            .collect()
    }
}

/// The character that GPT-2 uses for a byte: the Latin-1 character if it is visible. The other bytes have the characters
/// from U+0100 on, in order.
fn byte_level(byte: u8) -> char {
    let code = match byte {
        0..=0x20 => 0x100 + u32::from(byte),
        0x7f..=0xa0 => 0x121 + u32::from(byte - 0x7f),
        0xad => 0x143,
        _ => u32::from(byte),
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The values of `tokenizer.ggml.token_type`: `llama_token_type`.
mod kind {
    pub const NORMAL: i32 = 1;
    pub const UNKNOWN: i32 = 2;
    pub const CONTROL: i32 = 3;
    pub const BYTE: i32 = 6;
}

/// A vocabulary, as the number of tokens of each kind.
pub struct Vocabulary {
    pub spelling: Spelling,
    /// The number of all tokens.
    pub tokens: usize,
    /// The number of control tokens at the end, which the text of a prompt never contains.
    pub control: usize,
}

impl Vocabulary {
    /// Adds the entries of the tokens and their types, and of the scores if the spelling has them.
    pub fn add_to(&self, header: &mut Builder) {
        let words = Words::new(self.spelling);
        let mut kinds = Vec::with_capacity(self.tokens);
        let array = header.array("tokenizer.ggml.tokens", ValueType::String, self.tokens);
        if self.spelling == Spelling::Pieces {
            for (token, kind) in [("<unk>", kind::UNKNOWN), ("<s>", kind::CONTROL), ("</s>", kind::CONTROL)] {
                array.string(token.as_bytes());
                kinds.push(kind);
            }
        }
        for byte in 0..=255 {
            match self.spelling {
                Spelling::Pieces => array.string(format!("<0x{byte:02X}>").as_bytes()),
                Spelling::Bytes => array.string(byte_level(byte).encode_utf8(&mut [0; 4]).as_bytes()),
            };
            kinds.push(if self.spelling == Spelling::Pieces { kind::BYTE } else { kind::NORMAL });
        }
        let mut text = Vec::new();
        for number in 0..self.tokens - self.control - kinds.len() {
            text.clear();
            words.push(number, &mut text);
            array.string(&text);
            kinds.push(kind::NORMAL);
        }
        for number in 0..self.control {
            array.string(format!("<|reserved_special_token_{number}|>").as_bytes());
            kinds.push(kind::CONTROL);
        }
        if self.spelling == Spelling::Pieces {
            let scores = header.array("tokenizer.ggml.scores", ValueType::Float32, self.tokens);
            for (id, &kind) in kinds.iter().enumerate() {
                scores.f32(if kind == kind::NORMAL { 259.0 - id as f32 } else { 0.0 });
            }
        }
        header.array("tokenizer.ggml.token_type", ValueType::Int32, self.tokens).i32s(&kinds);
    }
}

/// Adds an entry of `count` merges: different pairs of words.
pub fn add_merges(count: usize, header: &mut Builder) {
    let words = Words::new(Spelling::Bytes);
    let array = header.array("tokenizer.ggml.merges", ValueType::String, count);
    // The left and the right side have equally many words, just enough for all pairs. More than half of them have one
    // syllable, because the parts of a real merge have five bytes on average.
    let side = count.isqrt() + 1;
    let first = words.monosyllables().saturating_sub(side * 9 / 16);
    let mut text = Vec::new();
    for number in 0..count {
        text.clear();
        words.push(first + number % side, &mut text);
        text.push(b' ');
        words.push(first + number / side, &mut text);
        array.string(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_differ_and_are_as_long_as_real_ones() {
        let words = Words::new(Spelling::Bytes);
        let mut seen = HashSet::new();
        let mut bytes = 0;
        for number in 0..100_000 {
            let mut word = Vec::new();
            words.push(number, &mut word);
            bytes += word.len();
            assert!(seen.insert(word), "{number}");
        }
        assert!((600_000..750_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn the_byte_level_alphabet_has_256_characters() {
        let alphabet: HashSet<char> = (0..=255).map(byte_level).collect();
        assert_eq!(alphabet.len(), 256);
        assert_eq!([b' ', b'\n', b'a', 0x7f, 0xad].map(byte_level), ['Ġ', 'Ċ', 'a', 'ġ', 'Ń']);
    }
}
