//! The properties of characters, as llama.cpp's tokenizers know them: those of Unicode 15.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use crate::categories::Pages;

/// The groups of Unicode's general categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Category {
    Letter,
    Number,
    Mark,
    Punctuation,
    Symbol,
    Separator,
    /// Control characters, format characters, surrogates and private use.
    Control,
    Unassigned,
}

/// The categories in the order of the numbers in [`RUNS`].
const CATEGORIES: [Category; 8] = [
    Category::Letter,
    Category::Number,
    Category::Mark,
    Category::Punctuation,
    Category::Symbol,
    Category::Separator,
    Category::Control,
    Category::Unassigned,
];

/// The runs of characters of the same group. `build/categories.rs` says their form.
const RUNS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/groups.bin"));

/// The lowest bits of a run that are the number of its group.
const BITS: u32 = 3;

static PAGES: OnceBox<Pages> = OnceBox::new();

/// The category of a character.
pub(super) fn category(character: char) -> Category {
    CATEGORIES[usize::from(PAGES.get_or_init(|| Box::new(Pages::new(RUNS, BITS))).number(character) & 7)]
}

/// Han characters, as the pre-tokenizer of Kimi K2 knows them.
pub(super) fn is_han(code: u32) -> bool {
    matches!(code, 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2A6DF | 0x2A700..=0x2EBEF | 0x2F800..=0x2FA1F)
}

/// The length of a character in UTF-8 that begins with a byte, as llama.cpp reads it: invalid bytes have one, too.
pub(super) fn length_in_utf8(first: u8) -> usize {
    match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_general_category::{GeneralCategory as G, get_general_category};

    #[test]
    fn each_character_has_the_category_of_unicode_15() {
        let mut newer = 0;
        for character in '\0'..=char::MAX {
            let expected = match get_general_category(character) {
                G::UppercaseLetter | G::LowercaseLetter | G::TitlecaseLetter | G::ModifierLetter | G::OtherLetter => 0,
                G::DecimalNumber | G::LetterNumber | G::OtherNumber => 1,
                G::NonspacingMark | G::SpacingMark | G::EnclosingMark => 2,
                G::MathSymbol | G::CurrencySymbol | G::ModifierSymbol | G::OtherSymbol => 4,
                G::SpaceSeparator | G::LineSeparator | G::ParagraphSeparator => 5,
                G::Control | G::Format | G::PrivateUse | G::Surrogate => 6,
                G::Unassigned => 7,
                _ => 3,
            };
            let found = category(character);
            if found != CATEGORIES[expected] {
                assert_eq!(found, Category::Unassigned, "{character:?}");
                newer += 1;
            }
        }
        // The characters that Unicode 16 added.
        assert_eq!(newer, 5185);
    }
}
