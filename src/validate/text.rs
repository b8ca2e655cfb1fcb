//! Text: whether it is UTF-8, and whether all of it can be seen.

use core::ops::Range;

use super::check::Check;
use super::findings::{Findings, NONE};
use crate::format::header_bytes::HeaderBytes;

/// What there is to say of a text.
pub(super) struct Scan {
    /// Where its bytes are no longer UTF-8, or [`NONE`].
    pub invalid: u64,
    /// The first character that does not show, and where it is, or [`NONE`].
    hidden: u32,
    hidden_at: u64,
}

/// Looks at every byte of a text once.
#[inline(never)]
pub(super) fn scan(bytes: &HeaderBytes, range: Range<u64>) -> Scan {
    let mut scan = Scan { invalid: NONE, hidden: 0, hidden_at: NONE };
    let mut at = range.start;
    // Of the character that is being read: where it began, its bits so far, how many bytes it has and how many are missing.
    let (mut start, mut character, mut length, mut missing) = (at, 0u32, 0, 0);
    let is_valid = 'text: {
        while at < range.end {
            for byte in bytes.piece(at..range.end) {
                if missing == 0 {
                    start = at;
                    character = u32::from(*byte);
                    length = byte.leading_ones();
                    missing = length;
                    if length > 0 {
                        // 0xc0 and 0xc1 would begin what fits in one byte.
                        if *byte < 0xc2 || length > 4 {
                            break 'text false;
                        }
                        character &= 0x7f >> length;
                    }
                } else if byte & 0xc0 == 0x80 {
                    character = character << 6 | u32::from(byte & 0x3f);
                } else {
                    break 'text false;
                }
                at += 1;
                missing = missing.saturating_sub(1);
                if missing == 0 {
                    // What fits in fewer bytes, surrogates, and what is beyond the last character.
                    if length > 0 && character >> (5 * length - 4) == 0 || char::from_u32(character).is_none() {
                        break 'text false;
                    }
                    if scan.hidden_at == NONE && is_hidden(character) {
                        (scan.hidden, scan.hidden_at) = (character, start);
                    }
                }
            }
        }
        missing == 0
    };
    if !is_valid {
        scan.invalid = start;
    }
    scan
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
#[inline(never)]
pub(super) fn check(bytes: &HeaderBytes, range: Range<u64>, findings: &mut Findings<'_>) {
    let Scan { invalid, hidden, hidden_at } = scan(bytes, range.clone());
    if invalid != NONE {
        findings.report(Check::InvalidUtf8, invalid, 1, 1);
    }
    if hidden_at != NONE {
        findings.report(Check::HiddenCharacters, hidden_at, hidden.into(), hidden_at - range.start);
    }
}
