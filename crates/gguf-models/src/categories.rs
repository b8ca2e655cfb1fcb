//! The general categories of characters: those of Unicode 16.

use alloc::{boxed::Box, vec::Vec};

use once_cell::race::OnceBox;

/// The short names of the general categories, as regular expressions have them: `"Lu"`.
pub const CATEGORIES: [&str; 30] = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
];

/// The runs of characters with the same category. `build/categories.rs` says their form. They are a tenth of the table of the package that
/// they are made with.
const RUNS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/categories.bin"));

/// The lowest bits of a run that are the number of its category.
const BITS: u32 = 5;

static PAGES: OnceBox<Pages> = OnceBox::new();

/// The place of the category of a character in [`CATEGORIES`].
///
/// # Examples
///
/// ```
/// use gguf_models::categories::{CATEGORIES, category};
///
/// assert_eq!(CATEGORIES[usize::from(category('\u{0660}'))], "Nd");
/// ```
pub fn category(character: char) -> u8 {
    PAGES.get_or_init(|| Box::new(Pages::new(RUNS, BITS))).number(character)
}

/// The characters of a page.
const PAGE: usize = 256;

/// The numbers of all characters, from a table of runs.
pub(crate) struct Pages {
    /// The page of each 256 characters. Pages with only one number are shared by those that follow each other.
    places: Vec<u16>,
    pages: Vec<[u8; PAGE]>,
}

impl Pages {
    /// `bits`: how many of the lowest bits of a run are the number.
    pub(crate) fn new(runs: &[u8], bits: u32) -> Self {
        let mut all = Self { places: Vec::new(), pages: Vec::new() };
        let (mut page, mut filled) = ([0; PAGE], 0);
        let mut runs = runs.iter();
        while let Some(first) = runs.next() {
            let mut left = usize::from(first >> bits) + 1;
            if left > 0xff >> bits {
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
                page[filled..filled + count].fill(first & !(0xff << bits));
                (filled, left) = (filled + count, left - count);
                if filled == PAGE {
                    all.add(page);
                    filled = 0;
                }
            }
        }
        all
    }

    fn add(&mut self, page: [u8; PAGE]) {
        if self.pages.last() != Some(&page) {
            self.pages.push(page);
        }
        self.places.push(self.pages.len() as u16 - 1);
    }

    pub(crate) fn number(&self, character: char) -> u8 {
        let code = character as usize;
        let place = self.places.get(code / PAGE).copied().unwrap_or_default();
        self.pages.get(usize::from(place)).map_or(0, |page| page[code % PAGE])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_general_category::get_general_category;

    #[test]
    fn each_character_has_its_category() {
        for character in '\0'..=char::MAX {
            let expected = get_general_category(character).abbreviation();
            assert_eq!(CATEGORIES[usize::from(category(character))], expected, "{character:?}");
        }
    }
}
