//! A part of a text in the form that an algorithm reads, and where its bytes come from.

use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// U+2581, which stands for a space in vocabularies.
pub(super) const VISIBLE_SPACE: &str = "\u{2581}";

/// Bytes that are made from a text, and their positions in it.
#[derive(Default)]
pub(super) struct Mapped {
    pub bytes: Vec<u8>,
    /// For each byte, the offset in the text of the part that it stands for.
    origins: Vec<usize>,
    /// The position in the text after the last byte.
    pub end: usize,
}

impl Mapped {
    /// No bytes, from a part of a text that ends at a position.
    pub fn ending_at(end: usize) -> Self {
        Self { end, ..Self::default() }
    }

    /// Adds bytes that stand for the part of the text from `origin` on.
    pub fn push(&mut self, bytes: &[u8], origin: usize) {
        self.bytes.extend_from_slice(bytes);
        self.origins.resize(self.bytes.len(), origin);
    }

    /// Converts an offset in the bytes to an offset in the text.
    pub fn origin(&self, position: usize) -> usize {
        self.origins.get(position).copied().unwrap_or(self.end)
    }

    /// Adds a part of a text that begins at a position, as it is.
    pub fn with_bytes(mut self, bytes: &[u8], start: usize) -> Self {
        self.bytes.extend_from_slice(bytes);
        self.origins.extend(start..start + bytes.len());
        self
    }

    /// A part of a text. Spaces become visible spaces. With `has_prefix`, a visible space is put before the text.
    pub fn with_visible_spaces(text: &[u8], range: &Range<usize>, has_prefix: bool) -> Self {
        let mut mapped = Self::ending_at(range.end);
        if has_prefix {
            mapped.push(VISIBLE_SPACE.as_bytes(), range.start);
        }
        for (origin, byte) in range.clone().zip(&text[range.clone()]) {
            match byte {
                b' ' => mapped.push(VISIBLE_SPACE.as_bytes(), origin),
                _ => mapped.push(&[*byte], origin),
            }
        }
        mapped
    }
}

/// Bytes as characters. Each byte that is not part of a character becomes U+FFFD: a token can end within a character.
pub(super) fn to_characters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}
