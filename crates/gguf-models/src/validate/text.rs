//! Strings: whether they are UTF-8, and whether all characters are visible.

use core::ops::Range;

use super::check::Check;
use super::findings::{Findings, Subject};
use gguf_format::format::header_bytes::HeaderBytes;

/// The first problems of a string, by file offset.
pub(super) struct Scan {
    /// The first byte that is not part of a valid character.
    pub invalid: Option<u64>,
    /// The first character that is not visible, and its offset.
    pub hidden: Option<(u32, u64)>,
}

/// Reports a key, a name or a string that is not UTF-8 or has hidden characters. `noun` is its name in messages.
pub(super) fn check(
    bytes: &HeaderBytes,
    range: Range<u64>,
    noun: &str,
    subject: Option<Subject>,
    findings: &mut Findings,
) {
    let first = bytes.piece(range.clone());
    let text = (first.len() as u64 == range.end - range.start).then_some(first);
    let Scan { invalid, hidden } = scan_string(bytes, range.clone(), text);
    if let Some(offset) = invalid {
        let index = offset - range.start;
        findings.report(
            Check::InvalidUtf8,
            subject,
            invalid,
            format_args!("the {noun} is not UTF-8 at byte {index}, so readers may change it. Write it as UTF-8."),
        );
    }
    if let Some((character, offset)) = hidden {
        let index = offset - range.start;
        findings.report(
            Check::HiddenCharacters,
            subject,
            Some(offset),
            format_args!(
                "the {noun} has the hidden character U+{character:04X} at byte {index}. Remove it if it is a mistake."
            ),
        );
    }
}

/// Reads every byte of a string, and copies none. A string can lie across blocks, and can be a gigabyte long. `text` is its
/// bytes if they lie in one block.
#[inline(always)]
pub(super) fn scan_string(bytes: &HeaderBytes, range: Range<u64>, text: Option<&[u8]>) -> Scan {
    match text {
        Some(text) if is_visible(text) => Scan { invalid: None, hidden: None },
        _ => scan(bytes, range),
    }
}

/// Whether the bytes are UTF-8, and no character can be hidden: none begins with the first byte of a hidden one. Most texts
/// are, and this is found faster than by decoding the characters.
fn is_visible(text: &[u8]) -> bool {
    let may_begin_hidden = |byte: &u8| matches!(byte, 0..=0x1f | 0x7f | 0xc2 | 0xe2 | 0xf3);
    !text.iter().any(may_begin_hidden) && core::str::from_utf8(text).is_ok()
}

fn scan(bytes: &HeaderBytes, range: Range<u64>) -> Scan {
    let mut hidden = None;
    let mut character = Character::default();
    // The offset of the character that is being decoded.
    let (mut start, mut position) = (range.start, range.start);
    for mut piece in bytes.pieces(range) {
        while let Some((byte, rest)) = piece.split_first() {
            if character.is_complete() && is_plain(byte) {
                // Most text is ASCII, which needs no decoding.
                let plain = piece.iter().take_while(|byte| is_plain(byte)).count();
                position += plain as u64;
                start = position;
                piece = &piece[plain..];
                continue;
            }
            piece = rest;
            if !character.push(*byte) {
                return Scan { invalid: Some(start), hidden };
            }
            position += 1;
            if character.is_complete() {
                if hidden.is_none() && is_hidden(character.code) {
                    hidden = Some((character.code, start));
                }
                start = position;
            }
        }
    }
    Scan { invalid: (!character.is_complete()).then_some(start), hidden }
}

/// Whether a byte is a visible ASCII character or a space.
fn is_plain(byte: &u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// A character of UTF-8, decoded byte by byte.
#[derive(Default)]
struct Character {
    /// The bits of the code point so far.
    code: u32,
    /// The number of bytes of the character, 0 for ASCII, and the number of bytes that are missing.
    length: u32,
    missing: u32,
}

impl Character {
    fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// Adds a byte: the first byte of a new character if the last one is complete. Returns false if it is not valid.
    fn push(&mut self, byte: u8) -> bool {
        if self.is_complete() {
            self.length = byte.leading_ones();
            self.code = u32::from(byte) & (0xff >> self.length);
            self.missing = self.length.saturating_sub(1);
            // 0xc0 and 0xc1 would begin a character that fits in one byte. A character has at most 4 bytes.
            return self.length == 0 || (byte >= 0xc2 && self.length <= 4);
        }
        if byte & 0xc0 != 0x80 {
            return false;
        }
        self.code = self.code << 6 | u32::from(byte & 0x3f);
        self.missing -= 1;
        // Not valid: a character that fits in fewer bytes, a surrogate, or a code point beyond the last.
        !self.is_complete() || (self.code >> (5 * self.length - 4) != 0 && char::from_u32(self.code).is_some())
    }
}

/// Whether a character is not visible, or changes how other characters are shown: control characters other than tab, line
/// feed and carriage return, characters that change the direction of text, and tag characters.
fn is_hidden(character: u32) -> bool {
    match character {
        0x09 | 0x0a | 0x0d => false,
        0..=0x1f | 0x7f..=0x9f | 0x202a..=0x202e | 0x2066..=0x2069 | 0xe0000..=0xe007f => true,
        _ => false,
    }
}
