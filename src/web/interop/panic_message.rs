//! The text of a panic, in memory that is there already.

use core::fmt;

/// The most bytes that are kept of a message.
const CAPACITY: usize = 512;

/// A text that is cut at [`CAPACITY`] bytes.
pub(crate) struct PanicMessage {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl PanicMessage {
    pub fn new() -> Self {
        Self { bytes: [0; CAPACITY], length: 0 }
    }

    pub fn as_str(&self) -> &str {
        // `write_str` cuts between characters, so this never fails.
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl fmt::Write for PanicMessage {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = text.len().min(CAPACITY - self.length);
        let end = (0..=room).rfind(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.bytes[self.length..self.length + end].copy_from_slice(&text.as_bytes()[..end]);
        self.length += end;
        Ok(())
    }
}
