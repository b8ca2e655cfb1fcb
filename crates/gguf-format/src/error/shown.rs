//! Texts of the file in messages.

use alloc::string::String;
use core::fmt::{self, Write};

/// The most bytes of a text that a message shows.
const LONGEST: usize = 60;

/// The most bytes of a message.
const LONGEST_MESSAGE: usize = 2000;

/// A message of at most 2,000 bytes. Of a longer one, which quotes a text of a file, the middle is left out: the start says what failed,
/// the end what to do.
#[doc(hidden)]
pub fn bounded(message: String) -> String {
    if message.len() <= LONGEST_MESSAGE {
        return message;
    }
    // Slicing with `[]` would bring the tables of Unicode into every module, for the message of a panic.
    let mut start = LONGEST_MESSAGE / 2;
    let mut end = message.len() - LONGEST_MESSAGE / 4;
    while !message.is_char_boundary(start) {
        start -= 1;
    }
    while !message.is_char_boundary(end) {
        end += 1;
    }
    [message.get(..start), Some(" … "), message.get(end..)].map(Option::unwrap_or_default).concat()
}

/// A URL without its query and fragment, which can hold a key or a signature.
#[doc(hidden)]
pub fn without_query(url: &str) -> &str {
    // On bytes: searches in texts are a kilobyte of code.
    let end = url.bytes().position(|byte| matches!(byte, b'?' | b'#'));
    end.and_then(|end| url.get(..end)).unwrap_or(url)
}

/// A text of the file, as messages and titles show it: at most 60 bytes, and `…` if there are more. Characters that are not
/// visible, or that change how other characters are shown, are written as `\u{202e}`. Bytes that are not UTF-8 are `\u{fffd}`.
#[doc(hidden)]
pub struct Shown<'a>(pub &'a [u8]);

/// A text as [`Shown`] shows it, with another limit in bytes.
#[doc(hidden)]
pub struct ShownUpTo<'a>(pub usize, pub &'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ShownUpTo(LONGEST, self.0).fmt(f)
    }
}

impl fmt::Display for ShownUpTo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(longest, text) = *self;
        let mut left = longest;
        // Only the start of a text can be shown. A character that is cut off here is not shown.
        for chunk in text[..text.len().min(2 * longest)].utf8_chunks() {
            let invalid = (!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER);
            for character in chunk.valid().chars().chain(invalid) {
                let is_escaped = is_escaped(character);
                let length = if is_escaped { character.escape_unicode().len() } else { character.len_utf8() };
                if length > left {
                    return f.write_char('…');
                }
                left -= length;
                match is_escaped {
                    true => write!(f, "{}", character.escape_unicode())?,
                    false => f.write_char(character)?,
                }
            }
        }
        Ok(())
    }
}

/// Whether a character is a control character, a format character (Unicode's `Cf`), a line or paragraph separator, another one that
/// shows nothing (`Default_Ignorable_Code_Point`), or stands for bytes that are no text.
#[doc(hidden)]
pub fn is_escaped(character: char) -> bool {
    character.is_control()
        || matches!(
            u32::from(character),
            0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2 | 0x115f..=0x1160
                | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164
                | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffd | 0x110bd | 0x110cd | 0x13430..=0x1343f
                | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff
        )
}

#[cfg(test)]
mod tests {
    use super::{Shown, bounded};
    use alloc::string::ToString;

    #[test]
    fn messages_keep_their_start_and_their_end() {
        assert_eq!(bounded("a".repeat(2000)), "a".repeat(2000));
        for filler in ["x", "ß", "模", "🦙"] {
            let long = bounded(["the name ", &filler.repeat(1 << 20), " is too long. Shorten it."].concat());
            assert!(long.len() <= 2000 && long.starts_with("the name "), "{long}");
            assert!(long.ends_with(" is too long. Shorten it."), "{long}");
        }
    }

    #[test]
    fn texts_are_escaped_and_bounded() {
        let shown = |text: &[u8]| Shown(text).to_string();
        assert_eq!(shown("Größe 模型".as_bytes()), "Größe 模型");
        assert_eq!(shown("a\x1b[31m\u{202e}b".as_bytes()), "a\\u{1b}[31m\\u{202e}b");
        assert_eq!(shown(b"\xff\xfeA"), "\\u{fffd}\\u{fffd}A");
        assert_eq!(shown(&[b'a'; 60]), "a".repeat(60));
        for length in [61, 121, 60_000] {
            assert_eq!(shown(&[b'a'].repeat(length)), "a".repeat(60) + "…");
        }
        assert!(shown(&[0x1b; 200]).len() <= 63);
    }
}
