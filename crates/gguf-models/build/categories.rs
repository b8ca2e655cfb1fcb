//! Compiles the categories of all characters to tables of runs: the single categories of Unicode 16, and their groups as llama.cpp's
//! tokenizers know them.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Characters that Unicode 16 added. The package has them, llama.cpp does not.
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

/// The place of the group of categories of a character in the list of `src/tokenizer/unicode.rs`.
fn group(code: u32) -> u8 {
    if NEWER.iter().any(|(first, last)| (*first..=*last).contains(&code)) {
        return 7;
    }
    match category(code) {
        0..=4 => 0,
        5..=7 => 2,
        8..=10 => 1,
        11..=17 => 3,
        18..=21 => 4,
        22..=24 => 5,
        25..=28 => 6,
        _ => 7,
    }
}

/// The place of the category of a character in `CATEGORIES` of `src/categories.rs`.
fn category(code: u32) -> u8 {
    use GeneralCategory as G;
    // Surrogates are no characters: nobody asks for them.
    match char::from_u32(code).map_or(G::Surrogate, get_general_category) {
        G::UppercaseLetter => 0,
        G::LowercaseLetter => 1,
        G::TitlecaseLetter => 2,
        G::ModifierLetter => 3,
        G::OtherLetter => 4,
        G::NonspacingMark => 5,
        G::SpacingMark => 6,
        G::EnclosingMark => 7,
        G::DecimalNumber => 8,
        G::LetterNumber => 9,
        G::OtherNumber => 10,
        G::ConnectorPunctuation => 11,
        G::DashPunctuation => 12,
        G::OpenPunctuation => 13,
        G::ClosePunctuation => 14,
        G::InitialPunctuation => 15,
        G::FinalPunctuation => 16,
        G::OtherPunctuation => 17,
        G::MathSymbol => 18,
        G::CurrencySymbol => 19,
        G::ModifierSymbol => 20,
        G::OtherSymbol => 21,
        G::SpaceSeparator => 22,
        G::LineSeparator => 23,
        G::ParagraphSeparator => 24,
        G::Control => 25,
        G::Format => 26,
        G::Surrogate => 27,
        G::PrivateUse => 28,
        _ => 29,
    }
}

/// The runs of characters with the same group.
pub fn group_runs() -> Vec<u8> {
    runs(group, 3)
}

/// The runs of characters with the same category.
pub fn category_runs() -> Vec<u8> {
    runs(category, 5)
}

/// The runs of characters with the same number. A run is a byte with the number in its lowest `bits` bits, and its length, less 1, above; if
/// all bits of the length are 1, the rest follows in LEB128.
fn runs(number: fn(u32) -> u8, bits: u32) -> Vec<u8> {
    let most = 0xff >> bits;
    let (mut bytes, mut start) = (Vec::new(), 0);
    for code in 1..=0x11_0000 {
        let own = number(start);
        if code < 0x11_0000 && number(code) == own {
            continue;
        }
        let mut rest = code - start - 1;
        bytes.push(own | (rest.min(most) as u8) << bits);
        if rest >= most {
            rest -= most;
            loop {
                let more = rest > 0x7f;
                bytes.push((rest & 0x7f) as u8 | u8::from(more) << 7);
                rest >>= 7;
                if !more {
                    break;
                }
            }
        }
        start = code;
    }
    bytes
}
