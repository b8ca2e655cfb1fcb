//! The known key that an unknown one is probably meant for.

use alloc::vec::Vec;

use super::spelling::is_within;

/// The known key that a key is probably meant for.
pub(super) struct Intended<'a> {
    pub key: &'a [u8],
    /// Whether the key is probably a mistake even if the file has the known key.
    pub is_likely: bool,
}

/// How a misspelt key can differ from the known key. The kinds are tried in this order, and the first that fits decides.
#[derive(Clone, Copy, PartialEq)]
enum Difference {
    /// By capital letters, by the characters between words, or by a missing prefix.
    Form,
    /// By one or two typing mistakes.
    Edits(usize),
    /// By shorter words: `ctx_len`.
    ShortForm,
    /// By the part before the last dot.
    Prefix,
}

const DIFFERENCES: [Difference; 5] =
    [Difference::Form, Difference::Edits(1), Difference::Edits(2), Difference::ShortForm, Difference::Prefix];

/// The fewest letters of the last segment of a key whose other segments are wrong. Short words have a meaning in many places.
const SHORTEST_NAME: usize = 5;

/// The fewest letters of a word that is a short form.
const SHORTEST_WORD: usize = 3;

/// The known key that a misspelt key probably means. If several known keys differ in the same way, the key with the fewest segments is
/// taken, and of these one of the tokenizer, which every model has. `None` if several are left, or if no key is similar.
pub(super) fn intended<'a>(key: &[u8], known_keys: &'a [Vec<u8>]) -> Option<Intended<'a>> {
    for difference in DIFFERENCES {
        let mut fewest = (usize::MAX, true);
        let mut intended = None;
        for known in known_keys {
            let segments = (dots(known), first_segment(known) != b"tokenizer");
            if segments <= fewest && digits(key) == digits(known) && is_similar(difference, key, known, known_keys) {
                intended = if segments == fewest { None } else { Some(&**known) };
                fewest = segments;
            }
        }
        if fewest.0 != usize::MAX {
            let is_likely = |known| difference != Difference::Prefix || first_segment(known) == first_segment(key);
            return intended.map(|known| Intended { key: known, is_likely: is_likely(known) });
        }
    }
    None
}

fn is_similar(difference: Difference, key: &[u8], known: &[u8], known_keys: &[Vec<u8>]) -> bool {
    if difference == Difference::Prefix {
        let (section, name) = (first_segment(key), last_segment(key));
        return name.len() >= SHORTEST_NAME
            && name == last_segment(known)
            && known_keys.iter().any(|known| first_segment(known) == section);
    }
    // The prefix may be left out.
    let end = last_segments(known, dots(key));
    match difference {
        Difference::Form => has_same_letters(key, known) || has_same_letters(key, end),
        Difference::Edits(edits) => edits <= most_edits(key, end) && is_within(edits, key, end),
        _ => is_short_form(key, end),
    }
}

/// Whether two names are equal but for capital letters and the characters between words.
pub(super) fn has_same_letters(a: &[u8], b: &[u8]) -> bool {
    letters(a) == letters(b)
}

/// The letters and digits of a name, as small letters.
fn letters(name: &[u8]) -> Vec<u8> {
    name.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
}

/// The digits of a name. Names with different numbers mean different things.
fn digits(name: &[u8]) -> Vec<u8> {
    name.iter().copied().filter(u8::is_ascii_digit).collect()
}

/// The most edits between two keys that can be a spelling mistake. Two short names that differ in one character are more
/// often two different names: `eos` and `eot`.
fn most_edits(key: &[u8], known: &[u8]) -> usize {
    let (segment, known_segment) = (last_segment(key), last_segment(known));
    // The mistake is before the last dot.
    let compared = if segment == known_segment { key } else { segment };
    // The role of a special token is the part that differs.
    match compared.strip_suffix(b"_token_id") {
        Some(role) if role.len() < 5 => 0,
        role => match role.unwrap_or(compared).len() {
            0..4 => 0,
            4..16 => 1,
            _ => 2,
        },
    }
}

/// Whether each word of a key equals the word of a known key, or is a short form: it begins with the same letter and leaves
/// some letters out.
fn is_short_form(key: &[u8], known: &[u8]) -> bool {
    let is_end = |byte: &u8| matches!(byte, b'.' | b'_');
    let mut rest = known.iter().chain(b".");
    let (mut length, mut is_shorter) = (0, false);
    for byte in key.iter().chain(b".") {
        loop {
            match rest.next() {
                Some(other) if other == byte => break,
                Some(other) if length > 0 && !is_end(other) => is_shorter = true,
                _ => return false,
            }
        }
        length += 1;
        if is_end(byte) {
            // The length includes the byte after the word.
            if is_shorter && length <= SHORTEST_WORD {
                return false;
            }
            (length, is_shorter) = (0, false);
        }
    }
    true
}

fn dots(key: &[u8]) -> usize {
    key.iter().filter(|byte| **byte == b'.').count()
}

/// The end of a key with at most this number of dots.
fn last_segments(key: &[u8], dots: usize) -> &[u8] {
    let mut end = key.len();
    for _ in 0..=dots {
        end = key[..end].iter().rposition(|byte| *byte == b'.').unwrap_or(0);
    }
    key[end..].strip_prefix(b".").unwrap_or(&key[end..])
}

fn last_segment(key: &[u8]) -> &[u8] {
    last_segments(key, 0)
}

fn first_segment(key: &[u8]) -> &[u8] {
    key.split(|byte| *byte == b'.').next().unwrap_or_default()
}
