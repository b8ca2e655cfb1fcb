//! Strings: keys, tensor names and string values.
//!
//! ```text
//! length  u64, in version 1 u32
//! bytes   that many; UTF-8 by the specification, but not in every file
//! ```

use alloc::{borrow::Cow, string::String};
use core::fmt::{self, Write};
use core::ops::Range;
use core::str::Utf8Error;

use crate::format::storage::Storage;

/// A string: a key, a tensor name or a value.
///
/// By the specification its bytes are UTF-8. Bytes that are not are kept.
#[derive(Clone, Copy)]
pub struct Str<'a> {
    storage: &'a Storage,
    start: u64,
    end: u64,
}

impl<'a> Str<'a> {
    /// The string at file offset `offset`, where its length begins.
    #[doc(hidden)]
    pub fn at(storage: &'a Storage, offset: u64) -> Self {
        Self::new(storage, offset..storage.string_end(offset))
    }

    /// The string in the bytes of `range`, which begin with its length.
    pub(crate) fn new(storage: &'a Storage, range: Range<u64>) -> Self {
        Self { storage, start: range.start + storage.format.length_size(), end: range.end }
    }

    /// The string whose text is in the bytes of `range`.
    pub(super) fn of_text(storage: &'a Storage, range: Range<u64>) -> Self {
        Self { storage, start: range.start, end: range.end }
    }

    /// The bytes of the text in the file, without the length before them.
    pub fn range(&self) -> Range<u64> {
        self.start..self.end
    }

    /// The length of the text in bytes.
    pub fn byte_length(&self) -> u64 {
        self.end - self.start
    }

    /// The bytes as stored.
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        self.storage.bytes.slice(self.range())
    }

    /// The text.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8.
    pub fn to_str(&self) -> Result<Cow<'a, str>, Utf8Error> {
        match self.to_bytes() {
            Cow::Borrowed(bytes) => core::str::from_utf8(bytes).map(Cow::Borrowed),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Cow::Owned(text)),
                Err(error) => Err(error.utf8_error()),
            },
        }
    }

    /// The text. Bytes that are not UTF-8 become U+FFFD, exactly as `TextDecoder` decodes them.
    pub fn to_string_lossy(&self) -> Cow<'a, str> {
        match self.to_bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }

    /// The text of the first bytes, at most `length`. Only these are copied. It may end in U+FFFD for a cut character.
    #[doc(hidden)]
    pub fn prefix(&self, length: u64) -> String {
        self.part(self.start..self.end.min(self.start.saturating_add(length)))
    }

    /// The text of the last bytes, at most `length`. Only these are copied. It may begin with U+FFFD for a cut character.
    #[doc(hidden)]
    pub fn suffix(&self, length: u64) -> String {
        self.part(self.start.max(self.end.saturating_sub(length))..self.end)
    }

    fn part(&self, range: Range<u64>) -> String {
        String::from_utf8_lossy(&self.storage.bytes.slice(range)).into_owned()
    }

    /// The bytes as consecutive slices, without a copy.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.storage.bytes.pieces(self.range())
    }
}

impl PartialEq<[u8]> for Str<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.storage.bytes.equal(self.range(), other)
    }
}

impl PartialEq<str> for Str<'_> {
    fn eq(&self, other: &str) -> bool {
        *self == *other.as_bytes()
    }
}

impl PartialEq<&str> for Str<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq for Str<'_> {
    fn eq(&self, other: &Self) -> bool {
        *self == *other.to_bytes()
    }
}

impl Eq for Str<'_> {}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.to_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        Ok(())
    }
}
