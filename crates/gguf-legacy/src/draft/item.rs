//! Reading the numbers and texts of an item whose bytes may not all have arrived.

use gguf_format::error::Error;

/// Bytes of a file, and the position of the next one to read.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The offset of the first byte in the file.
    start: u64,
}

/// Why an item is not read.
pub(super) enum Stop {
    /// Not all bytes of the item have arrived. It has at least this number of bytes.
    Incomplete(u64),
    Refused(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// The result of reading an item.
pub(super) type Read<T> = core::result::Result<T, Stop>;

impl<'a> Item<'a> {
    pub fn new(bytes: &'a [u8], start: u64) -> Self {
        Self { bytes, at: 0, start }
    }

    /// The offset in the file of the next byte.
    pub fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// The bytes that have been read.
    pub fn length(&self) -> usize {
        self.at
    }

    /// The bytes that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next bytes. A length is at most 2^32 numbers of 8 bytes, so that it never overflows with a position.
    #[inline(never)]
    pub fn bytes(&mut self, length: u64) -> Read<&'a [u8]> {
        let end = self.at as u64 + length;
        let read =
            usize::try_from(end).ok().and_then(|end| self.bytes.get(self.at..end)).ok_or(Stop::Incomplete(end))?;
        self.at += read.len();
        Ok(read)
    }

    #[inline(never)]
    pub fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.bytes(4)?.first_chunk().copied().unwrap_or_default()))
    }

    pub fn u64(&mut self) -> Read<u64> {
        Ok(u64::from_le_bytes(self.bytes(8)?.first_chunk().copied().unwrap_or_default()))
    }
}
