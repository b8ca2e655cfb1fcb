//! The properties of characters, as llama.cpp's tokenizers know them: those of Unicode 15.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

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

/// The runs of characters with the same category. `build/categories.rs` says their form. They are a tenth of the table of the package that
/// they are made with.
const RUNS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/categories.bin"));

/// The characters of a page.
const PAGE: usize = 256;

/// The categories of all characters.
struct Pages {
    /// The page of each 256 characters. Pages with only one category are shared by those that follow each other.
    places: Vec<u16>,
    pages: Vec<[Category; PAGE]>,
}

static PAGES: OnceBox<Pages> = OnceBox::new();

impl Pages {
    fn new() -> Self {
        let mut all = Self { places: Vec::new(), pages: Vec::new() };
        let (mut page, mut filled) = ([Category::Unassigned; PAGE], 0);
        let mut runs = RUNS.iter();
        while let Some(first) = runs.next() {
            let category = CATEGORIES[usize::from(first & 7)];
            let mut left = usize::from(first >> 3) + 1;
            if left == 32 {
                let mut shift = 0;
                for byte in runs.by_ref() {
                    left += usize::from(byte & 0x7f) << shift;
                    shift += 7;
                    if byte & 0x80 == 0 {
                        break;
                    }
                }
            }
            while left > 0 {
                let count = left.min(PAGE - filled);
                page[filled..filled + count].fill(category);
                (filled, left) = (filled + count, left - count);
                if filled == PAGE {
                    all.add(page);
                    filled = 0;
                }
            }
        }
        all
    }

    fn add(&mut self, page: [Category; PAGE]) {
        if self.pages.last() != Some(&page) {
            self.pages.push(page);
        }
        self.places.push(self.pages.len() as u16 - 1);
    }
}

/// The category of a character.
pub(super) fn category(character: char) -> Category {
    let code = character as usize;
    let Pages { places, pages } = PAGES.get_or_init(|| Box::new(Pages::new()));
    let place = places.get(code / PAGE).copied().unwrap_or_default();
    pages.get(usize::from(place)).map_or(Category::Unassigned, |page| page[code % PAGE])
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
