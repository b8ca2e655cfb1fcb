//! Compiles the categories of all characters, as llama.cpp's tokenizers know them, to a table of runs.

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

/// The place of the category of a character in the list of `src/tokenizer/unicode.rs`.
fn category(code: u32) -> u8 {
    use GeneralCategory as G;
    if NEWER.iter().any(|(first, last)| (*first..=*last).contains(&code)) {
        return 7;
    }
    // Surrogates are no characters: nobody asks for them.
    match char::from_u32(code).map_or(G::Surrogate, get_general_category) {
        G::UppercaseLetter | G::LowercaseLetter | G::TitlecaseLetter | G::ModifierLetter | G::OtherLetter => 0,
        G::DecimalNumber | G::LetterNumber | G::OtherNumber => 1,
        G::NonspacingMark | G::SpacingMark | G::EnclosingMark => 2,
        G::ConnectorPunctuation
        | G::DashPunctuation
        | G::OpenPunctuation
        | G::ClosePunctuation
        | G::InitialPunctuation
        | G::FinalPunctuation
        | G::OtherPunctuation => 3,
        G::MathSymbol | G::CurrencySymbol | G::ModifierSymbol | G::OtherSymbol => 4,
        G::SpaceSeparator | G::LineSeparator | G::ParagraphSeparator => 5,
        G::Control | G::Format | G::PrivateUse | G::Surrogate => 6,
        _ => 7,
    }
}

/// The runs of characters with the same category. A run is a byte with the category in its lowest 3 bits, and its length, less 1, above; if
/// that is 31 or more, these bits are 31, and the rest follows in LEB128.
pub fn runs() -> Vec<u8> {
    let (mut bytes, mut start) = (Vec::new(), 0);
    for code in 1..=0x11_0000 {
        let own = category(start);
        if code < 0x11_0000 && category(code) == own {
            continue;
        }
        let mut rest = code - start - 1;
        bytes.push(own | (rest.min(31) as u8) << 3);
        if rest >= 31 {
            rest -= 31;
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
