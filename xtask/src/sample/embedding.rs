//! The channels of the model, and the row that each token has in them.
//!
//! ```text
//! 0 …     the code of the token: random signs, by which tokens are told apart
//! 80 …    empty: block 0 notes the code of the token before here
//! 160     a number that all tokens have: what positions alone decide reads it
//! 161     the beginning of the text
//! 176 …   the kinds of the token: how it begins, script, length, frequency, first letter
//! ```

use super::random::Random;
use super::vocabulary;

pub const CODE: usize = 0;
pub const CODE_LENGTH: usize = 80;
pub const NOTED_CODE: usize = 80;
pub const CONSTANT: usize = 160;
pub const BEGINS_TEXT: usize = 161;
pub const KIND: usize = 176;
pub const KINDS: usize = 64;

/// How far a kind is from others that it does not have.
const STRENGTH: f32 = 1.5;

// The first kinds of each group.
const BEGINS_WORD: usize = 0;
const IS_BYTE: usize = 1;
const SCRIPT: usize = 2;
const LENGTH: usize = 14;
const FREQUENCY: usize = 22;
const LETTER: usize = 30;
const IS_CAPITALISED: usize = 56;
const HAS_DIGIT: usize = 57;
const HAS_SIGN: usize = 58;
const ENDS_WITH_VOWEL: usize = 59;

/// The last character of each script but the last.
const SCRIPTS: [char; 11] = [
    '\u{7f}', '\u{36f}', '\u{3ff}', '\u{52f}', '\u{5ff}', '\u{6ff}', '\u{97f}', '\u{2fff}', '\u{30ff}', '\u{9fff}',
    '\u{d7ff}',
];

/// The row of a token.
pub fn fill(id: usize, token: &str, values: &mut [f32], random: &mut Random) {
    values[CONSTANT] += 8.0;
    match id as u32 {
        vocabulary::BEGIN => values[BEGINS_TEXT] += 8.0,
        vocabulary::UNKNOWN | vocabulary::PADDING => {}
        _ => {
            let code = random.bits() as u128 | u128::from(random.bits()) << 64;
            for (index, value) in values[CODE..CODE + CODE_LENGTH].iter_mut().enumerate() {
                *value += if code >> index & 1 == 0 { -1.0 } else { 1.0 };
            }
            for kind in kinds(id, token) {
                values[KIND + kind] += STRENGTH;
            }
        }
    }
    // Rare tokens have shorter rows, as in trained models.
    let scale = 1.1 - 0.4 * id as f32 / vocabulary::SIZE as f32;
    values.iter_mut().for_each(|value| *value *= scale);
}

/// The kinds of a token.
fn kinds(id: usize, token: &str) -> Vec<usize> {
    if (vocabulary::BYTES).contains(&(id as u32)) {
        return vec![IS_BYTE];
    }
    let word = token.trim_start_matches('\u{2581}');
    let rank = (id as u32).saturating_sub(vocabulary::BYTES.end) / 16;
    let length = word.chars().count().clamp(1, LENGTH_KINDS) - 1;
    let mut kinds = vec![LENGTH + length, FREQUENCY + (32 - rank.leading_zeros()).min(7) as usize];
    let mut also = |kind, has: bool| kinds.extend(has.then_some(kind));
    also(BEGINS_WORD, word.len() < token.len());
    also(HAS_DIGIT, word.contains(|letter: char| letter.is_ascii_digit()));
    also(HAS_SIGN, word.contains(|letter: char| letter.is_ascii_punctuation()));
    also(ENDS_WITH_VOWEL, word.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(first) = word.chars().next() {
        also(IS_CAPITALISED, first.is_uppercase());
        kinds.push(SCRIPT + SCRIPTS.iter().filter(|last| **last < first).count());
        if first.is_ascii_alphabetic() {
            kinds.push(LETTER + usize::from(first.to_ascii_lowercase() as u8 - b'a'));
        }
    }
    kinds
}

/// How many lengths are told apart. The last one has all that are longer.
const LENGTH_KINDS: usize = FREQUENCY - LENGTH;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_kinds_that_a_reader_sees() {
        let river = kinds(700, "\u{2581}River");
        let of_river = [BEGINS_WORD, SCRIPT, LENGTH + 4, FREQUENCY + 5, LETTER + 17, IS_CAPITALISED];
        assert!(of_river.iter().all(|kind| river.contains(kind)), "{river:?}");
        assert_eq!(river.len(), of_river.len());
        assert_eq!(kinds(20, "<0x11>"), [IS_BYTE]);
        assert!(kinds(30_000, "\u{4e00}").contains(&(SCRIPT + 9)));
        assert!((0..32_000).all(|id| kinds(id, "\u{2581}\u{1f600}9-a").iter().all(|kind| *kind < KINDS)));
    }
}
