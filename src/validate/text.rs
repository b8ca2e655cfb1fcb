//! Text: whether it is UTF-8, and whether all of it can be seen.

use core::fmt::{self, Display, Write};

use super::check::Check;
use super::findings::{Findings, Place};
use crate::value::Str;

/// What there is to say of a text; offsets are in bytes from its start.
#[derive(Default)]
pub(super) struct Scan {
    /// Where the bytes are no longer UTF-8.
    pub invalid: Option<u64>,
    /// The first character that does not show, and where it is.
    hidden: Option<(u32, u64)>,
}

/// Looks at every byte once; text may lie in several pieces.
pub(super) fn scan(text: &Str<'_>) -> Scan {
    let mut scan = Scan::default();
    // Of the character that is being read: its bits so far, where it began, how many bytes are missing, and what the
    // next lies between. Table 3-7 of the Unicode standard.
    let (mut character, mut start, mut missing) = (0, 0, 0);
    let (mut low, mut high) = (0x80, 0xbf);
    let mut before = 0;
    for piece in text.pieces() {
        // Most text is this, and comes in many short strings.
        if missing == 0 && is_printable_ascii(piece) {
            before += piece.len() as u64;
            continue;
        }
        for (at, byte) in (before..).zip(piece.iter().copied()) {
            if missing == 0 {
                start = at;
                (character, missing) = match byte {
                    0..=0x7f => (u32::from(byte), 0),
                    0xc2..=0xdf => (u32::from(byte & 0x1f), 1),
                    0xe0..=0xef => (u32::from(byte & 0x0f), 2),
                    0xf0..=0xf4 => (u32::from(byte & 0x07), 3),
                    _ => {
                        scan.invalid = Some(start);
                        return scan;
                    }
                };
                (low, high) = match byte {
                    0xe0 => (0xa0, 0xbf),
                    0xed => (0x80, 0x9f),
                    0xf0 => (0x90, 0xbf),
                    0xf4 => (0x80, 0x8f),
                    _ => (0x80, 0xbf),
                };
            } else if (low..=high).contains(&byte) {
                character = character << 6 | u32::from(byte & 0x3f);
                missing -= 1;
                (low, high) = (0x80, 0xbf);
            } else {
                scan.invalid = Some(start);
                return scan;
            }
            if missing == 0 && scan.hidden.is_none() && is_hidden(character) {
                scan.hidden = Some((character, start));
            }
        }
        before += piece.len() as u64;
    }
    if missing > 0 {
        scan.invalid = Some(start);
    }
    scan
}

fn is_printable_ascii(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Control characters other than tab, line feed and carriage return; those that change the direction of text; and
/// tags, with which text can be written that nobody sees.
fn is_hidden(character: u32) -> bool {
    match character {
        0x09 | 0x0a | 0x0d => false,
        0..=0x1f | 0x7f..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xe0000..=0xe007f => true,
        _ => false,
    }
}

/// Reports what there is to say of a key, a name or a string.
pub(super) fn check(text: &Str<'_>, place: Place, findings: &mut Findings) {
    let scan = scan(text);
    let start = text.range().start;
    if let Some(at) = scan.invalid {
        findings.report(
            Check::InvalidUtf8,
            place.at(start + at),
            &[&format_args!("byte {at} of {}", text.byte_length())],
        );
    }
    if let Some((character, at)) = scan.hidden {
        findings.report(Check::HiddenCharacters, place.at(start + at), &[&format_args!("{character:04X}"), &at]);
    }
}

/// A name in quotes: its first 64 bytes, and U+FFFD for what is not UTF-8 or does not show.
pub(super) struct Quoted<'a>(pub Str<'a>);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 64];
        let mut len = 0;
        for (to, from) in bytes.iter_mut().zip(self.0.pieces().flatten()) {
            *to = *from;
            len += 1;
        }
        f.write_char('"')?;
        for chunk in bytes[..len].utf8_chunks() {
            for character in chunk.valid().chars() {
                f.write_char(if is_hidden(character.into()) { char::REPLACEMENT_CHARACTER } else { character })?;
            }
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        f.write_str(if self.0.byte_length() > 64 { "…\"" } else { "\"" })
    }
}
