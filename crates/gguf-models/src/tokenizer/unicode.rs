//! The properties of characters, as llama.cpp's tokenizers know them: those of Unicode 15.

use unicode_general_category::{GeneralCategory, get_general_category};

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

/// Characters that Unicode 16 added. The table of categories has them, llama.cpp does not.
const NEWER: &[(u32, u32)] = &[
    (0x0897, 0x0897),
    (0x1B4E, 0x1B4F),
    (0x1B7F, 0x1B7F),
    (0x1C89, 0x1C8A),
    (0x2427, 0x2429),
    (0x31E4, 0x31E5),
    (0xA7CB, 0xA7CD),
    (0xA7DA, 0xA7DC),
    (0x105C0, 0x105F3),
    (0x10D40, 0x10D65),
    (0x10D69, 0x10D85),
    (0x10D8E, 0x10D8F),
    (0x10EC2, 0x10EC4),
    (0x10EFC, 0x10EFC),
    (0x11380, 0x11389),
    (0x1138B, 0x1138B),
    (0x1138E, 0x1138E),
    (0x11390, 0x113B5),
    (0x113B7, 0x113C0),
    (0x113C2, 0x113C2),
    (0x113C5, 0x113C5),
    (0x113C7, 0x113CA),
    (0x113CC, 0x113D5),
    (0x113D7, 0x113D8),
    (0x113E1, 0x113E2),
    (0x116D0, 0x116E3),
    (0x11BC0, 0x11BE1),
    (0x11BF0, 0x11BF9),
    (0x11F5A, 0x11F5A),
    (0x13460, 0x143FA),
    (0x16100, 0x16139),
    (0x16D40, 0x16D79),
    (0x18CFF, 0x18CFF),
    (0x1CC00, 0x1CCF9),
    (0x1CD00, 0x1CEB3),
    (0x1E5D0, 0x1E5FA),
    (0x1E5FF, 0x1E5FF),
    (0x1F8B2, 0x1F8BB),
    (0x1F8C0, 0x1F8C1),
    (0x1FA89, 0x1FA89),
    (0x1FA8F, 0x1FA8F),
    (0x1FABE, 0x1FABE),
    (0x1FAC6, 0x1FAC6),
    (0x1FADC, 0x1FADC),
    (0x1FADF, 0x1FADF),
    (0x1FAE9, 0x1FAE9),
    (0x1FBCB, 0x1FBEF),
];

/// The category of a character.
pub(super) fn category(character: char) -> Category {
    use GeneralCategory as G;
    let code = character as u32;
    let before = NEWER.partition_point(|(first, _)| *first <= code);
    if before > 0 && code <= NEWER[before - 1].1 {
        return Category::Unassigned;
    }
    match get_general_category(character) {
        G::UppercaseLetter | G::LowercaseLetter | G::TitlecaseLetter | G::ModifierLetter | G::OtherLetter => {
            Category::Letter
        }
        G::DecimalNumber | G::LetterNumber | G::OtherNumber => Category::Number,
        G::NonspacingMark | G::SpacingMark | G::EnclosingMark => Category::Mark,
        G::ConnectorPunctuation
        | G::DashPunctuation
        | G::OpenPunctuation
        | G::ClosePunctuation
        | G::InitialPunctuation
        | G::FinalPunctuation
        | G::OtherPunctuation => Category::Punctuation,
        G::MathSymbol | G::CurrencySymbol | G::ModifierSymbol | G::OtherSymbol => Category::Symbol,
        G::SpaceSeparator | G::LineSeparator | G::ParagraphSeparator => Category::Separator,
        G::Control | G::Format | G::PrivateUse | G::Surrogate => Category::Control,
        _ => Category::Unassigned,
    }
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
