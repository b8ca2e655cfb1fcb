//! Vocabularies of any size, fast: tokens that are all different and about as long as real ones.

use gguf_wasm::ValueType;

use super::builder::Builder;
use crate::sample::words;

/// A syllable is one of the consonants and one of the vowels; so a word falls into its syllables in
/// one way only.
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

/// How a vocabulary spells spaces and what is not ASCII.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spelling {
    /// SentencePiece: text as it is, ▁ for a space.
    Pieces,
    /// GPT-2's byte-level alphabet: a character for each byte, Ġ for a space.
    Bytes,
}

/// Words by number.
struct Words {
    space: &'static str,
    /// The syllables as they are spelled; the words of the second script are fewer.
    scripts: [Vec<String>; 2],
    /// The same with a capital letter.
    capitalised: [Vec<String>; 2],
}

/// With a space before it or not, with a capital letter or not.
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

    /// How many words of one syllable there are; they come first.
    fn monosyllables(&self) -> usize {
        FORMS * self.scripts[0].len()
    }

    /// Appends word `number`: its digits in a numeral system whose digits are syllables and which
    /// has no zero, so that different numbers are different words.
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

/// GPT-2's character for a byte: the one that it is in Latin-1 if that can be seen, and for the
/// others, in order, those from U+0100 on.
fn byte_level(byte: u8) -> char {
    let code = match byte {
        0..=0x20 => 0x100 + u32::from(byte),
        0x7f..=0xa0 => 0x121 + u32::from(byte - 0x7f),
        0xad => 0x143,
        _ => u32::from(byte),
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The kinds of token that `tokenizer.ggml.token_type` knows: `llama_token_type`.
mod kind {
    pub const NORMAL: i32 = 1;
    pub const UNKNOWN: i32 = 2;
    pub const CONTROL: i32 = 3;
    pub const BYTE: i32 = 6;
}

/// A vocabulary, described by how many tokens it has of which kind.
pub struct Vocabulary {
    pub spelling: Spelling,
    /// All tokens.
    pub tokens: usize,
    /// Those at the end that the text of a prompt never contains.
    pub control: usize,
}

impl Vocabulary {
    /// Adds the entries of the tokens and their types, and of the scores where the spelling has any.
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

/// Adds an entry of `count` merges: pairs of words, all different.
pub fn add_merges(count: usize, header: &mut Builder) {
    let words = Words::new(Spelling::Bytes);
    let array = header.array("tokenizer.ggml.merges", ValueType::String, count);
    // As many words on the left as on the right, so that the pairs just suffice; more than half of
    // them monosyllables, because the parts of a real merge have five bytes on average.
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
